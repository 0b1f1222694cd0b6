import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { databasePrefix, testDatabaseUrl } from './environment';

export interface TestDatabase {
  /** Address of the new database, with a login that has all privileges in it. */
  url: string;
  dataSource: DataSource;
  /** Closes the connections and schedules the drop of the database without waiting for it. */
  drop(): Promise<void>;
}

/** Pending drops of this process. They run one at a time, to leave server time for the tests. */
let dropping = Promise.resolve();

/**
 * Creates a database for one test file, with the migrated schema of one service.
 * @param entities entities for the test's own repositories
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
      // Remaining databases are dropped at the end of the run.
      dropping = dropping.then(drop).catch(() => undefined);
    },
  };
}

/** Creates a database without any service schema. */
export const createEmptyDatabase = (): Promise<{ url: string; drop: () => Promise<void> }> =>
  createDatabase('template0');

type Migration = new () => MigrationInterface;
type EntityClass = new () => object;

const templates = new Set<string>();

/**
 * Returns the name of a migrated template database, of which test files use copies. Each run migrates once, because a
 * migration takes ten times as long as a copy. The first test file creates the template, under a temporary name until
 * it is complete, and the others wait.
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

/**
 * Returns a template name that is unique to this run and to the content of the migrations, because test files may use
 * the same names for different migrations.
 */
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
  // Use the same options as the services.
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
