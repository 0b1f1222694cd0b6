import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Maximum items of a page between services; the lists of the API return fewer (spec §7.1.4), downloads as many. */
export const PAGE_ITEMS_MAX = 1_000;

/** Requested page of a list (spec §7.1). */
export class PageRequest {
  @IsString() accountId: string;
  /** 1-based. */
  @IsInt() @Min(1) page: number;
  @IsInt() @Min(1) @Max(PAGE_ITEMS_MAX) limit: number;
  /** Continues after the last item of an earlier page; replaces `page`. */
  @IsOptional() @IsString() cursor?: string;
}

/** Paging fields of a response. */
export class PageReply {
  @IsInt() total: number;
  /** False if there are more than `total`, which were not counted. */
  @IsBoolean() totalIsExact: boolean;
  @IsBoolean() hasNext: boolean;
  @IsOptional() @IsString() nextCursor: string | null;
}
