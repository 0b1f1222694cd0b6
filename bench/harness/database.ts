import { randomBytes } from 'node:crypto';
import { runMigrations } from '@switchboard/database';
import pg from 'pg';

export type ServiceTables = Pick<Parameters<typeof runMigrations>[0], 'schema' | 'migrations'>;

/** Creates a separate database with the tables of one service. @returns its URL */
export async function createBenchDatabase(serverUrl: string, { schema, migrations }: ServiceTables): Promise<string> {
  const name = `sb_bench_${randomBytes(6).toString('hex')}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await withClient(url, (client) => client.query(`CREATE SCHEMA ${schema}`));
  await runMigrations({ schema, migrations, config: { DATABASE_URL: url } });
  return url;
}

export async function dropBenchDatabase(serverUrl: string, url: string): Promise<void> {
  await withClient(serverUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
  );
}

export async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
