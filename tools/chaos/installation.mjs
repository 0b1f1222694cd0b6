// @ts-check
import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startPrivateBroker, startPrivatePostgres } from '../infra/index.mjs';
import { startPostgresPair, stopPostgresPair } from '../infra/postgres-pair.mjs';
import { stopPrivatePostgres } from '../infra/postgres-private.mjs';
import { startBrokerCluster, stopBrokerCluster } from '../infra/rabbitmq-cluster.mjs';
import { BROKER_PORTS, stopPrivateBroker } from '../infra/rabbitmq-private.mjs';
import { withClient, withDatabase } from '../infra/postgres-login.mjs';
import { buildAll, prepareBroker } from '../lib/build.mjs';
import { homePath, ROOT } from '../lib/home.mjs';
import { bundleOperator, loadOperator } from '../lib/operator.mjs';
import { anyFreePort, freeBlock } from '../lib/ports.mjs';
import { makeFolder, privately } from '../lib/private-files.mjs';
import { signal } from '../lib/processes.mjs';
import { log, say, step } from '../lib/progress.mjs';
import { mustRun } from '../lib/run.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import {
  brokerUrlOf,
  databaseUrlOf,
  environmentOf,
  HOME_MARK,
  PROGRAMS,
  programFile,
  healthUrl,
  SERVICE_FLAGS,
  SERVICE_MARK,
  SERVICES,
  STOP_GRACE_MS,
} from '../lib/services.mjs';
import { eventually, happensWithin } from '../lib/wait.mjs';
import { addPlan, control } from './customers.mjs';

const READY_TIMEOUT_MS = 180_000;
const DATABASE = 'switchboard';
/** What the names of a service's further processes end with. */
const FURTHER = ['-2', '-3', '-4'];

/** @typedef {import('../lib/services.mjs').Setting} Setting */

/**
 * @typedef {object} Installation a running installation that may be mistreated: every program, a database server and a
 * broker of its own
 * @property {string[]} programs
 * @property {string} baseUrl of the API, with its version
 * @property {string} simulatorUrl
 * @property {string} databaseUrl an admin login to its database
 * @property {(name: string) => Promise<boolean>} isReady whether a program and all that it needs works
 * @property {(name: string) => Promise<boolean>} takesWork whether a service says that it is ready; false without an
 * answer
 * @property {(name: string) => Promise<boolean>} isLive whether a service says so; false without an answer
 * @property {(name: string) => Promise<string[]>} failing what a program says is away of the parts that it needs
 * @property {(name: string) => Promise<Map<string, number>>} metrics what a service shows at /metrics, by name with
 * labels
 * @property {(name: string) => Promise<void>} kill9 kills a program and starts it again at once; it is not ready yet
 * when this returns
 * @property {(name: string, environment?: Record<string, string>) => Promise<void>} restart lets a program end as an
 * orchestrator does (SIGTERM) and starts it again, from then on with what `environment` changes; it is not ready yet
 * when this returns. Throws when it does not end well
 * @property {(name: string, environment?: Record<string, string>) => void} addReplica starts another process of a
 * service: `gateway-2`, up to `gateway-4`
 * @property {(name: string) => Promise<void>} removeReplica ends it
 * @property {(process: string, checkout?: string) => void} runFrom from its next start on a process runs what was built
 * in another checkout; by default what was built in this one
 * @property {(name: string) => number} portOf the port of the API of `gateway`, or of one of its further processes
 * @property {(name: string) => number} managementPortOf the port of the management listener of a service's process
 * @property {() => Promise<void>} killBroker kills the broker and returns when it is up again, with what it had stored
 * @property {import('../infra/rabbitmq-private.mjs').PrivateBroker} broker its own, for itself alone
 * @property {import('../infra/rabbitmq-cluster.mjs').BrokerCluster} [cluster] all nodes of the broker, when there are
 * several
 * @property {import('../infra/postgres-pair.mjs').PostgresPair} [pair] both servers of the database, when there are two
 * @property {import('../infra/postgres-private.mjs').PrivatePostgres} database its own server, for itself alone
 * @property {() => Record<string, number>} pids the process of each program
 * @property {(...args: string[]) => Promise<Record<string, any>>} ops runs an operator command with --json
 * @property {() => string[]} exits programs that ended by themselves, and were started again
 * @property {() => Promise<void>} restore starts what is down, turns the simulator's faults off, and returns when every
 * program is ready
 * @property {() => Promise<void>} stop ends everything and removes its data; the logs stay
 * @property {string} logFolder
 * @property {string} probeFolder where programs write their memory at SIGUSR2 (`memory-probe.mjs`)
 * @property {string} brokerFolder what its broker has stored
 * @property {string} blobFolder where its services keep files
 * @property {(names: readonly string[]) => Promise<void>} halt kills programs with SIGKILL; they stay down
 * @property {(names: readonly string[]) => void} launch starts programs that were halted; they are not ready yet when
 * this returns
 * @property {() => Promise<void>} emptyBroker kills the broker and starts a new one in its place, which has the logins
 * and this version's queues, and no message
 * @property {(root: string) => Promise<void>} prepareBroker sets the broker up for the version of another checkout, too
 * @property {(entry: 'migrate', ...args: string[]) => Promise<void>} onEachSchema runs a program of each service that
 * works on its schema, as an administrator
 */

