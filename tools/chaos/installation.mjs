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
/** Name suffixes of a service's additional processes. */
const FURTHER = ['-2', '-3', '-4'];

/** @typedef {import('../lib/services.mjs').Setting} Setting */

/**
 * @typedef {object} Installation a running installation for fault injection, with its own programs, database server and
 * broker
 * @property {string[]} programs
 * @property {string} baseUrl versioned base URL of the API
 * @property {string} simulatorUrl
 * @property {string} databaseUrl admin login of the database
 * @property {(name: string) => Promise<boolean>} isReady returns true when a program and its dependencies work
 * @property {(name: string) => Promise<boolean>} takesWork returns true when a service reports ready; false without a
 * response
 * @property {(name: string) => Promise<boolean>} isLive returns true when a service reports live; false without a
 * response
 * @property {(name: string) => Promise<string[]>} failing dependencies that a program reports as failing
 * @property {(name: string) => Promise<Map<string, number>>} metrics the service's metrics by name and labels
 * @property {(name: string) => Promise<void>} kill9 kills a program and restarts it immediately, without waiting until
 * it is ready
 * @property {(name: string, environment?: Record<string, string>) => Promise<void>} restart stops a program with
 * SIGTERM as an orchestrator does, and starts it with the overrides in `environment`, which later starts keep. Does not
 * wait until it is ready. Throws when the program does not stop cleanly
 * @property {(name: string, environment?: Record<string, string>) => void} addReplica starts an additional process of a
 * service: `gateway-2` to `gateway-4`
 * @property {(name: string) => Promise<void>} removeReplica stops an additional process
 * @property {(process: string, checkout?: string) => void} runFrom selects the checkout whose build a process runs from
 * its next start on; this checkout by default
 * @property {(name: string) => number} portOf API port of a gateway process
 * @property {(name: string) => number} managementPortOf management port of a service process
 * @property {() => Promise<void>} killBroker kills the broker and waits until it is up again with its stored messages
 * @property {import('../infra/rabbitmq-private.mjs').PrivateBroker} broker dedicated broker
 * @property {import('../infra/rabbitmq-cluster.mjs').BrokerCluster} [cluster] all broker nodes, when there are several
 * @property {import('../infra/postgres-pair.mjs').PostgresPair} [pair] both database servers, when there are two
 * @property {import('../infra/postgres-private.mjs').PrivatePostgres} database dedicated database server
 * @property {() => Record<string, number>} pids process ids by program
 * @property {(...args: string[]) => Promise<Record<string, any>>} ops runs an operator command with `--json`
 * @property {() => string[]} exits programs that exited unexpectedly and were restarted
 * @property {() => Promise<void>} restore starts stopped parts, clears the simulator's faults, and waits until every
 * program is ready
 * @property {() => Promise<void>} stop stops everything and deletes its data, except for the logs
 * @property {string} logFolder
 * @property {string} probeFolder folder to which programs write their memory usage on SIGUSR2 (`memory-probe.mjs`)
 * @property {string} brokerFolder data folder of the broker
 * @property {string} blobFolder blob folder of the services
 * @property {(names: readonly string[]) => Promise<void>} halt kills programs with SIGKILL without restarting them
 * @property {(names: readonly string[]) => void} launch starts halted programs without waiting until they are ready
 * @property {() => Promise<void>} emptyBroker replaces the broker with an empty one that has the logins and this
 * version's queues
 * @property {(root: string) => Promise<void>} prepareBroker also sets the broker up for the version of another checkout
 * @property {(entry: 'migrate', ...args: string[]) => Promise<void>} onEachSchema runs a schema program of each service
 * as an administrator
 */

/**
 * @typedef {object} InstallationOptions
 * @property {string} name name of its folder below `.local/chaos`; replaces an earlier installation of the same name
 * @property {Record<string, string>} [environment] environment of every program
 * @property {string} [postgresPrograms] folder of the PostgreSQL programs; the first one found by default
 * @property {number} [brokerNodes] size of the RabbitMQ cluster behind a TCP proxy; by default one node without a proxy
 * @property {boolean} [standby] true for a primary with a synchronous standby behind a TCP proxy
 */

/**
 * Starts every program from dist on free ports, with a dedicated PostgreSQL and RabbitMQ.
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

/** @returns name of the service that a process belongs to: `gateway` for `gateway-2` */
function serviceOf(/** @type {string} */ process) {
  const further = FURTHER.find((suffix) => process.endsWith(suffix));
  return further ? process.slice(0, -further.length) : process;
}

/** Returns the ports of an additional process, under the names that the first process uses. */
function portsOf(/** @type {string} */ process, /** @type {Record<string, number>} */ ports) {
  const own = Object.entries(ports).flatMap(([name, port]) =>
    name.startsWith(process) ? [[serviceOf(process) + name.slice(process.length), port]] : [],
  );
  return { ...ports, ...Object.fromEntries(own) };
}

/** Starts a broker without the messages of an interrupted run. */
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

/**
 * Keeps the logs of the cluster's nodes next to those of the services, because they show when a node lost contact with
 * another.
 */
function keepLogs(
  /** @type {import('../infra/rabbitmq-cluster.mjs').BrokerNode[]} */ nodes,
  /** @type {{ log: string, rabbitmq: string }} */ folders,
) {
  for (const [index, { name }] of nodes.entries()) {
    const log = join(folders.rabbitmq, `node-${index + 1}`, 'log', `${name}.log`);
    if (existsSync(log)) copyFileSync(log, join(folders.log, `${name}.log`));
  }
}

/** Stops the broker in a directory, whether a single node or a cluster. */
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

/** Stops the database in a directory, whether a single server or a pair. */
async function removePostgres(/** @type {string} */ dir) {
  await Promise.all([stopPrivatePostgres(dir), stopPostgresPair(dir)]);
  rmSync(dir, { recursive: true, force: true });
}

function isGood(/** @type {string} */ url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Returns the dependencies that a program reports as failing, or `no answer` when it does not respond.
 * @returns {Promise<string[]>}
 */
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

/** Restarts everything that a test stopped or left stopped. */
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
 * Reserves ports from a block, because the operating system could assign a random free port to an outgoing connection
 * while a program is down.
 */
async function choosePorts(/** @type {string} */ name) {
  const allOf = (/** @type {string} */ service) => [service, ...FURTHER.map((suffix) => `${service}${suffix}`)];
  const management = SERVICES.flatMap(allOf).map((process) => `${process}:management`);
  const names = [...allOf('gateway'), 'simulator', ...management];
  const first = await freeBlock(`chaos ${name} services`, names.length);
  return Object.fromEntries(names.map((port, index) => [port, first + index]));
}

/**
 * Removes the markers of the checkout's own installation, which would otherwise kill these programs as leftovers when
 * it starts.
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

/** Runs a program of each service concurrently, with both database logins. */
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
 * Starts each program and restarts it when it exits, unless the installation is stopping.
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
  /** Checkouts of the processes that do not run this checkout's build. @type {Map<string, string>} */
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
  /** Stops a process and waits until it has exited. */
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

/** Returns a program's last fatal log entry. */
function lastFatal(/** @type {string} */ file) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return (
    lines.findLast((line) => line.includes('"level":"fatal"'))?.slice(0, 2_000) ??
    `no reason in its log, whose last line is ${lines.at(-1)?.slice(0, 500)}`
  );
}
