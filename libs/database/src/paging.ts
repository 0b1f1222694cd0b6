import { AppError, type PageReply, type PageRequest } from '@switchboard/contracts';
import { type SeenRow, seenOf } from './look-through';

/** Where a page begins and how many rows a query reads for it (spec §7.1). */
export interface Place {
  /** What the list is ordered by, of the last item before the page; null begins with the first one. */
  after: string | null;
  /** Rows to pass over. */
  offset: number;
  /** One more than the page holds: it tells whether there is a next one. */
  take: number;
}

export interface Page<Row> extends Pick<PageReply, 'hasNext' | 'nextCursor'> {
  rows: Row[];
}

/**
 * @param pattern what the list is ordered by matches this, so that a cursor of another list is refused
 * @throws AppError INVALID_PARAMETER for a cursor that is not this list's
 */
export function placeOf({ page, limit, cursor }: PageRequest, pattern: RegExp): Place {
  if (cursor === undefined) return { after: null, offset: (page - 1) * limit, take: limit + 1 };
  return { after: decodeCursor(cursor, pattern), offset: 0, take: limit + 1 };
}

/** The page among the rows that were read for it. @param keyOf gives what the list is ordered by */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit;
  return { rows: shown, hasNext, nextCursor: hasNext && last ? encodeCursor(keyOf(last)) : null };
}

/**
 * The page among the rows that a look through its list gave; when the look ended early, the list goes on from there.
 * @throws AppError INVALID_VALUE when the page begins behind what a page number can reach
 */
export function seenPageOf<Row extends SeenRow>(
  seen: readonly Row[],
  request: PageRequest,
  keyOf: (row: Row) => string,
): Page<Row> {
  const { rows, cutOffAt } = seenOf(seen, request);
  const page = pageOf(rows, request.limit, keyOf);
  return cutOffAt === null ? page : { ...page, hasNext: true, nextCursor: encodeCursor(cutOffAt) };
}

/** Hides the place of a list's last item in a word that fits into a URL; callers must not look inside. */
export function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function decodeCursor(cursor: string, pattern: RegExp): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (pattern.test(key)) return key;
  const message = 'cursor is invalid';
  throw new AppError('INVALID_PARAMETER', { message, details: [{ field: 'cursor', message }] });
}
