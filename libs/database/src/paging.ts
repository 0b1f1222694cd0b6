import { AppError, type PageReply, type PageRequest } from '@switchboard/contracts';
import { type SeenRow, seenOf } from './bounded-scan';

/** Start of a page and number of rows to read for it (spec §7.1). */
export interface Place {
  /** Sort key of the last item before the page; null for the first page. */
  after: string | null;
  offset: number;
  /** One more than the page size, to detect whether there is a next page. */
  take: number;
}

export interface Page<Row> extends Pick<PageReply, 'hasNext' | 'nextCursor'> {
  rows: Row[];
}

/**
 * Returns the start of a page.
 * @param pattern format of the list's sort key, so that a cursor of another list is rejected
 * @throws AppError INVALID_PARAMETER for a cursor that does not belong to this list
 */
export function placeOf({ page, limit, cursor }: PageRequest, pattern: RegExp): Place {
  if (cursor === undefined) return { after: null, offset: (page - 1) * limit, take: limit + 1 };
  return { after: decodeCursor(cursor, pattern), offset: 0, take: limit + 1 };
}

/** Returns the page from the rows that were read for it. @param keyOf returns the sort key */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit;
  return { rows: shown, hasNext, nextCursor: hasNext && last ? encodeCursor(keyOf(last)) : null };
}

/**
 * Returns the page from the rows of a bounded scan. When the scan stopped early, the next page continues from there.
 * @throws AppError INVALID_VALUE when page numbers cannot reach that far
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

/** Encodes a list position as an opaque, URL-safe cursor. */
export function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function decodeCursor(cursor: string, pattern: RegExp): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (pattern.test(key)) return key;
  const message = 'cursor is invalid';
  throw new AppError('INVALID_PARAMETER', { message, details: [{ field: 'cursor', message }] });
}
