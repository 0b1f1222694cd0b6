// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withClient } from '../infra/postgres-login.mjs';
import { signal } from '../lib/processes.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

const MOST_TRIES = 400;
const DEADLOCK = '40P01';
const DEADLOCK_TRIES = 10;
/**
 * Statement timeout. A suspended session may block the query that suspends sessions; it is then resumed for a moment
 * and suspended again.
 */
const LOOK_TIMEOUT_MS = 500;
/** Time within which the services notice that their sessions ended. */
const SESSIONS_END_MS = 300;

/**
 * Suspends the server processes of all current service sessions, so that these go silent while new sessions work.
 * Suspends a process only while it waits for its client, because one suspended mid-statement may hold a server-wide
 * lock and block everything.
 * @param {Installation} installation
 * @param {readonly string[]} services
 * @returns {Promise<number[]>} process ids
 */
export async function silenceSessions({ databaseUrl }, services) {
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: LOOK_TIMEOUT_MS });
  await client.connect();
  const stopped = [];
  try {
    const logins = services.map((service) => `sb_${service}`);
    const { rows } = await client.query(
      'SELECT pid FROM pg_stat_activity WHERE usename = ANY($1) AND datname = current_database()',
      [logins],
    );
    for (const { pid } of rows) if (await silence(client, pid)) stopped.push(pid);
    return stopped;
  } catch (error) {
    letSpeak(stopped);
    throw error;
  } finally {
    await client.end();
  }
}

/** Resumes silent sessions, which then process the statements received meanwhile. */
export function letSpeak(/** @type {readonly number[]} */ pids) {
  for (const pid of pids) signal(pid, 'SIGCONT');
}

/** @returns {Promise<boolean>} false when the session has already ended */
async function silence(/** @type {pg.Client} */ client, /** @type {number} */ pid) {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    signal(pid, 'SIGSTOP');
    const look = client.query(
      "SELECT coalesce(wait_event, '') = 'ClientRead' AS waits FROM pg_stat_activity WHERE pid = $1",
      [pid],
    );
    const { rows } = await look.catch(() => ({ rows: [{ waits: false }] }));
    if (rows[0]?.waits) return true;
    signal(pid, 'SIGCONT');
    if (rows.length === 0) return false;
    await delay(1 + (tries % 7));
  }
  throw new Error(`the session of process ${pid} never waited for its client`);
}

/**
 * @typedef {{ name: string, begin(): Promise<void>, end(): Promise<void> }} Refusal temporary fault in which the server
 * rejects writes
 */

/**
 * Simulates a full disk with triggers that fail every insert and update with PostgreSQL's error 53100, because a full
 * disk would affect the whole machine. Creates them inactive before the load starts, because creating them takes locks.
 */
const PREPARE_DISK = `
  CREATE SCHEMA faults;
  CREATE TABLE faults.disk (is_full boolean NOT NULL);
  INSERT INTO faults.disk VALUES (false);
  CREATE FUNCTION faults.write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    IF (SELECT is_full FROM faults.disk) THEN RAISE 'could not extend file: No space left on device'
      USING ERRCODE = 'disk_full'; END IF;
    RETURN NEW;
  END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables t JOIN pg_class c
      ON c.oid = format('%I.%I', schemaname, tablename)::regclass
      WHERE tableowner LIKE 'sb\\_%' AND NOT c.relispartition
    LOOP EXECUTE format('CREATE TRIGGER disk BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION faults.write()', name); END LOOP;
  END $$`;

/**
 * Prepares faults in which the server accepts no writes.
 * @returns {Promise<{ all: Refusal[], remove(): Promise<void> }>} `remove`: ends the faults and drops everything
 * created for them
 */
export async function prepareRefusals(/** @type {Installation} */ { databaseUrl, database }) {
  const name = new URL(databaseUrl).pathname.slice(1);
  // Connect to another database, because a read-only database cannot change its own settings.
  const server = (/** @type {string} */ sql) => withClient(database.url, (client) => client.query(sql));
  const setFull = (/** @type {boolean} */ isFull) =>
    withClient(databaseUrl, (client) => client.query(`UPDATE faults.disk SET is_full = ${isFull}`));
  const sessions = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`;
  const promote = () => server(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  const change = (/** @type {string} */ sql) =>
    withClient(databaseUrl, (client) => undisturbed(() => client.query(sql)));
  await change(PREPARE_DISK);
  const demoted = {
    name: 'read-only',
    // Simulates a switch to a replica: sessions end, and new ones reach a read-only server.
    async begin() {
      await server(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await server(sessions);
      await delay(SESSIONS_END_MS);
    },
    async end() {
      await promote();
    },
  };
  const full = {
    name: 'disk full',
    begin: async () => void (await setFull(true)),
    end: async () => void (await setFull(false)),
  };
  const remove = async () => {
    await promote();
    await change('DROP SCHEMA faults CASCADE');
  };
  return { all: [demoted, full], remove };
}

/**
 * Retries `work` after a deadlock. DDL locks on many tables may conflict with a busy service, and PostgreSQL then rolls
 * one of the two back.
 */
async function undisturbed(/** @type {() => Promise<unknown>} */ work) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === DEADLOCK_TRIES || /** @type {{ code?: string }} */ (error).code !== DEADLOCK) throw error;
    }
  }
}
