import { secret } from '@switchboard/platform';
import pg from 'pg';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { z } from 'zod';
import { dataSourceOptions } from './database.module';
import { PUBLISH_AGAIN } from './message-tables';

export const migrationFields = {
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }).describe("PostgreSQL URL with the service's own login")),
  DATABASE_ADMIN_URL: secret(
    z
      .url({ protocol: /^postgres(ql)?$/ })
      .optional()
      .describe(
        "PostgreSQL URL of the database owner, who can create roles and schemas. If set, the migration first creates the service's login and schema, and revokes the access of other logins",
      ),
  ),
} as const;

export interface MigrationOptions {
  schema: string;
  migrations: readonly (new () => MigrationInterface)[];
  config: { DATABASE_URL: string; DATABASE_ADMIN_URL?: string };
}

/** Advisory lock that serializes the migration commands of a service. The value is arbitrary. */
const MIGRATION_LOCK = 7_203_551;

/**
 * Migrates one service's schema. The operation is idempotent.
 * @returns the names of the migrations that ran
 * @throws Error for a schema in which only some of the migrations of 0.2.0 ran
 */
export async function runMigrations({ schema, migrations, config }: MigrationOptions): Promise<string[]> {
  if (config.DATABASE_ADMIN_URL) await prepareSchema(schema, config.DATABASE_ADMIN_URL, config.DATABASE_URL);
  const dataSource = new DataSource({
    ...dataSourceOptions({ schema, url: config.DATABASE_URL, poolSize: 2, statementMs: Infinity }),
    migrations: [...migrations],
    migrationsTableName: 'migrations',
  } as ConstructorParameters<typeof DataSource>[0]);
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1, hashtext($2))', [MIGRATION_LOCK, schema]);
    if (config.DATABASE_ADMIN_URL) await allowTemporaryTables(config.DATABASE_ADMIN_URL, config.DATABASE_URL);
    await recordInitialMigration(dataSource, lock);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } finally {
    try {
      // A command that was killed leaves the privilege granted until the next command ends.
      if (config.DATABASE_ADMIN_URL) await forbidTemporaryTables(config.DATABASE_ADMIN_URL, config.DATABASE_URL);
    } finally {
      await lock.release();
      await dataSource.destroy();
    }
  }
}

/**
 * Records the initial migration as run in a schema of 0.2.0. It replaced the migrations up to that release and has the
 * timestamp of the last of them. Their rows remain, so that the migrate command of 0.2.0 finds nothing to run after a
 * rollback.
 * @throws Error for a schema in which only some of them ran
 */
async function recordInitialMigration(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, runner);
  const executed = await executor.getExecutedMigrations();
  const [initial] = dataSource.migrations;
  const [pending] = await executor.getPendingMigrations();
  if (executed.length === 0 || !pending || pending.name !== initial?.constructor.name) return;
  if (!executed.some(({ timestamp }) => timestamp === pending.timestamp))
    throw new Error('only some of the migrations of 0.2.0 ran in this schema: upgrade to 0.2.0 first');
  await executor.insertMigration(pending);
}

/**
 * Moves recently published messages, which a lost broker may have held, back to the service's outbox. Consumers
 * deduplicate those that they have handled. The operation is idempotent.
 * @returns the number of messages
 */
export async function publishAgain(databaseUrl: string, schema: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SET search_path TO ${pg.escapeIdentifier(schema)}`);
    return (await client.query(PUBLISH_AGAIN)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/**
 * Implements an app's migrate command: migrates, prints the migrations and exits. With `--republish`, for an
 * installation that has lost its broker, also republishes the messages that the broker may have held.
 */
export async function migrateAndExit(options: MigrationOptions, args = process.argv.slice(2)): Promise<never> {
  const unknown = args.filter((arg) => arg !== '--republish');
  try {
    if (unknown.length > 0) throw new Error(`there is no option ${unknown.join(' ')}; --republish is one`);
    const ran = await runMigrations(options);
    process.stdout.write(`${options.schema}: ${ran.length === 0 ? 'up to date' : `ran ${ran.join(', ')}`}\n`);
    if (args.includes('--republish')) {
      const count = await publishAgain(options.config.DATABASE_URL, options.schema);
      process.stdout.write(`${options.schema}: ${count} messages will be published again\n`);
    }
    return process.exit(0);
  } catch (error) {
    process.stderr.write(
      `${options.schema}: migration failed: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return process.exit(1);
  }
}

/**
 * Creates the login of the service's DATABASE_URL and a schema that it owns. Only logins of services may use the
 * database, so PUBLIC, which includes every login of the server, may neither connect nor use the shared schema.
 */
async function prepareSchema(schema: string, adminUrl: string, serviceUrl: string): Promise<void> {
  await asAdmin(adminUrl, async (admin) => {
    const { role, name, password } = loginOf(serviceUrl);
    const { rowCount } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    await admin.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${password}`);
    await admin.query(`GRANT ${role} TO CURRENT_USER`);
    await admin.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)} AUTHORIZATION ${role}`);
    const database = await ownDatabase(admin);
    if (database === undefined) return;
    await admin.query(`GRANT CONNECT ON DATABASE ${database} TO ${role}`);
    await admin.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
    const { rowCount: isOwnSchema } = await admin.query(
      "SELECT 1 FROM pg_namespace WHERE nspname = 'public' AND pg_has_role(nspowner, 'USAGE')",
    );
    if (isOwnSchema) await admin.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  });
}

/** Grants the use of temporary tables, which migrations may need. */
function allowTemporaryTables(adminUrl: string, serviceUrl: string): Promise<void> {
  return asAdmin(adminUrl, async (admin) => {
    const database = await ownDatabase(admin);
    if (database !== undefined)
      await admin.query(`GRANT TEMPORARY ON DATABASE ${database} TO ${loginOf(serviceUrl).role}`);
  });
}

/**
 * Revokes the use of temporary tables. A running service needs none, and a stolen login could fill the disk with them.
 */
function forbidTemporaryTables(adminUrl: string, serviceUrl: string): Promise<void> {
  return asAdmin(adminUrl, async (admin) => {
    const database = await ownDatabase(admin);
    if (database !== undefined)
      await admin.query(`REVOKE TEMPORARY ON DATABASE ${database} FROM ${loginOf(serviceUrl).role}`);
  });
}

/** Returns the quoted name of the database; undefined when another role owns it and manages its privileges. */
async function ownDatabase(admin: pg.Client): Promise<string | undefined> {
  const sql =
    "SELECT datname AS name FROM pg_database WHERE datname = current_database() AND pg_has_role(datdba, 'USAGE')";
  const { rows } = await admin.query<{ name: string }>(sql);
  return rows[0] && pg.escapeIdentifier(rows[0].name);
}

/** Returns a service's login, quoted for SQL. */
function loginOf(serviceUrl: string): { name: string; role: string; password: string } {
  const { username, password } = new URL(serviceUrl);
  const name = decodeURIComponent(username);
  return { name, role: pg.escapeIdentifier(name), password: pg.escapeLiteral(decodeURIComponent(password)) };
}

/**
 * Runs one transaction at a time in this database, because two commands must not update the same privileges
 * concurrently.
 */
async function asAdmin(adminUrl: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('BEGIN');
    await admin.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await work(admin);
    await admin.query('COMMIT');
  } finally {
    await admin.end();
  }
}
