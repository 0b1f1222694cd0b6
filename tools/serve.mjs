// @ts-check
// npx nx serve <service>: runs one service in this terminal against the running PostgreSQL and RabbitMQ, and restarts
// it when its code changes. Further arguments are Node flags: `npx nx serve messaging --inspect`. `@nx/js:node` cannot
// do this, because the service's addresses, ports and secrets are known only when it starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { ensureInfra } from './infra/index.mjs';
import { readInfra } from './infra/state.mjs';
import { managementPorts } from './lib/assign-ports.mjs';
import { migrate, prepareBroker } from './lib/build.mjs';
import { ROOT } from './lib/home.mjs';
import { readRun } from './lib/installation.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { anyFreePort, isFree } from './lib/ports.mjs';
import { log, say } from './lib/progress.mjs';
import { mustRun } from './lib/run.mjs';
import { ensureSecrets } from './lib/secrets.mjs';
import {
  environmentOf,
  healthUrl,
  PROGRAMS,
  programFile,
  SERVICE_FLAGS,
  SERVICE_MARK,
  SERVICES,
} from './lib/services.mjs';
import { watchSources } from './lib/watch-sources.mjs';

const [app = '', ...flags] = process.argv.slice(2);
if (!PROGRAMS.some((name) => name === app)) exitWith(`usage: npx nx serve ${PROGRAMS.join('|')} [<flag of Node> …]`);
if (!(await isInfraRunning())) exitWith('PostgreSQL and RabbitMQ are not running. Start them: npm run infra');

await ensurePackages({ log }); // Selects the Node that runs the service.
const setting = { infra: await ensureInfra({ log }), secrets: ensureSecrets(), ports: await choosePorts() };
/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
let running = '';
let isStopping = false;

await start();
const endWatch = await watchSources({ renew });
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, () => void end());

/** Returns true when the servers that this checkout used last accept connections. */
async function isInfraRunning() {
  const { postgres, rabbitmq } = readInfra();
  const urls = [postgres?.url ?? process.env['SWITCHBOARD_DATABASE_URL'], rabbitmq?.url ?? process.env['RABBITMQ_URL']];
  return (await Promise.all(urls.map((url) => url !== undefined && accepts(new URL(url))))).every(Boolean);
}

/** @param {URL} url @returns {Promise<boolean>} */
function accepts({ protocol, hostname, port }) {
  return new Promise((resolve) => {
    const socket = createConnection(Number(port || (protocol.startsWith('amqp') ? 5672 : 5432)), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * Keeps the public ports of `npm start`, which the other services use, unless this service needs one that is occupied.
 */
async function choosePorts() {
  const { GATEWAY_PORT = 3000, SIMULATOR_PORT = 3900 } = process.env;
  const publics = { gateway: Number(GATEWAY_PORT), simulator: Number(SIMULATOR_PORT), ...readRun()?.ports };
  for (const name of /** @type {const} */ (['gateway', 'simulator']))
    if (name === app && !(await isFree(publics[name]))) publics[name] = await anyFreePort();
  return { ...publics, ...(await managementPorts(publics)) };
}

async function start() {
  running = readFileSync(programFile(app), 'utf8');
  if (SERVICES.some((name) => name === app)) {
    await migrate(app, setting);
    await prepareBroker(setting);
  }
  if (isStopping) return;
  // Omit the marker of `npm start` programs, because a later start would kill a program that has it
  const env = environmentOf(app, setting);
  delete env[SERVICE_MARK];
  child = spawn(process.execPath, [...SERVICE_FLAGS, ...flags, programFile(app)], { cwd: ROOT, env, stdio: 'inherit' });
  const { pid } = child;
  child.once('exit', (code, signal) => {
    if (child?.pid === pid && !isStopping)
      log(`! ${app} exited (${signal ?? `code ${code}`}); a change of a source file starts it again`);
  });
  const { origin, port } = new URL(healthUrl(app, setting.ports));
  const address = app === 'gateway' ? `, API http://127.0.0.1:${setting.ports.gateway}` : '';
  log(`${app}: process ${pid}, ${app === 'simulator' ? 'page' : 'management'} port ${port} (${origin})${address}`);
}

/** Builds the service and restarts it when its bundle has changed. */
async function renew() {
  await mustRun(process.execPath, ['tools/bundle.mjs', `apps/${app}`], { cwd: ROOT });
  if (readFileSync(programFile(app), 'utf8') === running) return [];
  await stop();
  await start();
  return [app];
}

async function stop() {
  const stopped = child;
  child = undefined;
  if (!stopped || stopped.exitCode !== null || stopped.signalCode !== null) return;
  stopped.kill('SIGTERM');
  await once(stopped, 'exit');
}

async function end() {
  if (isStopping) return;
  isStopping = true;
  await endWatch();
  await stop();
  process.exit(0);
}

/** @param {string} text @returns {never} */
function exitWith(text) {
  say(text);
  process.exit(1);
}
