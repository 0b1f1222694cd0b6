// @ts-check
import { ensureInfra } from '../infra/index.mjs';
import { managementPorts, publicPorts } from './assign-ports.mjs';
import { buildAll, migrateAll, prepareBroker } from './build.mjs';
import { seedDemo } from './demo.mjs';
import { endOrphans, writeRun } from './installation.mjs';
import { writeOperatorEnvironment } from './operator-environment.mjs';
import { ensurePackages } from './packages.mjs';
import { log, step } from './progress.mjs';
import { ensureSecrets } from './secrets.mjs';
import { PROGRAMS, brokerUrlOf, environmentOf, fixedEnvironmentOf, programFile, healthUrl } from './services.mjs';
import { createSupervisor } from './supervisor.mjs';

const READY_TIMEOUT_MS = 120_000;

/**
 * Brings the whole installation up, step by step.
 * @param {(stop: () => Promise<unknown>) => void} onStarted gets the way to end the programs as soon as there are some
 * @returns {Promise<import('./installation.mjs').Demo>}
 */
export async function bringUp(onStarted) {
  const orphans = await endOrphans();
  if (orphans.length > 0) log(`ended what an earlier run left: ${orphans.join(', ')}`);
  const publics = await publicPorts(); // first, since a port that is taken ends it all
  await step(
    'packages',
    () => ensurePackages({ log }),
    (installed) => (installed ? 'installed' : 'up to date'),
  );
  const [infra] = await Promise.all([
    step('PostgreSQL and RabbitMQ', () => ensureInfra({ log })),
    step('build', buildAll),
  ]);
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
  // Chosen only now: the longer a port is chosen before it is used, the likelier someone else takes it.
  return runPrograms({ ...setting, ports: { ...publics, ...(await managementPorts(publics)) } }, onStarted);
}

/**
 * @param {import('./services.mjs').Setting} setting
 * @param {(stop: () => Promise<unknown>) => void} onStarted
 */
async function runPrograms(setting, onStarted) {
  const { ports } = setting;
  const state = { state: /** @type {'starting' | 'ready'} */ ('starting'), ports, programs: {} };
  const programs = PROGRAMS.map((name) => ({
    name,
    file: programFile(name),
    env: environmentOf(name, setting),
    healthUrl: healthUrl(name, ports),
  }));
  const supervisor = createSupervisor(programs, (running) => writeRun(Object.assign(state, { programs: running })));
  onStarted(() => supervisor.stop());
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
