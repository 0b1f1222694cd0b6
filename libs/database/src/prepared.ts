import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** One name per text: the server plans it once per connection instead of with every call. */
const names = new Map<string, string>();

/**
 * Rows of a hot statement, outside a transaction: prepared, and without TypeORM's bookkeeping around it. For a fixed set of texts only,
 * which list their columns; every connection keeps the plan of each.
 */
export async function preparedQuery<Row>(dataSource: DataSource, sql: string, params: unknown[] = []): Promise<Row[]> {
  const name = names.get(sql) ?? `statement_${names.size + 1}`;
  names.set(sql, name);
  const { rows } = await poolOf(dataSource).query<Row & object>({ name, text: sql, values: params });
  return rows;
}

/** TypeORM's own pool, so that there is one bound on connections. */
function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { master: Pool }).master;
}