/**
 * @typedef {object} InstallationOptions
 * @property {string} name of its folder below `.local/chaos`, which an earlier installation of this name leaves to it
 * @property {Record<string, string>} [environment] of every program
 * @property {string} [postgresPrograms] the folder of the server's programs, by default those that are found first
 * @property {number} [brokerNodes] size of the RabbitMQ cluster behind a TCP proxy; by default one node without a proxy
 * @property {boolean} [standby] whether the database is a primary with a synchronous standby behind a TCP proxy
 */

/**
 * Starts every program from dist on free ports, with a PostgreSQL and a RabbitMQ of its own.
 * @param {InstallationOptions} options
 * @returns {Promise<Installation>}
 */
export async function startInstallation({ name, environment = {}, postgresPrograms, brokerNodes = 1, standby }) {
  const folders = {
    log: homePath('chaos', name, 'log'),
    rabbitmq: homePath('chaos', name, 'rabbitmq'),
    postgres: homePath('chaos', name, 'postgres'),
    probe: homePath('chaos', name, 'probe'),
    blobs: homePath('chaos', name, 'blobs'),
  };
  const own = [folders.log, folders.probe, folders.blobs];
  for (const folder of own) rmSync(folder, { recursive: true, force: true });
  own.forEach(makeFolder);
  const [{ database, pair }, { broker, cluster }] = await Promise.all([
    standby
      ? step('a PostgreSQL with a standby', () => startFreshPair(folders.postgres, postgresPrograms))
      : step('a PostgreSQL of its own', () => startFreshPostgres(folders.postgres, postgresPrograms)),
    brokerNodes > 1
      ? step(`a RabbitMQ cluster of ${brokerNodes} nodes`, () => startFreshCluster(folders.rabbitmq, brokerNodes))
      : step('a RabbitMQ of its own', () => startFreshBroker(folders.rabbitmq, name)),
    step('build', buildAll),
  ]);
  const databaseUrl = withDatabase(database.url, DATABASE);
  const ofBroker = { rabbitmqUrl: broker.url, brokerLogins: broker.logins, managementUrl: undefined, namespace: '' };
  const infra = {
    databaseUrl,
    loginSuffix: '',
    brokerNodes,
    ...ofBroker,
    chosen: { postgres: 'local', rabbitmq: 'local' },
  };
  const setting = { infra, secrets: ensureSecrets(), ports: await choosePorts(name) };
  await step('schemas and queues', () => Promise.all([makeDatabase(database.url, setting), prepareBroker(setting)]));
  const more = { BLOB_DIR: folders.blobs, ...environment };
  const environments = Object.fromEntries(
    PROGRAMS.map((program) => [program, environmentFor(program, setting, { ...probeIn(folders.probe), ...more })]),
  );
  const operator = homePath('chaos', name, 'operator.mjs');
  await bundleOperator(operator);
  const ops = await loadOperator(operator, {
    environment: { ...environmentFor('gateway', setting, more), RABBITMQ_URL: brokerUrlOf('operator', setting) },
    actor: 'cli:chaos',
  });
  const running = keepRunning(environments, folders.log);
  const isReady = (/** @type {string} */ program) => isGood(healthUrl(program, setting.ports));
  const says = (/** @type {'live' | 'ready'} */ what, /** @type {string} */ service) =>
    isGood(`http://127.0.0.1:${setting.ports[`${service}:management`]}/${what}`);
  const installation = {
    programs: [...PROGRAMS],
    baseUrl: `http://127.0.0.1:${setting.ports['gateway']}/v1`,
    simulatorUrl: `http://127.0.0.1:${setting.ports['simulator']}`,
    databaseUrl,
    isReady,
    isLive: (/** @type {string} */ service) => says('live', service),
    takesWork: (/** @type {string} */ service) => says('ready', service),
    failing: (/** @type {string} */ program) => failingOf(healthUrl(program, setting.ports)),
    metrics: (/** @type {string} */ program) => metricsOf(setting.ports[`${program}:management`] ?? 0),
    broker,
    ...(cluster && { cluster }),
    database,
    ...(pair && { pair }),
    kill9: running.kill9,
    restart: running.restart,
    addReplica: (/** @type {string} */ name, /** @type {Record<string, string>} */ others = {}) =>
      running.add(
        name,
        environmentFor(serviceOf(name), { ...setting, ports: portsOf(name, setting.ports) }, { ...more, ...others }),
      ),
    removeReplica: running.remove,
    runFrom: running.runFrom,
    portOf: (/** @type {string} */ name) => setting.ports[name] ?? 0,
    managementPortOf: (/** @type {string} */ name) => setting.ports[`${name}:management`] ?? 0,
    pids: running.pids,
    killBroker: async () => {
      await broker.kill9();
      await broker.start();
    },
    exits: running.exits,
    ops,
    logFolder: folders.log,
    probeFolder: folders.probe,
    brokerFolder: folders.rabbitmq,
    blobFolder: folders.blobs,
    halt: running.halt,
    launch: (/** @type {readonly string[]} */ names) => names.forEach(running.launch),
    emptyBroker: async () => {
      await broker.kill9();
      rmSync(join(folders.rabbitmq, 'mnesia'), { recursive: true, force: true });
      await broker.start();
      await prepareBroker(setting);
    },
    prepareBroker: (/** @type {string} */ root) => prepareBroker(setting, root),
    onEachSchema: (/** @type {'migrate'} */ entry, /** @type {string[]} */ ...args) =>
      onEachSchema(setting, [entry, ...args]),
    restore: () => restore(installation),
    stop: async () => {
      await running.stop();
      await Promise.all([cluster?.stop(), pair?.stop()]);
      keepLogs(cluster?.nodes ?? [], folders);
      await Promise.all([removeBroker(folders.rabbitmq), removePostgres(folders.postgres)]);
    },
  };
  try {
    await step('services', installation.restore);
    await addPlan(installation);
  } catch (error) {
    await installation.stop();
    throw error;
  }
  return installation;
}

