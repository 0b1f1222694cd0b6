// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED_HOME, shortHash } from '../lib/home.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { withLock } from '../lib/lock.mjs';
import { makeFolder, privately, tightenIfWide } from '../lib/private-files.mjs';
import { processesMarked, signal, stampOf } from '../lib/processes.mjs';
import { lastLines, mustRun } from '../lib/run.mjs';
import { eventually, happensWithin } from '../lib/wait.mjs';
import { outsideOf } from './as-nobody.mjs';
import { definitionsOf, loginUrls } from './broker-logins.mjs';
import { tryRabbitmq } from './rabbitmq-login.mjs';
import { installedRabbitmq, otherRabbitmq, unpackedRabbitmq } from './rabbitmq-unpack.mjs';

/**
 * @typedef {{ name: string, url: string, logins: Record<string, string>, pid: number, isRunning(): boolean, kill9():
 * Promise<void>, stop(): Promise<void>, start(): Promise<void>, command(script: string, ...args: string[]):
 * Promise<string> }} PrivateBroker `name`: Erlang node name; `command`: runs a command line tool (`rabbitmqctl`,
 * `rabbitmq-plugins`) and returns its output
 */
/**
 * @typedef {object} NodeOptions
 * @property {string} dir
 * @property {number} port this port and the following {@link BROKER_PORTS} - 1 must be free
 * @property {import('./rabbitmq-unpack.mjs').RabbitmqPrograms} programs
 * @property {number} [managementPort] port of the management API, which is disabled by default
 * @property {string} [shared] folder that the nodes of a cluster share: password, Erlang cookie
 * @property {string[]} [plugins] plugins besides the management API
 * @property {Record<string, string>} [settings] settings in rabbitmq.conf besides those of every node
 * @property {string} [advanced] content of advanced.config, in Erlang syntax
 */

/** Environment variable that marks all processes of a broker: the server, Erlang's port mapper and helper programs. */
const MARK = 'SWITCHBOARD_BROKER';
/** Long, because each command line tool starts its own Erlang VM. */
const COMMAND_TIMEOUT_MS = 300_000;
/** Environment variable with the major version of RabbitMQ, if other than the system's: `npm test -- --rabbitmq 4`. */
export const VERSION = 'SWITCHBOARD_RABBITMQ_VERSION';
/** Number of consecutive ports of a broker: AMQP, Erlang's port mapper, distribution, and command line tools. */
export const BROKER_PORTS = 4;
export const mapperPort = (/** @type {number} */ port) => port + 1;
export const distributionPort = (/** @type {number} */ port) => port + 2;

/**
 * Starts a private RabbitMQ that listens on 127.0.0.1 only, without plugins (which would add 6 s to each stop). Reuses
 * a broker already running on this directory. One that was killed keeps its durable queues and persistent messages.
 * `url` has the administrator's login, for setup; `logins` has those of the services.
 * @param {Omit<NodeOptions, 'programs' | 'shared'> & { log?: (text: string) => void }} options
 * @returns {Promise<PrivateBroker>}
 */
export async function startPrivateBroker({ log = () => undefined, ...options }) {
  const programs = await findPrograms(process.env[VERSION], log);
  const broker = brokerNode({ ...options, programs });
  await broker.start();
  return broker;
}

/**
 * Writes the configuration of a node without starting it.
 * @param {NodeOptions} options
 * @returns {PrivateBroker}
 */
export function brokerNode(options) {
  const { dir, port, programs } = options;
  const shared = options.shared ?? dir;
  tightenIfWide(dir);
  for (const folder of [join(dir, 'log'), join(shared, 'home')]) makeFolder(folder);
  const { url, logins } = configure(options);
  const env = { ...programs.env, ...variables(dir, port, shared) };
  /** @type {Promise<unknown>} */
  let earlier = Promise.resolve();
  const broker = {
    name: nodeNameOf(dir),
    url,
    logins,
    pid: 0,
    isRunning: () => brokerOf(dir) !== undefined,
    async start() {
      if (!(await tryRabbitmq(url)).ok) await boot(dir, { sbin: programs.sbin, env }, url);
      broker.pid = brokerOf(dir) ?? 0;
    },
    stop: () => stopPrivateBroker(dir),
    kill9: () => endAll(dir, 'SIGKILL'),
    command(/** @type {string} */ script, /** @type {string[]} */ ...args) {
      const options = { cwd: dir, env: { ...process.env, ...env }, timeoutMs: COMMAND_TIMEOUT_MS };
      // Run sequentially, because command line tools have only one port
      const done = earlier.then(() => mustRun(join(programs.sbin, script), args, options));
      earlier = done.catch(() => undefined);
      return done;
    },
  };
  return broker;
}

/**
 * Finds the installed RabbitMQ or unpacks one.
 * @param {string | undefined} version major version; the system's by default
 * @param {(text: string) => void} log
 */
export async function findPrograms(version, log) {
  const once = (/** @type {() => Promise<import('./rabbitmq-unpack.mjs').RabbitmqPrograms | undefined>} */ work) =>
    withLock(join(SHARED_HOME, 'rabbitmq.lock'), { timeoutMs: 300_000 }, work);
  const programs = version
    ? await once(() => otherRabbitmq(`${unpackFolder()}-${version}`, version, log))
    : (installedRabbitmq() ?? (await once(() => unpackedRabbitmq(unpackFolder(), log))));
  if (!programs) throw new Error('no RabbitMQ: neither installed nor, for want of apt-get and dpkg, to be unpacked');
  return programs;
}

