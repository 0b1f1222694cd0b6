import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Maximum items per page between services. Downloads request as many; the API's lists return fewer (spec §7.1.4). */
export const PAGE_ITEMS_MAX = 1_000;

/** Requested page of a list (spec §7.1). */
export class PageRequest {
  @IsString() accountId: string;
  /** 1-based. */
  @IsInt() @Min(1) page: number;
  @IsInt() @Min(1) @Max(PAGE_ITEMS_MAX) limit: number;
  /** Position after the last item of an earlier page; replaces `page`. */
  @IsOptional() @IsString() cursor?: string;
}

export class PageReply {
  @IsInt() total: number;
  /** False if more than `total` items match; counting stopped there. */
  @IsBoolean() totalIsExact: boolean;
  @IsBoolean() hasNext: boolean;
  @IsOptional() @IsString() nextCursor: string | null;
}
