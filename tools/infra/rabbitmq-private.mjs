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

/** @typedef {{ url: string, logins: Record<string, string>, pid: number, kill9(): Promise<void>, stop(): Promise<void>, start(): Promise<void>, command(script: string, ...args: string[]): Promise<string> }} PrivateBroker `command`: runs a command line tool (`rabbitmqctl`, `rabbitmq-plugins`) and gives what it wrote */

/** Marks all processes of a broker: the server, Erlang's port mapper and the small programs beside them. */
const MARK = 'SWITCHBOARD_BROKER';
/** A command line tool starts an Erlang of its own. */
const COMMAND_TIMEOUT_MS = 300_000;
/** The major version of a RabbitMQ other than the system's: `npm test -- --rabbitmq 4`. */
export const VERSION = 'SWITCHBOARD_RABBITMQ_VERSION';
/** Ports a broker needs in a row: AMQP, Erlang's port mapper, distribution, and one for command line tools. */
export const BROKER_PORTS = 4;

/**
 * Starts a RabbitMQ of our own, listening on 127.0.0.1 only, without plugins (they would make each stop take 6 s). A
 * broker that already runs on this folder is used as it is; one that was killed keeps its durable queues and persistent
 * messages. Its address is that of the administrator, who sets it up; `logins` has those of the services.
 * @param {{ dir: string, port: number, managementPort?: number, plugins?: string[], settings?: Record<string, string>, log?: (text: string) => void }} options
 * `port` and the {@link BROKER_PORTS} - 1 after it must be free; at `managementPort` it has its management API;
 * `plugins`: further plugins; `settings` of rabbitmq.conf, besides those that every node has
 * @returns {Promise<PrivateBroker>}
 */
export async function startPrivateBroker({
  dir,
  port,
  managementPort,
  plugins = [],
  settings: conf = {},
  log = () => undefined,
}) {
  const version = process.env[VERSION];
  const once = (/** @type {() => Promise<import('./rabbitmq-unpack.mjs').RabbitmqPrograms | undefined>} */ work) =>
    withLock(join(SHARED_HOME, 'rabbitmq.lock'), { timeoutMs: 300_000 }, work);
  const programs = version
    ? await once(() => otherRabbitmq(`${unpackFolder()}-${version}`, version, log))
    : (installedRabbitmq() ?? (await once(() => unpackedRabbitmq(unpackFolder(), log))));
  if (!programs) throw new Error('no RabbitMQ: neither installed nor, for want of apt-get and dpkg, to be unpacked');
  tightenIfWide(dir);
  for (const name of ['log', 'home']) makeFolder(join(dir, name));
  const { url, logins } = configure({ dir, port, managementPort, plugins, conf });
  const broker = {
    url,
    logins,
    pid: 0,
    async start() {
      if (!(await tryRabbitmq(broker.url)).ok)
        await boot(dir, { ...programs, env: { ...programs.env, ...settings(dir, port) } }, broker.url);
      broker.pid = brokerOf(dir) ?? 0;
    },
    stop: () => stopPrivateBroker(dir),
    kill9: () => endAll(dir, 'SIGKILL'),
    async command(/** @type {string} */ script, /** @type {string[]} */ ...args) {
      const env = { ...process.env, ...programs.env, ...settings(dir, port) };
      return mustRun(join(programs.sbin, script), args, { cwd: dir, env, timeoutMs: COMMAND_TIMEOUT_MS });
    },
  };
  await broker.start();
  return broker;
}

/**
 * Where the unpacked programs lie: shared by all installations of a checkout. RabbitMQ's scripts cannot live below a
 * name with a blank.
 */
export function unpackFolder() {
  const usual = join(SHARED_HOME, 'rabbitmq');
  return /\s/.test(usual) ? outsideOf(usual) : usual;
}

/** Stops the broker of a folder, if one runs, and Erlang's port mapper with it. */
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
  await endAll(dir, 'SIGKILL'); // a broker that hangs, or a port mapper that an earlier one left
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

/** The variables that keep this broker apart from every other one on the machine. */
function settings(/** @type {string} */ dir, /** @type {number} */ port) {
  return {
    [MARK]: dir,
    HOME: join(dir, 'home'), // Erlang's secret cookie lies there
    RABBITMQ_NODENAME: `switchboard${shortHash(dir)}@localhost`,
    RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_PID_FILE: join(dir, 'pid'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(dir, 'generated'),
    ERL_EPMD_PORT: String(port + 1),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: String(port + 2),
    RABBITMQ_CTL_DIST_PORT_MIN: String(port + 3),
    RABBITMQ_CTL_DIST_PORT_MAX: String(port + 3),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
}

/** Writes the configuration and gives the addresses of all logins, which the broker makes when it starts. */
function configure(
  /** @type {{ dir: string, port: number, managementPort?: number, plugins: string[], conf: Record<string, string> }} */ {
    dir,
    port,
    managementPort,
    plugins,
    conf,
  },
) {
  const path = join(dir, 'password');
  if (!existsSync(path)) writeFileSync(path, randomBytes(18).toString('hex'), { mode: 0o600 });
  const password = readFileSync(path, 'utf8').trim();
  const url = `amqp://switchboard:${password}@127.0.0.1:${port}`;
  const logins = loginUrls(url, { seed: password });
  const definitions = join(dir, 'definitions.json');
  writeFileSync(definitions, JSON.stringify(definitionsOf(url, logins)), { mode: 0o600 });
  const lines = [
    `listeners.tcp.default = 127.0.0.1:${port}`,
    `load_definitions = ${definitions}`,
    'disk_free_limit.absolute = 200MB',
    'vm_memory_high_watermark.absolute = 1GB',
    ...Object.entries(conf).map(([name, value]) => `${name} = ${value}`),
  ];
  if (managementPort !== undefined)
    lines.push('management.tcp.ip = 127.0.0.1', `management.tcp.port = ${managementPort}`);
  writeFileSync(join(dir, 'rabbitmq.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(dir, 'advanced.config'), '[].\n', { mode: 0o600 });
  const enabled = [...(managementPort === undefined ? [] : ['rabbitmq_management']), ...plugins];
  writeFileSync(join(dir, 'enabled_plugins'), `[${enabled}].\n`, { mode: 0o600 });
  return { url, logins };
}

/** The process of a folder's broker, if it runs. */
export function brokerOf(/** @type {string} */ dir) {
  const pid = Number.parseInt(unlessGone(() => readFileSync(join(dir, 'pid'), 'utf8')) ?? '', 10);
  return processesMarked({ [MARK]: dir }).find((found) => found.pid === pid)?.pid;
}

async function endAll(/** @type {string} */ dir, /** @type {NodeJS.Signals} */ name) {
  const pids = processesMarked({ [MARK]: dir }).map(({ pid }) => pid);
  for (const pid of pids) signal(pid, name);
  await happensWithin(5000, () => pids.every((pid) => stampOf(pid) === undefined));
}
