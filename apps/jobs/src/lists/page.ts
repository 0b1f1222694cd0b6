import { AppError, type PageReply, type PageRequest } from '@switchboard/contracts';
import { type SeenRow, seenOf } from '@switchboard/database';

/** A list is counted up to here where nobody keeps a counter (decisions 6). */
export const COUNT_LIMIT = 10_000;

/** Where a page begins and how many rows to read for it: one more than it holds, which tells whether there is a next one. */
export interface Place {
  /** What the list is ordered by, of the last item before the page. */
  after: string | null;
  offset: number;
  take: number;
}

/** @throws AppError INVALID_PARAMETER for a cursor that is not this list's */
export function placeOf({ page, limit, cursor }: PageRequest, pattern: RegExp): Place {
  if (cursor === undefined) return { after: null, offset: (page - 1) * limit, take: limit + 1 };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!pattern.test(after)) throw new AppError('INVALID_PARAMETER', { message: 'cursor is invalid', details: [{ field: 'cursor', message: 'cursor is invalid' }] });
  return { after, offset: 0, take: limit + 1 };
}

/** The rows that are shown, of those read for a page, and how the list goes on. */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): { rows: Row[] } & Pick<PageReply, 'hasNext' | 'nextCursor'> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit;
  return { rows: shown, hasNext, nextCursor: hasNext && last ? cursorOf(keyOf(last)) : null };
}

/**
 * The same of rows that a look through the list gave; when the look ended early, the list goes on from there.
 * @throws AppError INVALID_VALUE when the page begins behind what a page number can reach
 */
export function seenPageOf<Row extends SeenRow>(seen: readonly Row[], request: PageRequest, keyOf: (row: Row) => string): ReturnType<typeof pageOf<Row>> {
  const { rows, cutOffAt } = seenOf(seen, request);
  const page = pageOf(rows, request.limit, keyOf);
  return cutOffAt === null ? page : { ...page, hasNext: true, nextCursor: cursorOf(cutOffAt) };
}

const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');