/**
 * Returns the directory of the unpacked programs, shared by all installations of a checkout. RabbitMQ's scripts do not
 * support a path with spaces.
 */
export function unpackFolder() {
  const usual = join(SHARED_HOME, 'rabbitmq');
  return /\s/.test(usual) ? outsideOf(usual) : usual;
}

/** Stops the broker of a directory, if it is running, and Erlang's port mapper. */
export async function stopPrivateBroker(/** @type {string} */ dir) {
  const pid = brokerOf(dir);
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  if (pid !== undefined) await happensWithin(8000, () => stampOf(pid) === undefined);
  await endAll(dir, 'SIGKILL');
}

/**
 * @param {string} dir
 * @param {import('./rabbitmq-unpack.mjs').RabbitmqPrograms} programs
 * @param {string} url
 */
async function boot(dir, { sbin, env }, url) {
  await endAll(dir, 'SIGKILL'); // a hanging broker, or the port mapper of an earlier one
  const output = join(dir, 'log/output.log');
  const file = openSync(output, 'w', 0o600);
  const options = {
    cwd: dir,
    env: { ...process.env, ...env },
    detached: true,
    stdio: /** @type {import('node:child_process').StdioOptions} */ (['ignore', file, file]),
  };
  const child = privately(() => spawn(join(sbin, 'rabbitmq-server'), [], options));
  closeSync(file);
  child.unref();
  let ended = false;
  child.once('exit', () => (ended = true)).once('error', () => (ended = true));
  const ready = await eventually('RabbitMQ to answer', async () => ended || (await tryRabbitmq(url, 1000)).ok, {
    timeoutMs: 240_000,
    everyMs: 200,
  }).catch(() => false);
  if (ready && !ended) return;
  await endAll(dir, 'SIGKILL');
  throw new Error(
    `RabbitMQ did not start (${output}):\n${lastLines(unlessGone(() => readFileSync(output, 'utf8')) ?? '', 15)}`,
  );
}

/** Returns the variables that isolate this broker from others on the machine. */
function variables(/** @type {string} */ dir, /** @type {number} */ port, /** @type {string} */ shared) {
  return {
    [MARK]: dir,
    HOME: join(shared, 'home'), // directory of Erlang's secret cookie
    RABBITMQ_NODENAME: nodeNameOf(dir),
    RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_PID_FILE: join(dir, 'pid'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(dir, 'generated'),
    ERL_EPMD_PORT: String(mapperPort(port)),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: String(distributionPort(port)),
    RABBITMQ_CTL_DIST_PORT_MIN: String(port + 3),
    RABBITMQ_CTL_DIST_PORT_MAX: String(port + 3),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
}

/** Returns the Erlang node name for a directory. */
export function nodeNameOf(/** @type {string} */ dir) {
  return `switchboard${shortHash(dir)}@localhost`;
}

/** Writes the configuration. Returns the URLs of all logins, which the broker creates at startup. */
function configure(
  /** @type {NodeOptions} */ { dir, port, managementPort, shared = dir, plugins = [], settings = {}, advanced = '[].' },
) {
  const path = join(shared, 'password');
  if (!existsSync(path)) writeFileSync(path, randomBytes(18).toString('hex'), { mode: 0o600 });
  const password = readFileSync(path, 'utf8').trim();
  const url = `amqp://switchboard:${password}@127.0.0.1:${port}`;
  const logins = loginUrls(url, { seed: password });
  const definitions = join(dir, 'definitions.json');
  writeFileSync(definitions, JSON.stringify(definitionsOf(url, logins)), { mode: 0o600 });
  const all = {
    'vm_memory_high_watermark.absolute': '1GB',
    'disk_free_limit.absolute': '200MB',
    ...settings,
    'listeners.tcp.default': `127.0.0.1:${port}`,
    load_definitions: definitions,
    ...(managementPort !== undefined && {
      'management.tcp.ip': '127.0.0.1',
      'management.tcp.port': String(managementPort),
    }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(dir, 'rabbitmq.conf'), lines.join(''), { mode: 0o600 });
  writeFileSync(join(dir, 'advanced.config'), `${advanced.trim()}\n`, { mode: 0o600 });
  const enabled = [...(managementPort === undefined ? [] : ['rabbitmq_management']), ...plugins];
  writeFileSync(join(dir, 'enabled_plugins'), `[${enabled}].\n`, { mode: 0o600 });
  return { url, logins };
}

/** Returns the process id of a directory's broker, if it is running. */
export function brokerOf(/** @type {string} */ dir) {
  const pid = Number.parseInt(unlessGone(() => readFileSync(join(dir, 'pid'), 'utf8')) ?? '', 10);
  return processesMarked({ [MARK]: dir }).find((found) => found.pid === pid)?.pid;
}

async function endAll(/** @type {string} */ dir, /** @type {NodeJS.Signals} */ name) {
  const pids = processesMarked({ [MARK]: dir }).map(({ pid }) => pid);
  for (const pid of pids) signal(pid, name);
  await happensWithin(5000, () => pids.every((pid) => stampOf(pid) === undefined));
}
