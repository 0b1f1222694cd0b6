import { AppError } from '@switchboard/contracts';
import type { SealState, SecretBox, SecretPlace } from '@switchboard/platform';
import type { DataSource } from 'typeorm';
import { query } from './transactions';

/** Column with encrypted values. Its SQL comes from code, never from input. */
export interface SealedColumn {
  table: string;
  column: string;
  /** SQL expression that identifies a row of the table. */
  row: string;
  /** Returns the context that the value of a row is bound to, which its other readers and writers also use. */
  place: (row: string) => SecretPlace;
  /** SQL condition for rows that may hold a value, to allow the use of an index; absent for all rows. */
  only?: string;
}

/** Number of a column's values by the key needed to decrypt them. */
export interface SealedCount {
  column: string;
  current: number;
  previous: number;
  withoutKeyId: number;
  unknown: number;
}

export interface ResealedStep {
  resealed: number;
  /** Rows that no key can decrypt. They remain unchanged. */
  unreadable: string[];
  /** Last scanned row; absent when no more rows remain. */
  next?: string;
}

type Runner = Pick<DataSource, 'query'>;

const COUNTED: Record<SealState, Exclude<keyof SealedCount, 'column'>> = {
  current: 'current',
  previous: 'previous',
  none: 'withoutKeyId',
  unknown: 'unknown',
};

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

/** Counts encrypted values by the key needed to decrypt them, without decrypting any. */
export function countSealed(
  dataSource: DataSource,
  box: SecretBox,
  columns: readonly SealedColumn[],
): Promise<SealedCount[]> {
  return Promise.all(
    columns.map(async (sealed) => {
      // The part before the payload identifies the key. In the first format it is only the version.
      const sql = `SELECT regexp_replace(${sealed.column}, '[^.]*$', '') AS head, count(*)::int AS count
        FROM ${sealed.table} WHERE ${filledRows(sealed)} GROUP BY 1`;
      const rows = await query<{ head: string; count: number }>(dataSource, sql);
      const counts: SealedCount = { column: nameOf(sealed), current: 0, previous: 0, withoutKeyId: 0, unknown: 0 };
      for (const { head, count } of rows) counts[COUNTED[box.stateOf(head)]] += count;
      return counts;
    }),
  );
}

/**
 * Re-encrypts up to `limit` values of a column that were encrypted with another key than the current one. Idempotent.
 * @param step.column name of the column, as in `countSealed`
 * @param step.after last row of the previous step
 * @throws AppError NOT_FOUND for an unknown column
 */
export async function resealColumn(
  dataSource: DataSource,
  box: SecretBox,
  columns: readonly SealedColumn[],
  { column, ...step }: { column: string; after?: string; limit: number },
): Promise<ResealedStep> {
  const sealed = columns.find((each) => nameOf(each) === column);
  if (!sealed) throw new AppError('NOT_FOUND');
  return resealStep(dataSource, box, sealed, step);
}

/**
 * Re-encrypts up to `limit` values that were encrypted with another key than the current one, in row order. One
 * statement writes all of them, but skips values that have changed since they were read. Can be repeated after an
 * interruption.
 * @param after last row of the previous step
 */
async function resealStep(
  dataSource: Runner,
  box: SecretBox,
  sealed: SealedColumn,
  { after = '', limit }: { after?: string; limit: number },
): Promise<ResealedStep> {
  const { table, column, row } = sealed;
  const find = `SELECT ${row} AS row, ${column} AS sealed FROM ${table}
    WHERE ${filledRows(sealed)} AND NOT starts_with(${column}, $1) AND (${row}) COLLATE "C" > $2
    ORDER BY (${row}) COLLATE "C" LIMIT $3`;
  const found: { row: string; sealed: string }[] = await dataSource.query(find, [box.currentHead, after, limit]);
  const unreadable: string[] = [];
  const renewed = found.flatMap((value) => {
    try {
      return [{ ...value, resealed: box.reseal(value.sealed, sealed.place(value.row)) }];
    } catch {
      unreadable.push(value.row); // Counted, and listed to the operator.
      return [];
    }
  });
  const write = `
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS given (row_name, before, after)
    ), locked AS MATERIALIZED (
      SELECT ${row} AS row_name FROM ${table} WHERE ${filledRows(sealed)} AND ${row} IN (SELECT row_name FROM given)
        ORDER BY 1 FOR UPDATE
    ), written AS (
      UPDATE ${table} SET ${column} = given.after FROM given JOIN locked USING (row_name)
      WHERE ${row} = given.row_name AND ${column} = given.before RETURNING 1
    )
    SELECT count(*)::int AS resealed FROM written`;
  const columns = [
    renewed.map((value) => value.row),
    renewed.map((value) => value.sealed),
    renewed.map(({ resealed }) => resealed),
  ];
  const [{ resealed } = { resealed: 0 }]: { resealed: number }[] =
    renewed.length === 0 ? [] : await dataSource.query(write, columns);
  return { resealed, unreadable, next: found.length === limit ? found.at(-1)?.row : undefined };
}

function filledRows({ column, only }: SealedColumn): string {
  return `${column} IS NOT NULL AND ${column} <> ''${only === undefined ? '' : ` AND ${only}`}`;
}