/** @returns the service that a process is one of: `gateway` for `gateway-2` */
function serviceOf(/** @type {string} */ process) {
  const further = FURTHER.find((suffix) => process.endsWith(suffix));
  return further ? process.slice(0, -further.length) : process;
}

/** The ports as a further process has them, by the names that the first one uses. */
function portsOf(/** @type {string} */ process, /** @type {Record<string, number>} */ ports) {
  const own = Object.entries(ports).flatMap(([name, port]) =>
    name.startsWith(process) ? [[serviceOf(process) + name.slice(process.length), port]] : [],
  );
  return { ...ports, ...Object.fromEntries(own) };
}

/** Without the messages of an earlier run that was interrupted. */
async function startFreshBroker(/** @type {string} */ dir, /** @type {string} */ name) {
  await removeBroker(dir);
  const port = await freeBlock(`chaos ${name}`, BROKER_PORTS);
  return { broker: await startPrivateBroker({ dir, port, log }), cluster: undefined };
}

async function startFreshCluster(/** @type {string} */ dir, /** @type {number} */ nodes) {
  await removeBroker(dir);
  const cluster = await startBrokerCluster({ dir, nodes, log });
  const kill9 = async () => void (await Promise.all(cluster.nodes.map((node) => node.kill9())));
  const isRunning = () => cluster.nodes.some((node) => node.isRunning());
  return { broker: { ...cluster, name: 'cluster', pid: 0, isRunning, kill9 }, cluster };
}

/** Keeps the logs of a cluster's nodes beside those of the services: they show when each node missed another one. */
function keepLogs(
  /** @type {import('../infra/rabbitmq-cluster.mjs').BrokerNode[]} */ nodes,
  /** @type {{ log: string, rabbitmq: string }} */ folders,
) {
  for (const [index, { name }] of nodes.entries()) {
    const log = join(folders.rabbitmq, `node-${index + 1}`, 'log', `${name}.log`);
    if (existsSync(log)) copyFileSync(log, join(folders.log, `${name}.log`));
  }
}

