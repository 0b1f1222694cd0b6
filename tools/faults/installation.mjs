// @ts-check
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInfra, startPrivateBroker, startPrivatePostgres } from '../infra/index.mjs';
import { stopPrivatePostgres } from '../infra/postgres-private.mjs';
import { stopPrivateBroker } from '../infra/rabbitmq-private.mjs';
import { withClient, withDatabase } from '../infra/postgres-login.mjs';
import { buildAll } from '../lib/build.mjs';
import { homePath, ROOT } from '../lib/home.mjs';
import { anyFreePort, freeBlock } from '../lib/ports.mjs';
import { log, step } from '../lib/progress.mjs';
import { mustRun } from '../lib/run.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { databaseUrlOf, environmentOf, HOME_MARK, programFile, readyUrl, SERVICE_FLAGS, SERVICE_MARK, SERVICES } from '../lib/services.mjs';
import { eventually, happensWithin } from '../lib/wait.mjs';

const READY_TIMEOUT_MS = 60_000;
const BROKER_PORTS = 4;

/** @typedef {import('../lib/services.mjs').Setting} Setting */

/**
 * @typedef {object} Installation a running installation that may be mistreated
 * @property {string} baseUrl of the API, with its version
 * @property {string} simulatorUrl
 * @property {string} databaseUrl an admin login to its database
 * @property {(name: string) => Promise<boolean>} isReady
 * @property {(name: string) => Promise<void>} kill9 kills a program and starts it again at once
 * @property {(name: string) => Promise<string[]>} readiness the parts that a program says are not ready; none when it is
 * @property {import('../infra/rabbitmq-private.mjs').PrivateBroker} broker
 * @property {import('../infra/postgres-private.mjs').PrivatePostgres | undefined} database its own server, when it has one
 * @property {() => Record<string, number>} pids the process of each program
 * @property {() => Promise<void>} killBroker kills the broker and returns when it is up again, with what it had stored
 * @property {(...args: string[]) => Promise<Record<string, any>>} ops runs an operator command with --json
 * @property {() => string[]} exits programs that ended by themselves, with the code or signal of each
 * @property {() => Promise<void>} stop ends everything and removes its data; the logs stay
 * @property {string} logFolder
 * @property {string} brokerFolder what its broker has stored
 */

/**
 * Starts programs from dist on free ports, with a database of their own on the found server and a broker of their own.
 * @param {{ name: string, programs: string[], environment: Record<string, string>, ownDatabase?: boolean }} options `environment` goes to every
 * program; `ownDatabase` starts a PostgreSQL for it alone, which may be mistreated, too
 * @returns {Promise<Installation>}
 */
export async function startInstallation({ name, programs, environment, ownDatabase = false }) {
  const folder = homePath('faults', name, 'log');
  mkdirSync(folder, { recursive: true });
  const [found] = await Promise.all([step('PostgreSQL and RabbitMQ', () => ensureInfra({ log })), step('build', buildAll)]);
  const database = ownDatabase ? await step('a PostgreSQL of its own', () => startFreshPostgres(homePath('faults', name, 'postgres'))) : undefined;
  const infra = { ...found, databaseUrl: database?.url ?? found.databaseUrl };
  const port = await freeBlock(`faults ${name}`, BROKER_PORTS);
  const brokerFolder = homePath('faults', name, 'rabbitmq');
  const broker = await step('a broker of its own', () => startFreshBroker(brokerFolder, port));
  const mark = `_faults_${process.pid}`;
  const databaseUrl = withDatabase(infra.databaseUrl, `switchboard${mark}`);
  const setting = {
    infra: { ...infra, databaseUrl, loginSuffix: `${infra.loginSuffix}${mark}`, rabbitmqUrl: broker.url, namespace: '' },
    secrets: ensureSecrets(),
    ports: await choosePorts(),
  };
  await step('database', () => makeDatabase(infra.databaseUrl, setting, SERVICES.filter((service) => programs.includes(service))));
  const environments = Object.fromEntries(programs.map((program) => [program, environmentFor(program, setting, environment)]));
  const running = keepRunning(environments, folder);
  const isReady = (/** @type {string} */ program) => fetch(readyUrl(program, setting.ports)).then(({ ok }) => ok, () => false);
  await step('services', () => Promise.all(programs.map((program) => eventually(`${program} to be ready`, () => isReady(program), { timeoutMs: READY_TIMEOUT_MS }))));
  return {
    baseUrl: `http://127.0.0.1:${setting.ports['gateway']}/v1`,
    simulatorUrl: `http://127.0.0.1:${setting.ports['simulator']}`,
    databaseUrl,
    isReady,
    readiness: (program) => readinessOf(readyUrl(program, setting.ports)),
    broker,
    database,
    kill9: running.kill9,
    pids: running.pids,
    killBroker: async () => {
      await broker.kill9();
      await broker.start();
    },
    exits: running.exits,
    ops: (...args) => runOperatorCommand(args, environmentFor('gateway', setting, environment)),
    logFolder: folder,
    brokerFolder,
    stop: async () => {
      await running.stop();
      await broker.stop();
      rmSync(brokerFolder, { recursive: true, force: true });
      if (database) await removePostgres(homePath('faults', name, 'postgres'));
      else await dropDatabase(infra.databaseUrl, setting);
    },
  };
}

