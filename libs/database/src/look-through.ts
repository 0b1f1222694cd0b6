import { AppError, type PageRequest } from '@switchboard/contracts';

/**
 * Rows that one page of a list looks at. What a filter or a page number passes over takes time, too, and no list may
 * take more with its length.
 */
export const LOOK_MOST = 5_000;

/** A list in the order in which an index gives its rows, and what only a look at each row can tell. */
export interface LookThrough {
  /**
   * `SELECT … FROM … WHERE …`: conditions that one index serves, the cursor among them. The columns are those that the
   * page shows, that `matches` names and that the list is ordered by.
   */
  rows: string;
  /** Columns and directions of that index, from its first column on. */
  order: string;
  /** The column by which a cursor says where it stands: the last one of the order. */
  key: string;
  /** A condition that no index serves; none when absent. */
  matches?: string;
}

/** What each row of `lookThrough` says beside its columns. */
export interface SeenRow {
  /** Set in a last row that is not shown: the look ended here, after the row of this key. */
  cutOffAt: string | number | null;
}

const looked = ({ rows, order, matches = 'true' }: LookThrough): string =>
  `(SELECT *, COALESCE(${matches}, false) AS fits FROM (${rows} ORDER BY ${order} LIMIT ${LOOK_MOST + 1}) AS found) AS looked`;

/**
 * The SQL of one page: rows that match, after so many of them, until the page is full or `LOOK_MOST` rows were looked
 * at; in the latter case one more row, which tells where. The rows are called `seen`.
 * @param options.columns what is given of `seen`
 * @param options.joins to what belongs to a row; must not lose one
 */
export function lookThrough(
  list: LookThrough,
  { offset, take, columns, joins = '' }: { offset: number; take: number; columns: string; joins?: string },
): string {
  const { order, key } = list;
  return `
    SELECT ${columns}, "cutOffAt" FROM (
      SELECT * FROM (
        SELECT *, fits AND count(*) FILTER (WHERE fits) OVER (way ROWS UNBOUNDED PRECEDING) > ${offset} AS fills,
          CASE row_number() OVER way WHEN ${LOOK_MOST + 1} THEN lag(${key}) OVER way END AS "cutOffAt"
        FROM ${looked(list)} WINDOW way AS (ORDER BY ${order})
      ) AS passed
      WHERE fills OR "cutOffAt" IS NOT NULL ORDER BY ${order} LIMIT ${take}
    ) AS seen ${joins}
    ORDER BY ${order.replaceAll(/\w+/g, (word) => (/^(ASC|DESC)$/.test(word) ? word : `seen.${word}`))}`;
}

/**
 * The SQL that counts the rows that match, up to one above `most` of them, and says whether it looked at fewer rows
 * than there are.
 */
export function lookThroughCount(list: LookThrough, most: number): string {
  return `
    SELECT count(*) FILTER (WHERE place <= ${LOOK_MOST})::int AS total, count(*) FILTER (WHERE place > ${LOOK_MOST}) > 0 AS "isCutOff" FROM (
      SELECT place FROM (SELECT *, row_number() OVER (ORDER BY ${list.order}) AS place FROM ${looked(list)}) AS passed
      WHERE fits OR place > ${LOOK_MOST} ORDER BY ${list.order} LIMIT ${most + 1}
    ) AS counted`;
}

/** The rows of a page that a look through its list gave, and where the look ended early. */
export interface Seen<Row> {
  rows: Row[];
  /** The key of the last row that was looked at; null when the page is full or the list has ended. */
  cutOffAt: string | null;
}

/** @throws AppError INVALID_VALUE when the page begins behind what a page number can reach */
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
 * For a list that is read without a look through it.
 * @param rows what was found for the page
 * @throws AppError INVALID_VALUE when the page exists and begins behind what a page number can reach
 */
export function refuseTooDeep(
  { page, limit, cursor }: Pick<PageRequest, 'page' | 'limit' | 'cursor'>,
  rows: readonly unknown[],
): void {
  if (cursor === undefined && (page - 1) * limit >= LOOK_MOST && rows.length > 0) throw tooDeep(page);
}

function tooDeep(page: number): AppError {
  const message = `page ${page} lies too deep: page numbers reach what is found among the first ${LOOK_MOST} items; follow nextCursor from an earlier page`;
  return new AppError('INVALID_VALUE', { message, details: [{ field: 'page', message }] });
}
