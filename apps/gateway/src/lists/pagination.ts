import type { PageReply, PageRequest } from '@switchboard/contracts';

/** The `pagination` of a list's answer (spec §7.1.1). */
export function paginationOf(
  { page, limit }: Pick<PageRequest, 'page' | 'limit'>,
  { total, totalIsExact, hasNext, nextCursor }: PageReply,
): object {
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
