// @ts-check
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { unlessGone } from '../lib/json-file.mjs';
import { freeBlock } from '../lib/ports.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { eventually } from '../lib/wait.mjs';
import { withClient } from './postgres-login.mjs';
import { passwordIn, postgresServer, stopPrivatePostgres } from './postgres-private.mjs';
import { startTcpProxy } from './tcp-proxy.mjs';

/** @typedef {import('./postgres-private.mjs').PrivatePostgres} PrivatePostgres */
/** @typedef {Awaited<ReturnType<typeof postgresServer>>} Member */
/**
 * @typedef {object} PostgresPair
 * @property {string} url administrator's URL, through a TCP proxy to the primary
 * @property {PrivatePostgres} primary
 * @property {PrivatePostgres} standby
 * @property {() => Promise<void>} killPrimary kills all processes of the primary
 * @property {(options?: { waitForStandby?: boolean }) => Promise<void>} promote promotes the standby and redirects the
 * proxy to it; a primary that is still running is stopped first. Production has a third server, which then acknowledges
 * commits. A pair has none, so by default commits do not wait for a standby until `rejoin`. With `waitForStandby` they
 * do, as in production with two of three servers down
 * @property {() => Promise<void>} rejoin makes the old primary the synchronous standby, with a fresh copy of the data
 * @property {() => Promise<void>} start starts the stopped servers
 * @property {() => Promise<void>} stop stops both servers and the proxy
 */

/** Number of consecutive ports that a pair needs. */
export const PAIR_PORTS = 3;
const NAMES = ['server-1', 'server-2'];
/** Files that pg_basebackup omits too. WAL is streamed, and the rest is created at each start. */
const NOT_COPIED = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
];
const SYNCHRONOUS = "synchronous_standby_names = 'ANY 1 (standby)'\n";

/**
 * Starts a PostgreSQL primary with a synchronous standby on 127.0.0.1, behind a proxy that replaces CloudNativePG's
 * `-rw` Service. Commits wait for the standby even while it is down, as with `dataDurability: required`. Running
 * servers of an earlier process in this directory are stopped first.
 * @param {{ dir: string, port?: number, programs?: string | undefined, log?: (text: string) => void }} options `port`
 * of the proxy, followed by those of the servers; `programs`: directory of the servers' programs
 * @returns {Promise<PostgresPair>}
 */
export async function startPostgresPair({ dir, port, programs, log = () => undefined }) {
  await stopPostgresPair(dir);
  const first = port ?? (await freeBlock(dir, PAIR_PORTS));
  makeFolder(dir);
  const password = passwordIn(dir);
  const members = await Promise.all(
    pairFolders(dir).map((folder, index) =>
      postgresServer({ dir: folder, port: first + 1 + index, programs, password }),
    ),
  );
  // After a promotion without `rejoin`, both directories may hold a primary's data
  const roleFile = join(dir, 'primary');
  let index = Number(unlessGone(() => readFileSync(roleFile, 'utf8')) ?? 0);
  const primary = () => /** @type {Member} */ (members[index]);
  const standby = () => /** @type {Member} */ (members[1 - index]);
  /** @type {import('./tcp-proxy.mjs').TcpProxy | undefined} */
  let proxy;
  const portOfPrimary = () => [{ port: first + 1 + index }];
  const url = new URL(primary().server.url);
  url.port = String(first);
  const pair = {
    url: url.href,
    get primary() {
      return primary().server;
    },
    get standby() {
      return standby().server;
    },
    killPrimary: () => primary().server.kill9(),
    async promote({ waitForStandby = false } = {}) {
      await primary().server.stop();
      const promoted = standby();
      configure(promoted, waitForStandby ? SYNCHRONOUS : '');
      await query(promoted, 'SELECT pg_reload_conf()');
      await query(promoted, 'SELECT pg_promote()');
      index = 1 - index;
      writeFileSync(roleFile, String(index));
      proxy?.setBackends(portOfPrimary());
      log(`PostgreSQL: ${NAMES[index]} is the primary`);
    },
    async rejoin() {
      await standby().server.stop();
      await cloneTo(primary(), standby());
      await standby().server.start();
      await synchronise(primary());
    },
    async start() {
      proxy ??= await startTcpProxy({ port: first, backends: portOfPrimary() });
      if (primary().isEmpty()) await primary().initialise();
      await primary().server.start();
      if (!isStandby(standby())) return pair.rejoin();
      await standby().server.start();
      await synchronise(primary());
    },
    async stop() {
      await Promise.all(members.map(({ server }) => server.stop()));
      await proxy?.close();
      proxy = undefined;
    },
  };
  try {
    await pair.start();
  } catch (error) {
    await pair.stop();
    throw error;
  }
  return pair;
}

