import type { IdPrefix, PageReply, PageRequest } from '@switchboard/contracts';
import { type SeenRow, seenOf } from '@switchboard/database';
import { decodeCursor, encodeCursor } from './cursor';

/** Where a page begins and how many rows to read for it. */
export interface Place {
  /** The last item before the page; null begins with the newest. */
  after: string | null;
  /** Rows to pass over. */
  offset: number;
  /** One more than the page holds: it tells whether there is a next one. */
  take: number;
}

/** @throws AppError INVALID_PARAMETER for a cursor that is not this list's */
export function placeOf({ page, limit, cursor }: PageRequest, prefix: IdPrefix): Place {
  const after = cursor === undefined ? null : decodeCursor(cursor, prefix);
  return { after, offset: after ? 0 : (page - 1) * limit, take: limit + 1 };
}

export interface Page<Row> extends Pick<PageReply, 'hasNext' | 'nextCursor'> {
  rows: Row[];
}

/** The page among the rows that were read for it. `idOf` gives the id that the list is ordered by. */
export function pageOf<Row>(rows: readonly Row[], limit: number, idOf: (row: Row) => string): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit;
  return { rows: shown, hasNext, nextCursor: hasNext && last ? encodeCursor(idOf(last)) : null };
}

/**
 * The page among the rows that a look through its list gave; when the look ended early, it goes on from there.
 * @throws AppError INVALID_VALUE when the page begins behind what a page number can reach
 */
export function seenPageOf<Row extends SeenRow>(seen: readonly Row[], request: PageRequest, idOf: (row: Row) => string): Page<Row> {
  const { rows, cutOffAt } = seenOf(seen, request);
  const page = pageOf(rows, request.limit, idOf);
  return cutOffAt === null ? page : { ...page, hasNext: true, nextCursor: encodeCursor(cutOffAt) };
}
