// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withClient } from '../infra/postgres-login.mjs';
import { signal } from '../lib/processes.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

const MOST_TRIES = 400;
/** PostgreSQL's code for it. */
const DEADLOCK = '40P01';
const DEADLOCK_TRIES = 10;
/**
 * A session that was stopped in the middle of something can hold up this look: then it goes on for a moment and is
 * stopped again.
 */
const LOOK_TIMEOUT_MS = 500;
/** After this the services know that their sessions have ended. */
const SESSIONS_END_MS = 300;

/**
 * Stops the server's processes behind all sessions that services have now: they go silent, while new sessions work.
 * Each is stopped when it waits for its client, inside a transaction or not: one that is stopped in the middle of a
 * statement may hold a lock of the whole server, and then nothing works.
 * @param {Installation} installation
 * @param {readonly string[]} services
 * @returns {Promise<number[]>} the processes
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

/** Lets silent sessions go on: what their clients said meanwhile they do now. */
export function letSpeak(/** @type {readonly number[]} */ pids) {
  for (const pid of pids) signal(pid, 'SIGCONT');
}

/** @returns {Promise<boolean>} false when the session has ended by itself */
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

/** @typedef {{ name: string, begin(): Promise<void>, end(): Promise<void> }} Refusal a server that takes no writes, for a while */

/**
 * A full disk is one for the whole machine, so triggers stand in for it: they answer every row that is added or changed
 * as PostgreSQL does then (53100). They are made before the load comes, since that takes locks, and refuse nothing yet.
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
 * Ways in which a server takes no writes.
 * @returns {Promise<{ all: Refusal[], remove(): Promise<void> }>} `remove`: ends them, and leaves nothing behind
 */
export async function prepareRefusals(/** @type {Installation} */ { databaseUrl, database }) {
  const name = new URL(databaseUrl).pathname.slice(1);
  // In another database: ours takes no changes of its settings while it is read-only.
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
    // As after a switch to a replica: the sessions end, and new ones lead to a server that takes no writes.
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
 * Locks that a change takes on many tables may cross those of a service that works meanwhile; PostgreSQL then ends one
 * of the two, and nothing of it was done.
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
