import pg from 'pg';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorEnvironment } from './installation';

/** Runs a statement in the gateway's schema, to skip waits of up to an hour. */
export async function gatewaySql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: operatorEnvironment['DATABASE_URL'],
    options: '-c search_path=gateway',
  });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Runs statements in the schemas of all services. */
export async function withDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const home = (JSON.parse(process.env.E2E_ENVIRONMENT ?? '{}') as { SWITCHBOARD_HOME: string }).SWITCHBOARD_HOME;
  const { postgres } = JSON.parse(readFileSync(join(home, 'infra.json'), 'utf8')) as { postgres: { url: string } };
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Counts the rows of an account in every table of every service. */
export function rowsOfAccount(accountId: string): Promise<Record<string, number>> {
  return withDatabase(async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
       WHERE column_name = 'account_id' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${name} WHERE account_id = $1`,
        [accountId],
      );
      counts[name] = rows[0]?.count ?? 0;
    }
    return counts;
  });
}