/** Stops what runs there, one node or several. */
async function removeBroker(/** @type {string} */ dir) {
  await Promise.all([stopPrivateBroker(dir), stopBrokerCluster(dir)]);
  rmSync(dir, { recursive: true, force: true });
}

async function startFreshPostgres(/** @type {string} */ dir, /** @type {string | undefined} */ programs) {
  await removePostgres(dir);
  return { database: await startPrivatePostgres({ dir, port: await anyFreePort(), programs }), pair: undefined };
}

async function startFreshPair(/** @type {string} */ dir, /** @type {string | undefined} */ programs) {
  await removePostgres(dir);
  const pair = await startPostgresPair({ dir, programs, log });
  const both = () => [pair.primary, pair.standby];
  const unsupported = () => Promise.reject(new Error('the data of a pair is not replaced'));
  const database = {
    ...pair.primary,
    url: pair.url,
    pid: 0,
    pids: () => both().flatMap((server) => server.pids()),
    kill9: async () => void (await Promise.all(both().map((server) => server.kill9()))),
    stop: pair.stop,
    start: pair.start,
    replaceData: unsupported,
    startEmpty: unsupported,
  };
  return { database, pair };
}

/** Stops what runs there, one server or two. */
async function removePostgres(/** @type {string} */ dir) {
  await Promise.all([stopPrivatePostgres(dir), stopPostgresPair(dir)]);
  rmSync(dir, { recursive: true, force: true });
}

/** Whether an address answers, and well. */
function isGood(/** @type {string} */ url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What a program names that does not work; itself when it does not even answer. @returns {Promise<string[]>} */
async function failingOf(/** @type {string} */ url) {
  const answer = await fetch(url).catch(() => undefined);
  return answer ? /** @type {{ failed: string[] }} */ (await answer.json()).failed : ['no answer'];
}

/** @returns {Promise<Map<string, number>>} */
async function metricsOf(/** @type {number} */ port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** Whatever a command stopped, or left stopped when it failed, works again. */
async function restore(/** @type {Installation} */ installation) {
  const { broker, cluster, database, programs, isReady } = installation;
  await cluster?.heal();
  for (const pid of [broker.pid, ...database.pids()]) if (pid > 0) signal(pid, 'SIGCONT');
  await Promise.all([broker.start(), database.start()]);
  await Promise.all(
    programs.map((program) =>
      eventually(`${program} to be ready`, () => isReady(program), { timeoutMs: READY_TIMEOUT_MS }),
    ),
  );
  await control(installation, 'faults', {});
}

/**
 * Of a block, not any free port: while a program is down, the system would give its port to somebody's outgoing
 * connection.
 */
async function choosePorts(/** @type {string} */ name) {
  const allOf = (/** @type {string} */ service) => [service, ...FURTHER.map((suffix) => `${service}${suffix}`)];
  const management = SERVICES.flatMap(allOf).map((process) => `${process}:management`);
  const names = [...allOf('gateway'), 'simulator', ...management];
  const first = await freeBlock(`chaos ${name} services`, names.length);
  return Object.fromEntries(names.map((port, index) => [port, first + index]));
}

/**
 * Without the marks of the checkout's own installation, whose start would otherwise end these programs as left over.
 */
function environmentFor(
  /** @type {string} */ program,
  /** @type {Setting} */ setting,
  /** @type {Record<string, string>} */ more,
) {
  const environment = Object.entries(environmentOf(program, setting)).filter(
    ([name]) => name !== HOME_MARK && name !== SERVICE_MARK,
  );
  return {
    ...Object.fromEntries(environment),
    UPSTREAM_BASE_URL: `http://127.0.0.1:${setting.ports['simulator']}`,
    ...more,
  };
}

/** Loads the memory probe into a program. */
function probeIn(/** @type {string} */ folder) {
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'tools/chaos/memory-probe.mjs')).href}`,
    MEMORY_PROBE_DIR: folder,
  };
}

async function makeDatabase(/** @type {string} */ serverUrl, /** @type {Setting} */ setting) {
  await withClient(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'UTF8'`),
  );
  await onEachSchema(setting, ['migrate']);
}

