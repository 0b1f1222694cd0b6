import { AppError, type PageReply, type PageRequest } from '@switchboard/contracts';

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
  return { rows: shown, hasNext, nextCursor: hasNext && last ? Buffer.from(keyOf(last)).toString('base64url') : null };
}
