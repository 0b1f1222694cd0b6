import { type ConfigOf, secret } from '@switchboard/platform';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { z } from 'zod';
import { dataSourceOptions } from './database.module';

/** The settings of a migration command. */
export const migrationFields = {
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }).describe("PostgreSQL address with the service's own login")),
  DATABASE_ADMIN_URL: secret(
    z
      .url({ protocol: /^postgres(ql)?$/ })
      .optional()
      .describe("PostgreSQL address of a login that may create roles and schemas; when given, the service's login and schema are made first"),
  ),
} as const;

export interface MigrationOptions {
  schema: string;
  migrations: readonly (new () => MigrationInterface)[];
  config: { DATABASE_URL: string; DATABASE_ADMIN_URL?: string };
}

/** Two migration commands of one service wait for each other (any constant will do). */
const MIGRATION_LOCK = 7_203_551;

/**
 * Brings one service's schema up to date; doing it again changes nothing.
 * @returns the names of the migrations that ran
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
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}

/** The body of an app's migrate command: runs, says what ran, exits. */
export async function migrateAndExit(options: MigrationOptions): Promise<never> {
  try {
    const ran = await runMigrations(options);
    process.stdout.write(`${options.schema}: ${ran.length === 0 ? 'up to date' : `ran ${ran.join(', ')}`}\n`);
    return process.exit(0);
  } catch (error) {
    process.stderr.write(`${options.schema}: migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(1);
  }
}

/** Makes the login of the service's DATABASE_URL and a schema that it owns. */
async function prepareSchema(schema: string, adminUrl: string, serviceUrl: string): Promise<void> {
  const login = new URL(serviceUrl);
  const role = decodeURIComponent(login.username);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('BEGIN');
    await admin.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const { rowCount } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    const password = pg.escapeLiteral(decodeURIComponent(login.password));
    await admin.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${password}`);
    await admin.query(`GRANT ${pg.escapeIdentifier(role)} TO CURRENT_USER`);
    await admin.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)} AUTHORIZATION ${pg.escapeIdentifier(role)}`);
    await admin.query('COMMIT');
  } finally {
    await admin.end();
  }
}

export type MigrationConfig = ConfigOf<{ owner: string; fields: typeof migrationFields }>;
