// @ts-check
// Runs an installation with every program in its image, with a private PostgreSQL and RabbitMQ.
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPrivateBroker, startPrivatePostgres } from '../infra/index.mjs';
import { withClient, withDatabase } from '../infra/postgres-login.mjs';
import { BROKER_PORTS } from '../infra/rabbitmq-private.mjs';
import { brokerSetUpEnvironment } from '../lib/build.mjs';
import { anyFreePort, freeBlock } from '../lib/ports.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { log, step } from '../lib/progress.mjs';
import { lastLines } from '../lib/run.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { databaseUrlOf, fixedEnvironmentOf, healthUrl, PROGRAMS, SERVICES, STOP_GRACE_MS } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { runInImage, startImage } from './container.mjs';

const READY_TIMEOUT_MS = 180_000;
const DATABASE = 'switchboard';
const NODE = ['node', '--enable-source-maps'];

/**
 * Sets up the broker, migrates each schema, starts every program, waits until all are ready, and stops them.
 * @param {string} folder
 * @param {Map<string, import('./container.mjs').Image>} images images by program
 */
export async function runInstallation(folder, images) {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  const [database, broker, first] = await Promise.all([
    step('a PostgreSQL of its own', async () =>
      startPrivatePostgres({ dir: join(folder, 'postgres'), port: await anyFreePort() }),
    ),
    step('a RabbitMQ of its own', async () =>
      startPrivateBroker({ dir: join(folder, 'rabbitmq'), port: await freeBlock('images broker', BROKER_PORTS), log }),
    ),
    freeBlock('images services', PROGRAMS.length + 1),
  ]);
  const names = ['gateway', 'simulator', ...SERVICES.map((service) => `${service}:management`)];
  const setting = {
    infra: {
      databaseUrl: withDatabase(database.url, DATABASE),
      loginSuffix: '',
      rabbitmqUrl: broker.url,
      brokerLogins: broker.logins,
      managementUrl: undefined,
      namespace: '',
      chosen: { postgres: 'local', rabbitmq: 'local' },
    },
    secrets: ensureSecrets(),
    ports: Object.fromEntries(names.map((name, index) => [name, first + index])),
  };
  const create = `CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'UTF8'`;
  await withClient(database.url, (client) => client.query(create));
  const started = Date.now();
  await mustRunIn(images, 'gateway', brokerSetUpEnvironment(setting), 'prepare-broker.mjs');
  for (const service of SERVICES) {
    const logins = { DATABASE_ADMIN_URL: setting.infra.databaseUrl, DATABASE_URL: databaseUrlOf(service, setting) };
    await mustRunIn(images, service, logins, 'migrate.mjs');
  }
  log(`set up by the images' own programs (${seconds(started)})`);
  const children = PROGRAMS.map((program) => start(folder, imageOf(images, program), program, setting));
  try {
    await Promise.all(children.map(({ isReady }) => isReady));
    await Promise.all(children.map(({ stop }) => stop()));
  } finally {
    for (const { child } of children) child.kill('SIGKILL');
    await Promise.all([broker.stop(), database.stop()]);
  }
}

/** @param {string} folder @param {import('./container.mjs').Image} image @param {string} program @param {import('../lib/services.mjs').Setting} setting */
function start(folder, image, program, setting) {
  const file = join(folder, `${program}.log`);
  const output = openSync(file, 'w', 0o600);
  const environment = {
    ...fixedEnvironmentOf(program, setting),
    LISTEN_ADDRESS: '127.0.0.1',
    SIMULATOR_HOST: '127.0.0.1',
    CONNECTION_DRAIN_SECONDS: '0',
    BLOB_DIR: '/var/lib/switchboard/blobs',
    UPSTREAM_BASE_URL: `http://127.0.0.1:${setting.ports['simulator']}`,
    PUBLIC_BASE_URL: `http://localhost:${setting.ports['gateway']}`,
    SIMULATOR_PAGE_URL: `http://localhost:${setting.ports['simulator']}`,
  };
  const begin = Date.now();
  const child = startImage(image, environment, output);
  closeSync(output);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const isGood = () =>
    fetch(healthUrl(program, setting.ports)).then(
      ({ ok }) => ok,
      () => false,
    );
  const ready = async () => {
    await eventually(`${program} to be ready`, async () => hasEnded() || (await isGood()), {
      timeoutMs: READY_TIMEOUT_MS,
    }).catch((/** @type {Error} */ error) => {
      throw new Error(`${error.message}\n${lastLines(readFileSync(file, 'utf8'), 10)}`);
    });
    if (hasEnded()) throw new Error(`${program} ended:\n${lastLines(readFileSync(file, 'utf8'), 10)}`);
    log(`${program} is ready from its image, on a read-only root (${seconds(begin)})`);
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await eventually(`${program} to end`, hasEnded, { timeoutMs: STOP_GRACE_MS });
    if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.signalCode ?? child.exitCode}`);
  };
  const isReady = ready();
  isReady.catch(() => undefined); // The caller awaits all of them and reports the error.
  return { child, isReady, stop };
}

/** @param {Map<string, import('./container.mjs').Image>} images @param {string} program */
function imageOf(images, program) {
  const image = images.get(program);
  if (!image) throw new Error(`no image of ${program}`);
  return image;
}

/** @param {Map<string, import('./container.mjs').Image>} images @param {string} program @param {Record<string, string>} environment @param {string} entry */
async function mustRunIn(images, program, environment, entry) {
  const { code, output } = await runInImage(imageOf(images, program), environment, ...NODE, entry);
  if (code !== 0) throw new Error(`${entry} of ${program} ended with ${code}:\n${lastLines(output, 20)}`);
}

function seconds(/** @type {number} */ since) {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}
