import { Doc, OrNull, type PageReply, type PageRequest } from '@switchboard/contracts';
import { IsBoolean, IsInt, IsString } from 'class-validator';

/** Position of a page in its list (spec §7.1.1). */
export class Pagination {
  @IsInt() page: number;
  @IsInt() limit: number;
  @Doc('Total number of items') @IsInt() total: number;
  @Doc('False if there may be more than `total`: filtered lists are counted up to a limit')
  @IsBoolean()
  totalIsExact: boolean;
  @IsInt() totalPages: number;
  @Doc(
    'Whether there are more items. A page scans at most 5,000 items, so a filtered page may be short or even empty although more follow',
  )
  @IsBoolean()
  hasNext: boolean;
  @Doc('Cursor of the next page; null at the end of the list')
  @OrNull()
  @IsString()
  nextCursor: string | null;
}

/** Total of a list with cursors. */
export class CountedPage {
  @Doc('Total number of items') @IsInt() total: number;
  @Doc('False if there may be more than `total`: filtered lists are counted up to a limit')
  @IsBoolean()
  totalIsExact: boolean;
  @Doc('Cursor of the next page; null at the end of the list. A page scans at most 5,000 items and may be short')
  @OrNull()
  @IsString()
  nextCursor: string | null;
}

export function countedPage({ total, totalIsExact, nextCursor }: PageReply): CountedPage {
  return { total, totalIsExact, nextCursor: nextCursor ?? null };
}

/** Returns the `pagination` of a list response (spec §7.1.1). */
export function paginationOf(
  { page, limit }: Pick<PageRequest, 'page' | 'limit'>,
  { total, totalIsExact, hasNext, nextCursor }: PageReply,
): Pagination {
  return {
    page,
    limit,
    total,
    totalIsExact,
    totalPages: Math.ceil(total / limit),
    hasNext,
    nextCursor: nextCursor ?? null,
  };
}