/** Returns the directories of the two servers. */
export function pairFolders(/** @type {string} */ dir) {
  return NAMES.map((name) => join(dir, name));
}

/** Stops the servers of a directory, if they are running. */
export async function stopPostgresPair(/** @type {string} */ dir) {
  await Promise.all(pairFolders(dir).map(stopPrivatePostgres));
}

/** Copies a running primary as pg_basebackup would, which the npm package does not include. */
async function cloneTo(/** @type {Member} */ primary, /** @type {Member} */ standby) {
  rmSync(standby.data, { recursive: true, force: true });
  await withClient(primary.server.url, async (client) => {
    await client.query(
      `SELECT pg_create_physical_replication_slot('standby', true)
       WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = 'standby')`,
    );
    await client.query("SELECT pg_backup_start('standby', true)");
    copyFolder(primary.data, standby.data, standby.owner);
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
    writeAs(standby, 'backup_label', rows[0].labelfile);
  });
  const { hostname, port, username, password } = new URL(primary.server.url);
  const connection = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  configure(standby, `primary_conninfo = '${connection}'\nprimary_slot_name = 'standby'\n`);
  writeAs(standby, 'standby.signal', '');
}

/** Makes commits wait for the standby once it is streaming. */
async function synchronise(/** @type {Member} */ primary) {
  await eventually(
    'the standby to stream',
    () => withClient(primary.server.url, async (client) => (await client.query(STREAMING)).rows.length > 0),
    { timeoutMs: 60_000 },
  );
  configure(primary, SYNCHRONOUS);
  await query(primary, 'SELECT pg_reload_conf()');
  await eventually(
    'the standby to be synchronous',
    () => withClient(primary.server.url, async (client) => (await client.query(QUORUM)).rows.length > 0),
    { timeoutMs: 60_000 },
  );
}

const STREAMING = "SELECT FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'";
const QUORUM = `${STREAMING} AND sync_state = 'quorum'`;

async function query(/** @type {Member} */ { server }, /** @type {string} */ text) {
  await withClient(server.url, (client) => client.query(text));
}

function isStandby(/** @type {Member} */ { data }) {
  return existsSync(join(data, 'standby.signal'));
}

/** Writes the settings that differ between the two servers. A running server applies them on reload. */
function configure(/** @type {Member} */ member, /** @type {string} */ lines) {
  writeAs(member, 'postgresql.auto.conf', lines);
}

function writeAs(/** @type {Member} */ { data, owner }, /** @type {string} */ name, /** @type {string} */ text) {
  const path = join(data, name);
  writeFileSync(path, text, { mode: 0o600 });
  if (owner !== undefined) chownSync(path, owner, owner);
}

/** Copies a directory and tolerates missing files, because a running server may remove files at any time. */
function copyFolder(
  /** @type {string} */ from,
  /** @type {string} */ to,
  /** @type {number | undefined} */ owner,
  isTop = true,
) {
  mkdirSync(to, { mode: 0o700 });
  if (owner !== undefined) chownSync(to, owner, owner);
  for (const entry of unlessGone(() => readdirSync(from, { withFileTypes: true })) ?? []) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (isTop && /^(postmaster\.|standby\.signal|backup_label)/.test(entry.name)) continue;
    if (isTop && NOT_COPIED.includes(entry.name)) mkdirSync(target, { mode: 0o700 });
    else if (entry.isDirectory()) copyFolder(source, target, owner, false);
    else unlessGone(() => copyFileSync(source, target));
    if (owner !== undefined) unlessGone(() => chownSync(target, owner, owner));
  }
}
