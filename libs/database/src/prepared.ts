import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** One name per text: the server plans it once per connection instead of with every call. */
const names = new Map<string, string>();

/**
 * Rows of a hot statement, outside a transaction: prepared, and without TypeORM's bookkeeping around it. For a fixed set of texts only,
 * which list their columns; every connection keeps the plan of each.
 */
export async function preparedQuery<Row>(dataSource: DataSource, sql: string, params: unknown[] = []): Promise<Row[]> {
  const { rows } = await poolOf(dataSource).query<Row & object>(prepared(sql, params));
  return rows;
}

/**
 * For the transaction. Left to itself the server plans a statement over partitions anew with every call, even a prepared one, since
 * it expects less of a plan for any values; that takes several times as long as the statement.
 */
export const PLAN_ONCE = 'SET LOCAL plan_cache_mode = force_generic_plan';

/** Like `preparedQuery`, for a hot statement over partitions, in a transaction of its own. */
export async function plannedOnceQuery<Row>(dataSource: DataSource, sql: string, params: unknown[] = []): Promise<Row[]> {
  const client = await poolOf(dataSource).connect();
  client.on('error', ignore);
  try {
    await client.query(`BEGIN; ${PLAN_ONCE}`);
    const { rows } = await client.query<Row & object>(prepared(sql, params));
    await client.query('COMMIT');
    giveBack(client);
    return rows;
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => giveBack(client),
      // It cannot do even that: it is closed.
      (failure: Error) => giveBack(client, failure),
    );
    throw error;
  }
}

function giveBack(client: PoolClient, failure?: Error): void {
  client.off('error', ignore);
  client.release(failure);
}

/** A connection that breaks fails its statement, too, and nobody else may be listening. */
function ignore(): void {}

function prepared(sql: string, params: unknown[]): { name: string; text: string; values: unknown[] } {
  const name = names.get(sql) ?? `statement_${names.size + 1}`;
  names.set(sql, name);
  return { name, text: sql, values: params };
}

/** TypeORM's own pool, so that there is one bound on connections. */
function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { master: Pool }).master;
}
