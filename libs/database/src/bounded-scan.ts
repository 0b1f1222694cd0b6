import { AppError, type PageRequest } from '@switchboard/contracts';

/**
 * Maximum number of rows scanned for one page of a list. Rows skipped by a filter or a page number take time too, and a
 * list must not become slower as it grows.
 */
export const SCAN_LIMIT = 5_000;

/** List in the order of an index, with an optional filter that no index serves. */
export interface BoundedScan {
  /**
   * `SELECT … FROM … WHERE …` with conditions that one index serves, including the cursor. It selects the columns that
   * the page shows, those used in `matches`, and those of the order.
   */
  rows: string;
  /** Columns and directions of that index, starting with its first column. */
  order: string;
  /** Cursor column, which is the last one of the order. */
  key: string;
  /** Condition that no index serves; none when absent. */
  matches?: string;
  /** Maximum rows to scan, if a row takes more time than usual; defaults to `SCAN_LIMIT`. */
  limit?: number;
}

export interface SeenRow {
  /** Set only in an extra last row, which is not shown: the key of the row at which the scan stopped. */
  cutOffAt: string | number | null;
}

const scanned = ({ rows, order, matches = 'true', limit = SCAN_LIMIT }: BoundedScan): string =>
  `(SELECT *, COALESCE(${matches}, false) AS fits FROM (${rows} ORDER BY ${order} LIMIT ${limit + 1}) AS found) AS scanned`;

/**
 * Returns the SQL of one page. It skips `offset` matching rows and returns matching rows until the page is full or
 * the limit of rows was scanned. In the latter case an extra row contains the position. The rows are called `seen`.
 * @param options.columns selected columns of `seen`
 * @param options.joins to related rows; must not drop any row
 */
export function boundedScan(
  list: BoundedScan,
  { offset, take, columns, joins = '' }: { offset: number; take: number; columns: string; joins?: string },
): string {
  const { order, key, limit = SCAN_LIMIT } = list;
  return `
    SELECT ${columns}, "cutOffAt" FROM (
      SELECT * FROM (
        SELECT *, fits AND count(*) FILTER (WHERE fits) OVER (way ROWS UNBOUNDED PRECEDING) > ${offset} AS fills,
          CASE row_number() OVER way WHEN ${limit + 1} THEN lag(${key}) OVER way END AS "cutOffAt"
        FROM ${scanned(list)} WINDOW way AS (ORDER BY ${order})
      ) AS passed
      WHERE fills OR "cutOffAt" IS NOT NULL ORDER BY ${order} LIMIT ${take}
    ) AS seen ${joins}
    ORDER BY ${order.replaceAll(/\w+/g, (word) => (/^(ASC|DESC)$/.test(word) ? word : `seen.${word}`))}`;
}

/** Returns the SQL that counts matching rows, up to `most` plus one, and reports whether the scan stopped early. */
export function boundedCount(list: BoundedScan, most: number): string {
  const { limit = SCAN_LIMIT } = list;
  return `
    SELECT count(*) FILTER (WHERE place <= ${limit})::int AS total, count(*) FILTER (WHERE place > ${limit}) > 0 AS "isCutOff" FROM (
      SELECT place FROM (SELECT *, row_number() OVER (ORDER BY ${list.order}) AS place FROM ${scanned(list)}) AS passed
      WHERE fits OR place > ${limit} ORDER BY ${list.order} LIMIT ${most + 1}
    ) AS counted`;
}

/** Rows of a page, and the position where the scan stopped early. */
export interface Seen<Row> {
  rows: Row[];
  /** Key of the last scanned row; null when the page is full or the list has ended. */
  cutOffAt: string | null;
}

/** @throws AppError INVALID_VALUE when page numbers cannot reach that far */
export function seenOf<Row extends SeenRow>(
  seen: readonly Row[],
  { page, limit, cursor }: Pick<PageRequest, 'page' | 'limit' | 'cursor'>,
): Seen<Row> {
  const rows = seen.filter((row) => row.cutOffAt === null);
  const cutOffAt = seen.at(-1)?.cutOffAt ?? null;
  if (cutOffAt === null || rows.length > limit) return { rows, cutOffAt: null };
  if (rows.length === 0 && page > 1 && cursor === undefined) throw tooDeep(page);
  return { rows, cutOffAt: String(cutOffAt) };
}

/**
 * Rejects page numbers that are too high, for a list that is read without a bounded scan.
 * @param rows the rows found for the page
 * @throws AppError INVALID_VALUE when the page exists but page numbers cannot reach that far
 */
export function refuseTooDeep(
  { page, limit, cursor }: Pick<PageRequest, 'page' | 'limit' | 'cursor'>,
  rows: readonly unknown[],
): void {
  if (cursor === undefined && (page - 1) * limit >= SCAN_LIMIT && rows.length > 0) throw tooDeep(page);
}

function tooDeep(page: number): AppError {
  const message = `page ${page} lies too deep: page numbers reach what is found among the first ${SCAN_LIMIT} items; follow nextCursor from an earlier page`;
  return new AppError('INVALID_VALUE', { message, details: [{ field: 'page', message }] });
}
