import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { testDatabaseUrl } from './environment';

export interface TestDatabase {
  /** Address of the new database, with a login that may do anything in it. */
  url: string;
  dataSource: DataSource;
  drop(): Promise<void>;
}

/** A fresh database for one test file, with one service's schema brought up to date. */
export async function createTestDatabase(schema: string, migrations: readonly (new () => MigrationInterface)[]): Promise<TestDatabase> {
  const { url, drop } = await createEmptyDatabase();
  await runSql(url, `CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    // As the services connect.
    extra: { options: `-c search_path=${schema}`, pipeline: true },
  });
  await dataSource.initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  return {
    url,
    dataSource,
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await drop();
    },
  };
}

/** A fresh database without any schema of ours. */
export async function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `sb_test_${randomBytes(6).toString('hex')}`;
  await runSql(testDatabaseUrl(), `CREATE DATABASE ${name} TEMPLATE template0`);
  await runSql(testDatabaseUrl(), `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => runSql(testDatabaseUrl(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
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
