import { randomBytes } from 'node:crypto';
import { runMigrations } from '@switchboard/database';
import pg from 'pg';
import { migrations } from '../apps/jobs/src/migrations';

/** A database of the benchmark's own with the jobs schema. @returns its address */
export async function prepareDatabase(serverUrl: string): Promise<string> {
  const name = `sb_bench_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await runSql(url, 'CREATE SCHEMA jobs');
  await runMigrations({ schema: 'jobs', migrations, config: { DATABASE_URL: url } });
  return url;
}

export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  await runSql(serverUrl, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
