import type { DataSource } from 'typeorm';
import { type Params, prepared, sendAlone, sendTogether, statementOf, withConnection } from './connection';
import { answered } from './outcome';

/**
 * Runs a hot statement outside a transaction, prepared and without TypeORM's overhead. Every connection keeps the plan
 * of each statement, so use it only for a fixed set of texts, which must list their columns.
 */
export async function preparedQuery<Row>(dataSource: DataSource, sql: string, params?: Params): Promise<Row[]> {
  return (await answered(sql, sendAlone(dataSource, prepared(dataSource, sql, params)))).rows as Row[];
}

/**
 * Runs several hot statements in one round trip, each prepared as by `preparedQuery`. There is no transaction, so each
 * statement sees what was committed before it.
 */
export function preparedQueries(
  dataSource: DataSource,
  statements: readonly (readonly [sql: string, params: Params])[],
): Promise<unknown[][]> {
  const asked = withConnection(dataSource, async (client) => {
    const answers = await sendTogether(
      client,
      statements.map(([sql, params]) => prepared(dataSource, sql, params)),
    );
    return answers.map(({ rows }) => rows);
  });
  return answered(statements.map(([sql]) => sql).join('\n'), asked);
}

/**
 * Runs several hot statements in one round trip and one transaction, each prepared as by `preparedQuery`.
 * @throws OutcomeUnknownError when it is unknown whether the transaction was committed
 */
export function preparedTransaction(
  dataSource: DataSource,
  statements: readonly (readonly [sql: string, params: Params])[],
): Promise<unknown[][]> {
  const asked = withConnection(dataSource, async (client) => {
    const answers = await sendTogether(client, [
      { text: 'BEGIN' },
      ...statements.map(([sql, params]) => prepared(dataSource, sql, params)),
      { text: 'COMMIT' },
    ]);
    return answers.slice(1, -1).map(({ rows }) => rows);
  });
  return answered(statements.map(([sql]) => sql).join('\n'), asked);
}

/**
 * Settings of a transaction that forces generic plans. By default the server replans a statement over partitions at
 * every call, even a prepared one, because it overestimates the cost of generic plans. Planning takes several times as
 * long as the statement. Sequential scans are disabled, because a plan made for an empty month would scan the whole
 * month until statistics are updated. Hot statements find their rows by key.
 */
export const GENERIC_PLAN =
  "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)";

/**
 * Runs a hot statement over partitions in its own transaction, as `preparedQuery` does. Retries it after a deadlock.
 */
export function genericPlanQuery<Row>(dataSource: DataSource, sql: string, params?: Params): Promise<Row[]> {
  const asked = againAfterDeadlock(() =>
    withConnection(dataSource, async (client) => {
      const answers = await sendTogether(client, [
        { text: `BEGIN; ${GENERIC_PLAN}` },
        prepared(dataSource, sql, params),
        { text: 'COMMIT' },
      ]);
      return (answers[1]?.rows ?? []) as Row[];
    }),
  );
  return answered(sql, asked);
}

const DEADLOCK = '40P01';
const TRIES = 4;

/** Retries work that the server rolled back because of a deadlock. */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES || (error as { code?: unknown }).code !== DEADLOCK) throw error;
    }
  }
}

/**
 * Settings of a transaction that forces scans in index order. A bounded scan reads one index until it has enough rows.
 * By default the planner reads and sorts all matching rows when it considers an account small. When it expects most
 * rows of a table to belong to the account, it scans the primary key and skips all rows that other accounts have added
 * since. These settings allow only index order and base the cost on row counts.
 */
const IN_INDEX_ORDER = [
  ...['sort', 'incremental_sort', 'bitmapscan', 'seqscan', 'hashjoin', 'mergejoin'].map(
    (path) => `enable_${path} = off`,
  ),
  'seq_page_cost = 0',
  'random_page_cost = 0',
  'jit = off',
]
  .map((setting) => `SET LOCAL ${setting}`)
  .join('; ');

/** Runs a statement of `boundedScan` or `boundedCount` in its own transaction, planned for its values. */
export function scanQuery<Row>(dataSource: DataSource, sql: string, params?: Params): Promise<Row[]> {
  const asked = withConnection(dataSource, async (client) => {
    const answers = await sendTogether(client, [
      { text: `BEGIN READ ONLY; ${IN_INDEX_ORDER}` },
      statementOf(dataSource, sql, params),
      { text: 'COMMIT' },
    ]);
    return (answers[1]?.rows ?? []) as Row[];
  });
  return answered(sql, asked);
}