/** Without the messages of an earlier run that was interrupted. */
async function startFreshBroker(/** @type {string} */ dir, /** @type {number} */ port) {
  await stopPrivateBroker(dir);
  rmSync(dir, { recursive: true, force: true });
  return startPrivateBroker({ dir, port, log });
}

async function startFreshPostgres(/** @type {string} */ dir) {
  await removePostgres(dir);
  return startPrivatePostgres({ dir, port: await anyFreePort() });
}

async function removePostgres(/** @type {string} */ dir) {
  await stopPrivatePostgres(dir);
  rmSync(dir, { recursive: true, force: true });
}

/** What a program that is not ready names; itself when it does not even answer. @returns {Promise<string[]>} */
async function readinessOf(/** @type {string} */ url) {
  const answer = await fetch(url).catch(() => undefined);
  return answer ? /** @type {{ failed: string[] }} */ (await answer.json()).failed : ['no answer'];
}

async function choosePorts() {
  const names = ['gateway', 'simulator', ...SERVICES.map((service) => `${service}:management`)];
  const entries = [];
  for (const name of names) entries.push(/** @type {const} */ ([name, await anyFreePort()]));
  return Object.fromEntries(entries);
}

/** Without the marks of the checkout's own installation, whose start would otherwise end these programs as left over. */
function environmentFor(/** @type {string} */ program, /** @type {Setting} */ setting, /** @type {Record<string, string>} */ more) {
  const environment = Object.entries(environmentOf(program, setting)).filter(([name]) => name !== HOME_MARK && name !== SERVICE_MARK);
  return { ...Object.fromEntries(environment), UPSTREAM_BASE_URL: `http://127.0.0.1:${setting.ports['simulator']}`, ...more };
}

async function makeDatabase(/** @type {string} */ serverUrl, /** @type {Setting} */ setting, /** @type {string[]} */ services) {
  const name = new URL(setting.infra.databaseUrl).pathname.slice(1);
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  for (const service of services) {
    const env = { ...process.env, DATABASE_ADMIN_URL: setting.infra.databaseUrl, DATABASE_URL: databaseUrlOf(service, setting) };
    await mustRun(process.execPath, [programFile(service, 'migrate')], { cwd: ROOT, env, timeoutMs: 120_000 });
  }
}

async function dropDatabase(/** @type {string} */ serverUrl, /** @type {Setting} */ setting) {
  const name = new URL(setting.infra.databaseUrl).pathname.slice(1);
  await withClient(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    for (const service of SERVICES) await client.query(`DROP ROLE IF EXISTS ${client.escapeIdentifier(new URL(databaseUrlOf(service, setting)).username)}`);
  });
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
  let stopping = false;
  const launch = (/** @type {string} */ name) => {
    const output = openSync(join(logFolder, `${name}.log`), children.has(name) ? 'a' : 'w');
    const child = spawn(process.execPath, [...SERVICE_FLAGS, programFile(name)], { cwd: ROOT, env: environments[name], stdio: ['ignore', output, output] });
    closeSync(output);
    children.set(name, child);
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (!killed.has(child)) exits.push(`${name} (${signal ?? code})`);
      launch(name);
    });
  };
  const hasEnded = (/** @type {import('node:child_process').ChildProcess} */ child) => child.exitCode !== null || child.signalCode !== null;
  Object.keys(environments).forEach(launch);
  process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
  return {
    exits: () => [...exits],
    pids: () => Object.fromEntries([...children].map(([name, { pid = 0 }]) => [name, pid])),
    async kill9(/** @type {string} */ name) {
      const child = children.get(name);
      if (child) killed.add(child);
      child?.kill('SIGKILL');
      await eventually(`${name} to be started again`, () => children.get(name) !== child, { timeoutMs: 10_000, everyMs: 5 });
    },
    async stop() {
      stopping = true;
      const all = [...children.values()];
      all.forEach((child) => child.kill('SIGTERM'));
      if (!(await happensWithin(10_000, () => all.every(hasEnded)))) all.forEach((child) => child.kill('SIGKILL'));
    },
  };
}

async function runOperatorCommand(/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) {
  const output = await mustRun(process.execPath, [programFile('gateway', 'ops'), ...args, '--json'], { cwd: ROOT, env, timeoutMs: 60_000 });
  return JSON.parse(output.slice(output.indexOf('{')));
}
