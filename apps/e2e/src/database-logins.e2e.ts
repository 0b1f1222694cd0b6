import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const HOME = (JSON.parse(process.env.E2E_ENVIRONMENT ?? '{}') as { SWITCHBOARD_HOME: string }).SWITCHBOARD_HOME;
const read = <T>(name: string): T => JSON.parse(readFileSync(join(HOME, name), 'utf8')) as T;
const { url: databaseUrl, suffix: loginSuffix = '' } = read<{ postgres: { url: string; suffix?: string } }>(
  'infra.json',
).postgres;
const { databasePasswords } = read<{ databasePasswords: Record<string, string> }>('secrets.json');
const SERVICES = Object.keys(databasePasswords);
/**
 * Login created by this test. All databases of the server share logins, so its name contains this installation's
 * suffix.
 */
const STRANGER = `sb_stranger${loginSuffix}`;

describe('installation database', () => {
  afterAll(() => asAdmin(`DROP ROLE IF EXISTS ${STRANGER}`));

  it('accepts only logins of services', async () => {
    await asAdmin(`DROP ROLE IF EXISTS ${STRANGER}; CREATE ROLE ${STRANGER} LOGIN PASSWORD 'stranger'`);
    await expect(queryAs(STRANGER, 'stranger', 'SELECT 1')).rejects.toThrow('permission denied for database');
  });

  it.each(SERVICES)('limits the login of %s to its own schema', async (service) => {
    const query = (sql: string) => queryAs(`sb_${service}${loginSuffix}`, databasePasswords[service] ?? '', sql);
    expect((await query(`SELECT name FROM ${service}.migrations`)).rowCount).toBeGreaterThan(0);
    await expect(query('CREATE TEMPORARY TABLE t (id int)')).rejects.toThrow(
      'permission denied to create temporary tables',
    );
    await expect(query('CREATE TABLE public.t (id int)')).rejects.toThrow('permission denied for schema public');
  });
});

async function queryAs(login: string, password: string, sql: string): Promise<pg.QueryResult> {
  const url = new URL(databaseUrl);
  Object.assign(url, { username: login, password });
  return run(url.href, sql);
}

async function asAdmin(sql: string): Promise<void> {
  await run(databaseUrl, sql);
}

async function run(connectionString: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
