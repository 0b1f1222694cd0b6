// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../infra/postgres-login.mjs';
import { ROOT } from '../lib/home.mjs';
import { step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { shellBlocks } from '../lib/shell-blocks.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { newCustomer, openWindows } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { loseEverything } from './lose-everything.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

const PAGE = join(ROOT, 'docs/operations/backup-restore.md');
/** Maximum wait for the archive, longer than `archive_timeout` in the documentation. */
const ARCHIVE_WAIT_MS = 150_000;
const RECOVERY_TIMEOUT_MS = 300_000;
/** Phone whose statuses the simulator delays by 30 s, until all services are stopped or restored. */
const LATE_STATUSES = '15005550114';

/**
 * Proves guarantee 36 of ADR 41 for a point-in-time restore. Executes the shell blocks of
 * docs/operations/backup-restore.md, and so tests that page. Options: the number of responses before the base backup,
 * and again before the recovery point.
 */
export const pointInTime = chaosTest({
  about:
    'loses everything but a base backup and the WAL archive under load, then restores to a point in time; compares work accepted before and after it with the restored data',
  takes: { long: '5 minutes', short: '3 minutes' },
  long: { answers: 600 },
  short: { answers: 80 },
  postgresPrograms: ['pg_basebackup', 'pg_verifybackup', 'psql'],
  async run(installation, { answers }) {
    const { database } = installation;
    const folders = { ARCHIVE: join(database.folder, 'archive'), BACKUPS: join(database.folder, 'backups') };
    const env = { ...folders, PGDATA: database.data, SERVER_URL: database.url };
    const blocks = shellBlocks(readFileSync(PAGE, 'utf8'));
    const runBlock = (/** @type {string} */ text, /** @type {Record<string, string>} */ more = {}) => {
      const block = blocks.find((commands) => commands.includes(text));
      if (block === undefined) throw new Error(`${PAGE} has no commands with ${text}`);
      return database.shell(block, { ...env, ...more });
    };
    await step('archiving is on', async () => {
      await runBlock('archive_mode');
      await restartServer(installation);
      await untilReady(installation, [...SERVICES]);
    });
    const isKept = await loseEverything(installation, answers, await archiveOf(installation, runBlock));
    // The next test on this installation runs without an archive.
    await query(installation, 'ALTER SYSTEM RESET ALL');
    await restartServer(installation);
    return isKept;
  },
});

/**
 * Backs up with a base backup and WAL archiving.
 * @param {Installation} installation
 * @param {(text: string, more?: Record<string, string>) => Promise<string>} runBlock runs the page's shell block that
 * contains a text
 * @returns {Promise<import('./lose-everything.mjs').Backup>}
 */
async function archiveOf(installation, runBlock) {
  const { database } = installation;
  const limits = await startLimits(installation);
  const measured = { walFrom: '', databaseMb: NaN, walMb: NaN, archivedAfterMs: NaN, restoredAfterMs: NaN };
  return {
    name: 'point-in-time',
    loss: 'all but a base backup and the WAL archive was lost',
    promise: 'a base backup and the WAL archive bring back exactly what was accepted before the moment',
    isExact: true,
    async prepare() {
      measured.walFrom = (await query(installation, 'SELECT pg_current_wal_lsn()::text AS value')).value;
      await step('base backup, while it runs', () => runBlock('pg_basebackup'));
    },
    async backUp() {
      await limits.before();
      const moment = Date.now();
      await limits.after();
      return moment;
    },
    async beforeLoss() {
      Object.assign(measured, await sizesOf(installation, measured.walFrom));
      measured.archivedAfterMs = await step('the WAL is archived', () => timed(() => untilArchived(installation)));
    },
    async restore(moment) {
      const restoring = database.replaceData(() =>
        runBlock('recovery.signal', { MOMENT: toText(moment) }).then(() => undefined),
      );
      measured.restoredAfterMs = await step('a new server, at the moment', () =>
        timed(() => recovered(installation, restoring)),
      );
      await runBlock('RESET recovery_target_time');
      await step('a base backup of the new server', () => runBlock('pg_basebackup'));
    },
    async check() {
      return {
        figures: {
          'database, MB': measured.databaseMb,
          'WAL since the base backup, MB': measured.walMb,
          'last commit archived after, s': (measured.archivedAfterMs / 1_000).toFixed(1),
          'restored after, s': (measured.restoredAfterMs / 1_000).toFixed(1),
        },
        unexpected: await limits.check(),
      };
    },
  };
}

/** Waits until the recovering server accepts writes. */
async function recovered(/** @type {Installation} */ installation, /** @type {Promise<void>} */ starting) {
  await starting;
  const isOpen = async () => !(await query(installation, 'SELECT pg_is_in_recovery() AS value')).value;
  await eventually('the recovery to end', isOpen, { timeoutMs: RECOVERY_TIMEOUT_MS });
}

/** Waits until the WAL of the last commit is archived, which happens after `archive_timeout` at the latest. */
async function untilArchived(/** @type {Installation} */ installation) {
  const { value: file } = await query(installation, 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS value');
  const sql = 'SELECT left(last_archived_wal, 24) AS value FROM pg_stat_archiver';
  const isArchived = async () => (await query(installation, sql)).value >= file;
  await eventually(`${file} to be archived`, isArchived, { timeoutMs: ARCHIVE_WAIT_MS });
}

/** @returns {Promise<Record<string, any>>} */
async function sizesOf(/** @type {Installation} */ installation, /** @type {string} */ walFrom) {
  const sql = `SELECT pg_database_size(current_database()) / 1000000 AS "databaseMb",
    round(pg_wal_lsn_diff(pg_current_wal_lsn(), '${walFrom}') / 1000000) AS "walMb"`;
  return query(installation, sql);
}

/** Restarts the database server, which a change of `archive_mode` requires. */
async function restartServer(/** @type {Installation} */ { database }) {
  await database.stop();
  await database.start();
}

/** @returns {Promise<Record<string, any>>} first row */
function query(/** @type {Installation} */ { databaseUrl }, /** @type {string} */ sql) {
  return withClient(databaseUrl, async (client) => (await client.query(sql)).rows[0]);
}

/** Formats a time with a numeric offset, because PostgreSQL's recovery settings do not accept `Z`. */
function toText(/** @type {number} */ moment) {
  return new Date(moment).toISOString().replace('Z', '+00:00');
}

async function timed(/** @type {() => Promise<void>} */ work) {
  const startedAt = Date.now();
  await work();
  return Date.now() - startedAt;
}

/**
 * Exercises the documented limits of a restore before and after the recovery point: sends with idempotency keys,
 * changes of API keys, and a send whose statuses arrive after the restore.
 */
async function startLimits(/** @type {Installation} */ installation) {
  const { ops } = installation;
  const customer = await newCustomer(installation, 'point-in-time-limits');
  await openWindows(installation, customer, [LATE_STATUSES]);
  const createKey = (/** @type {string} */ name) =>
    ops('keys', 'create', '--account', customer.accountId, '--name', name);
  const revoked = await createKey('revoked after the moment');
  const send = (/** @type {string} */ idempotencyKey) => sendOnce(installation, { ...customer, idempotencyKey });
  const mustSend = async (/** @type {string} */ idempotencyKey) => {
    const sent = await send(idempotencyKey);
    if (sent.status !== 200) throw new Error(`the send ${idempotencyKey} returned ${sent.status}`);
    return sent;
  };
  const noted = { earlier: '', later: '', unknown: '', created: '' };
  return {
    async before() {
      noted.earlier = (await mustSend('earlier')).id;
    },
    async after() {
      const { id, upstreamId } = await mustSend('later');
      Object.assign(noted, { later: id, unknown: upstreamId });
      await ops('keys', 'revoke', '--key', revoked['id']);
      noted.created = (await createKey('created after the moment'))['apiKey'];
    },
    /** @returns {Promise<string[]>} differences from the documentation */
    async check() {
      const sql = `SELECT count(*)::int AS value FROM messaging.parked_statuses WHERE upstream_id = '${noted.unknown}'`;
      const areStored = async () => (await query(installation, sql)).value > 0;
      const areUnknown = await eventually('the late statuses', areStored, { timeoutMs: 60_000 }).catch(() => false);
      const { queues } = await ops('dead-letters', 'list');
      const [earlier, later] = [await send('earlier'), await send('later')];
      const statusOf = (/** @type {string} */ apiKey) => getMessages(installation, apiKey);
      const [ofRevoked, ofCreated] = [await statusOf(revoked['apiKey']), await statusOf(noted.created)];
      return [
        !areUnknown && `the late statuses of ${noted.unknown} are not stored as those of an unknown message`,
        queues.length > 0 && `dead letters: ${JSON.stringify(queues)}`,
        earlier.id !== noted.earlier && `an idempotency key from before the moment returned ${JSON.stringify(earlier)}`,
        (later.status !== 200 || later.id === noted.later) &&
          `an idempotency key from after the moment returned ${JSON.stringify(later)}`,
        ofRevoked !== 200 && `an API key that was revoked after the moment returned ${ofRevoked}`,
        ofCreated !== 401 && `an API key that was created after the moment returned ${ofCreated}`,
      ].filter((text) => text !== false);
    },
  };
}

/** @returns {Promise<{ status: number, id: string, upstreamId: string }>} */
async function sendOnce(
  /** @type {Installation} */ { baseUrl },
  /** @type {{ apiKey: string, idempotencyKey: string }} */ { apiKey, idempotencyKey },
) {
  const response = await fetch(`${baseUrl}/messages/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ to: LATE_STATUSES, type: 'text', text: { body: idempotencyKey } }),
  });
  const { id = '', message_id: upstreamId = '' } = /** @type {{ id?: string, message_id?: string }} */ (
    await response.json()
  );
  return { status: response.status, id, upstreamId };
}

async function getMessages(/** @type {Installation} */ { baseUrl }, /** @type {string} */ apiKey) {
  const { status } = await fetch(`${baseUrl}/messages?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } });
  return status;
}
