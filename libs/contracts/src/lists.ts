import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/**
 * Items that one page holds at most between services; the API's own lists give fewer (spec §7.1.4), downloads take as
 * many.
 */
export const PAGE_ITEMS_MAX = 1_000;

/** Which part of a list is asked for (spec §7.1). */
export class PageRequest {
  @IsString() accountId: string;
  /** 1-based. */
  @IsInt() @Min(1) page: number;
  @IsInt() @Min(1) @Max(PAGE_ITEMS_MAX) limit: number;
  /** Continues after the last item of an earlier page; takes the place of `page`. */
  @IsOptional() @IsString() cursor?: string;
}

/** What goes with the items of a page. */
export class PageReply {
  @IsInt() total: number;
  /** False when there are more than `total` and nobody counted on. */
  @IsBoolean() totalIsExact: boolean;
  @IsBoolean() hasNext: boolean;
  @IsOptional() @IsString() nextCursor: string | null;
}
