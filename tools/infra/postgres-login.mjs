// @ts-check
import { packagesInstalled } from '../lib/packages.mjs';
import { reasonOf } from './choose.mjs';
/** @typedef {{ ok: true, url: string } | { ok: false, why: string }} Login */

const OLDEST_POSTGRES = 140_000;
/**
 * Default credentials of an unconfigured PostgreSQL, first those of containers and CI services, then of `trust`
 * installations.
 */
const DEFAULT_CREDENTIALS = ['postgres:postgres', 'postgres:', 'postgres:password'];

/**
 * Logs in and checks whether the login may create databases and roles. Never throws.
 * @param {string} url
 * @returns {Promise<Login>}
 */
export async function tryPostgres(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num')::int AS version, rolsuper OR (rolcreatedb AND rolcreaterole) AS "mayCreate" FROM pg_roles WHERE rolname = current_user`,
    );
    const { version, mayCreate } = rows[0];
    if (version < OLDEST_POSTGRES) return refused(`PostgreSQL ${Math.floor(version / 10_000)} is older than 14`);
    if (!mayCreate) return refused('this login may not create databases and logins (CREATEDB, CREATEROLE)');
    return /** @type {Login} */ ({ ok: true, url });
  }).catch((error) => refused(reasonOf(error)));
}

/** Logs in with the first default credentials that a server on this port accepts. */
export async function tryDefaultPostgres(/** @type {number} */ port) {
  let last = /** @type {Login} */ ({ ok: false, why: 'nothing listens there' });
  for (const credentials of DEFAULT_CREDENTIALS) {
    last = await tryPostgres(`postgres://${credentials}@127.0.0.1:${port}/postgres`);
    if (last.ok || /ECONNREFUSED|timeout|terminated/i.test(last.why)) return last;
  }
  return last;
}

/**
 * Ensures that a server has a database of this installation, and returns its admin URL. A database with another
 * installation's marker, or without one, is never touched; the new database then contains the marker in its name.
 * @param {string} adminUrl
 * @param {string} owner marker of this installation
 */
export async function ensureOwnDatabase(adminUrl, owner) {
  const mark = `Switchboard ${owner}`;
  return withClient(maintenanceUrl(adminUrl), async (client) => {
    for (const name of ['switchboard', `switchboard_${owner}`]) {
      const { rows } = await client.query(
        `SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = $1`,
        [name],
      );
      if (rows.length > 0 && rows[0].mark !== mark) continue;
      if (rows.length === 0) await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      if (rows.length === 0) await client.query(`COMMENT ON DATABASE ${name} IS '${mark}'`);
      return withDatabase(adminUrl, name);
    }
    throw new Error(
      `databases named switchboard and switchboard_${owner} exist on this server and are not ours: remove or rename one`,
    );
  });
}

/** Drops this installation's database and logins, if the server has them. */
export async function dropOwnDatabase(/** @type {string} */ databaseUrl, /** @type {string} */ owner) {
  const name = new URL(databaseUrl).pathname.slice(1);
  await withClient(maintenanceUrl(databaseUrl), async (client) => {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_database WHERE datname = $1 AND shobj_description(oid, 'pg_database') = $2`,
      [name, `Switchboard ${owner}`],
    );
    if (rows.length > 0) await client.query(`DROP DATABASE ${client.escapeIdentifier(name)} WITH (FORCE)`);
  });
}

/** Returns the URL with another database. */
export function withDatabase(/** @type {string} */ url, /** @type {string} */ name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * @template T
 * @param {string} url
 * @param {(client: import('pg').Client) => Promise<T>} work
 */
export async function withClient(url, work) {
  await packagesInstalled();
  const { default: pg } = await import('pg'); // import lazily: stopping must work without packages
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000, statement_timeout: 30_000 });
  let lost = /** @type {Error | undefined} */ (undefined);
  client.on('error', (error) => (lost = error)); // the server may stop between two queries; the next one rejects
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw lost ?? error;
  } finally {
    await client.end();
  }
}

/** Returns the URL of a database that every server has, for creating other databases. */
function maintenanceUrl(/** @type {string} */ url) {
  return withDatabase(url, 'postgres');
}

/** @returns {Login} */
function refused(/** @type {string} */ why) {
  return { ok: false, why };
}
