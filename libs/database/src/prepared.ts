import type { DataSource } from 'typeorm';
import { type Params, prepared, sendAlone, sendTogether, statementOf, withConnection } from './connection';
import { answered } from './outcome';

/**
 * Rows of a hot statement, outside a transaction: prepared, and without TypeORM's bookkeeping around it. For a fixed
 * set of texts only, which list their columns; every connection keeps the plan of each.
 */
export async function preparedQuery<Row>(dataSource: DataSource, sql: string, params?: Params): Promise<Row[]> {
  return (await answered(sql, sendAlone(dataSource, prepared(dataSource, sql, params)))).rows as Row[];
}

/**
 * Rows of several hot statements, as for `preparedQuery`, for one trip to the database. No transaction: each sees what
 * was committed before it.
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
 * Rows of several hot statements, as for `preparedQuery`, for one trip to the database, in a transaction: each sees
 * what those before it did, and all of them happen or none.
 * @throws OutcomeUnknownError when nobody can say whether it was committed
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
 * For the transaction. Left to itself the server plans a statement over partitions anew with every call, even a
 * prepared one, since it expects less of a plan for any values; that takes several times as long as the statement. A
 * plan that was made while a month was empty would read the month from end to end, until the server gathers statistics:
 * hot statements find their rows by keys.
 */
export const PLAN_ONCE =
  "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)";

/**
 * Like `preparedQuery`, for a hot statement over partitions, in a transaction of its own. One that the server ends
 * because of a deadlock is tried again.
 */
export function plannedOnceQuery<Row>(dataSource: DataSource, sql: string, params?: Params): Promise<Row[]> {
  const asked = againAfterDeadlock(() =>
    withConnection(dataSource, async (client) => {
      const answers = await sendTogether(client, [
        { text: `BEGIN; ${PLAN_ONCE}` },
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

/**
 * Of two transactions that wait for each other the server rolls one back as a whole, and the other goes on: what was
 * rolled back can begin anew.
 */
async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES || (error as { code?: unknown }).code !== DEADLOCK) throw error;
    }
  }
}

/**
 * For the transaction. A look through a list goes along one index until it has enough. Left to itself the planner reads
 * all that matches and sorts it, when it takes an account for a small one; and it goes along the key of a table, when
 * it expects most rows there to be the account's, and passes over all that others have added since. Here it knows
 * orders alone, and counts nothing but rows.
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

/**
 * Rows of a statement of `lookThrough` or `lookThroughCount`, which is planned for its values, in a transaction of its
 * own.
 */
export function lookQuery<Row>(dataSource: DataSource, sql: string, params?: Params): Promise<Row[]> {
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