/** Runs a program of each service, side by side, with both logins to the database. */
async function onEachSchema(/** @type {Setting} */ setting, /** @type {string[]} */ [entry, ...args]) {
  await Promise.all(
    SERVICES.map((service) => {
      const env = {
        ...process.env,
        DATABASE_ADMIN_URL: setting.infra.databaseUrl,
        DATABASE_URL: databaseUrlOf(service, setting),
      };
      return mustRun(process.execPath, [programFile(service, entry), ...args], { cwd: ROOT, env, timeoutMs: 120_000 });
    }),
  );
}

/**
 * Starts each program and, unless we stop, starts it again the moment it ends.
 * @param {Record<string, Record<string, string>>} environments by program
 * @param {string} logFolder
 */
function keepRunning(environments, logFolder) {
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  const children = new Map();
  /** @type {string[]} */
  const exits = [];
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const killed = new Set();
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const leaving = new Set();
  /** Where processes run that do not run what was built here. @type {Map<string, string>} */
  const checkouts = new Map();
  let stopping = false;
  const launch = (/** @type {string} */ name) => {
    const output = openSync(join(logFolder, `${name}.log`), 'a', 0o600);
    const cwd = checkouts.get(name) ?? ROOT;
    const args = [...SERVICE_FLAGS, programFile(serviceOf(name), 'main', cwd)];
    const child = privately(() =>
      spawn(process.execPath, args, { cwd, env: environments[name], stdio: ['ignore', output, output] }),
    );
    closeSync(output);
    children.set(name, child);
    child.once('exit', (code, signalName) => {
      if (stopping || leaving.has(child)) return;
      if (!killed.has(child)) exits.push(name);
      if (!killed.has(child))
        say(`  ${name} ended by itself (${signalName ?? code}): ${lastFatal(join(logFolder, `${name}.log`))}`);
      launch(name);
    });
  };
  const hasEnded = (/** @type {import('node:child_process').ChildProcess} */ child) =>
    child.exitCode !== null || child.signalCode !== null;
  /** Asks a process to end, and waits until it has. */
  const leave = async (/** @type {string} */ name) => {
    const child = children.get(name);
    if (!child) return;
    leaving.add(child);
    child.kill('SIGTERM');
    await eventually(`${name} to end`, () => hasEnded(child), { timeoutMs: STOP_GRACE_MS, everyMs: 10 });
    children.delete(name);
    if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.signalCode ?? child.exitCode}`);
  };
  Object.keys(environments).forEach(launch);
  process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
  return {
    exits: () => [...exits],
    pids: () => Object.fromEntries([...children].map(([name, { pid = 0 }]) => [name, pid])),
    async kill9(/** @type {string} */ name) {
      const child = children.get(name);
      if (child) killed.add(child);
      child?.kill('SIGKILL');
      await eventually(`${name} to be started again`, () => children.get(name) !== child, {
        timeoutMs: 10_000,
        everyMs: 5,
      });
    },
    async restart(/** @type {string} */ name, /** @type {Record<string, string>} */ environment = {}) {
      await leave(name);
      environments[name] = { ...environments[name], ...environment };
      launch(name);
    },
    add(/** @type {string} */ name, /** @type {Record<string, string>} */ environment) {
      environments[name] = environment;
      launch(name);
    },
    async remove(/** @type {string} */ name) {
      await leave(name);
      checkouts.delete(name);
    },
    runFrom: (/** @type {string} */ name, checkout = ROOT) => void checkouts.set(name, checkout),
    launch,
    async halt(/** @type {readonly string[]} */ names) {
      const ending = names.flatMap((name) => children.get(name) ?? []);
      ending.forEach((child) => leaving.add(child));
      ending.forEach((child) => child.kill('SIGKILL'));
      await eventually(`${names.join(', ')} to end`, () => ending.every(hasEnded), { timeoutMs: 10_000, everyMs: 5 });
    },
    async stop() {
      stopping = true;
      const all = [...children.values()];
      all.forEach((child) => child.kill('SIGTERM'));
      if (!(await happensWithin(STOP_GRACE_MS, () => all.every(hasEnded))))
        all.forEach((child) => child.kill('SIGKILL'));
    },
  };
}

/** What a program logged when it gave up. */
function lastFatal(/** @type {string} */ file) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return (
    lines.findLast((line) => line.includes('"level":"fatal"'))?.slice(0, 2_000) ??
    `no reason in its log, whose last line is ${lines.at(-1)?.slice(0, 500)}`
  );
}
