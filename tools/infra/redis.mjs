// @ts-check
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { SHARED_HOME } from '../lib/home.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { withLock } from '../lib/lock.mjs';
import { makeFolder, privately, tighten } from '../lib/private-files.mjs';
import { lastLines, mustRun, run } from '../lib/run.mjs';
import { eventually } from '../lib/wait.mjs';

/** @typedef {{ url: string, kill9(): Promise<void>, stop(): Promise<void>, start(): Promise<void> }} PrivateRedis */

/** The server and its libraries. Skips libraries that a Debian release does not contain. */
const PACKAGES = [
  'redis-server',
  'redis-tools',
  'liblzf1',
  'libjemalloc2',
  'liblua5.1-0',
  'lua-cjson',
  'lua-bitop',
  'libatomic1',
  'libhiredis1.1.0',
  'libhiredis0.14',
];

/**
 * Starts a private Redis on 127.0.0.1 without persistence, which a test may kill.
 * @param {{ dir: string, port: number, log?: (text: string) => void }} options
 * @returns {Promise<PrivateRedis>}
 */
export async function startPrivateRedis({ dir, port, log = () => undefined }) {
  const program = await findRedis(log);
  makeFolder(dir);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  const end = async (/** @type {NodeJS.Signals} */ name) => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(name);
    await ended;
  };
  const redis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = await boot(program, dir, port);
    },
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  await redis.start();
  return redis;
}

/** @typedef {{ command: string, env: NodeJS.ProcessEnv }} Program */

/** @param {Program} program @param {string} dir @param {number} port */
async function boot({ command, env }, dir, port) {
  const output = join(dir, 'redis.log');
  const file = openSync(output, 'w', 0o600);
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir];
  const child = privately(() => spawn(command, options, { cwd: dir, env, stdio: ['ignore', file, file] }));
  closeSync(file);
  let ended = false;
  child.once('exit', () => (ended = true)).once('error', () => (ended = true));
  const answers = await eventually('Redis to answer', async () => ended || (await isAnswering(port)), {
    timeoutMs: 10_000,
    everyMs: 20,
  }).catch(() => false);
  if (answers && !ended) return child;
  child.kill('SIGKILL');
  throw new Error(
    `Redis did not start (${output}):\n${lastLines(unlessGone(() => readFileSync(output, 'utf8')) ?? '', 15)}`,
  );
}

/** @returns {Promise<boolean>} */
function isAnswering(/** @type {number} */ port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('data', (data) => socket.destroy() && resolve(data.toString().startsWith('+PONG')));
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
  });
}

/**
 * Finds the installed Redis, or unpacks the distribution's packages. Installs nothing and needs no privileges.
 * @param {(text: string) => void} log
 * @returns {Promise<Program>}
 */
async function findRedis(log) {
  const installed = ['redis-server', 'valkey-server'].find((name) =>
    (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
  );
  if (installed) return { command: installed, env: process.env };
  const folder = join(SHARED_HOME, 'redis');
  await withLock(
    join(SHARED_HOME, 'redis.lock'),
    { timeoutMs: 120_000 },
    async () => existsSync(folder) || unpack(folder, log),
  );
  const libraries = readdirSync(join(folder, 'usr/lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(folder, 'usr/lib', name));
  return {
    command: join(folder, 'usr/bin/redis-server'),
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(delimiter) },
  };
}

async function unpack(/** @type {string} */ folder, /** @type {(text: string) => void} */ log) {
  const draft = `${folder}.part`; // Delete a partial result of an interrupted run first.
  rmSync(draft, { recursive: true, force: true });
  makeFolder(join(draft, 'downloads'));
  log('Redis: fetching packages (about 2 MB; nothing is installed)');
  const { output } = await run('apt-cache', ['show', '--no-all-versions', ...PACKAGES]);
  const offered = [...new Set([...output.matchAll(/^Package: (\S+)$/gm)].map((match) => String(match[1])))];
  if (!offered.includes('redis-server'))
    throw new Error(
      "no Redis: neither redis-server is installed nor do the system's package lists (apt-get update) offer it",
    );
  await mustRun('apt-get', ['-qq', 'download', ...offered], { cwd: join(draft, 'downloads') });
  const packages = readdirSync(join(draft, 'downloads'));
  for (const name of packages) await mustRun('dpkg', ['-x', join(draft, 'downloads', name), join(draft, 'root')]);
  tighten(join(draft, 'root'));
  renameSync(join(draft, 'root'), folder); // Rename at the end, so that an existing directory is complete.
  rmSync(draft, { recursive: true, force: true });
}
