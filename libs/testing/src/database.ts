import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { databasePrefix, testDatabaseUrl } from './environment';

export interface TestDatabase {
  /** Address of the new database, with a login that may do anything in it. */
  url: string;
  dataSource: DataSource;
  /** Ends its connections, and has the server drop it: what comes next need not wait for that. */
  drop(): Promise<void>;
}

/** The drops of this process: one at a time, so that the server has time for the tests. */
let dropping = Promise.resolve();

/**
 * A fresh database for one test file, with one service's schema brought up to date.
 * @param entities those that the test's own repositories use
 */
export async function createTestDatabase(
  schema: string,
  migrations: readonly Migration[],
  entities: readonly EntityClass[] = [],
): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(await migratedTemplate(schema, migrations));
  const dataSource = dataSourceOf(url, { schema, migrations, entities });
  await dataSource.initialize();
  return {
    url,
    dataSource,
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      // The run's end drops what this did not.
      dropping = dropping.then(drop).catch(() => undefined);
    },
  };
}

/** A fresh database without any schema of ours. */
export const createEmptyDatabase = (): Promise<{ url: string; drop: () => Promise<void> }> =>
  createDatabase('template0');

type Migration = new () => MigrationInterface;
type EntityClass = new () => object;

/** Those that this process knows to be there. */
const templates = new Set<string>();

/**
 * The name of a database that migrations have run in, from which those of test files are copied: each run of tests
 * migrates once, as that takes ten times as long as a copy. The first file that asks makes it, and others wait; under
 * another name, until it is whole.
 */
async function migratedTemplate(schema: string, migrations: readonly Migration[]): Promise<string> {
  const name = templateNameOf(schema, migrations);
  if (templates.has(name)) return name;
  await withClient(testDatabaseUrl(), async (admin) => {
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    const { url, name: unfinished } = await createDatabase('template0');
    await withClient(url, (client) => client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`));
    const dataSource = dataSourceOf(url, { schema, migrations });
    await dataSource.initialize();
    await dataSource.runMigrations({ transaction: 'each' });
    await dataSource.destroy();
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  });
  templates.add(name);
  return name;
}

/** Of this run, and of what the migrations do: files may call different ones by the same name. */
function templateNameOf(schema: string, migrations: readonly Migration[]): string {
  const content = [schema, ...migrations.map(String)].join('\n');
  return `${databasePrefix()}template_${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
}

function dataSourceOf(
  url: string,
  {
    schema,
    migrations,
    entities = [],
  }: { schema: string; migrations: readonly Migration[]; entities?: readonly EntityClass[] },
): DataSource {
  // The options are those with which the services connect.
  const extra = { options: `-c search_path=${schema}`, pipeline: true };
  return new DataSource({
    type: 'postgres',
    url,
    schema,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    extra,
  });
}

async function createDatabase(template: string): Promise<{ url: string; name: string; drop: () => Promise<void> }> {
  const name = `${databasePrefix()}${randomBytes(6).toString('hex')}`;
  await withClient(testDatabaseUrl(), async (admin) => {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    await admin.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  });
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    name,
    drop: () =>
      withClient(
        testDatabaseUrl(),
        async (admin) => void (await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
      ),
  };
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
