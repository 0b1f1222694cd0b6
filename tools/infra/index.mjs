// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HOME, HOME_ID, SHARED_HOME, homePath } from '../lib/home.mjs';
import { lockOwner, withLock } from '../lib/lock.mjs';
import { tightenIfWide } from '../lib/private-files.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { outsideOf } from './as-nobody.mjs';
import { loginUrls } from './broker-logins.mjs';
import { removeFromDocker, stopInDocker } from './docker.mjs';
import { dropOwnDatabase } from './postgres-login.mjs';
import { findPostgresBinaries } from './postgres-private.mjs';
import { pairFolders } from './postgres-pair.mjs';
import { findPostgres, PAIR, stopOwnPostgres } from './postgres.mjs';
import { findRabbitmq, stopOwnRabbitmq } from './rabbitmq.mjs';
import { holdInfra, otherUsers, readInfra, releaseInfra } from './state.mjs';

export { startBrokerCluster } from './rabbitmq-cluster.mjs';
export { startPrivateBroker } from './rabbitmq-private.mjs';
export { startPrivateRedis } from './redis.mjs';
export { watchInfra } from './watch.mjs';
export { startPrivatePostgres } from './postgres-private.mjs';

/**
 * @typedef {object} Infra
 * @property {string} databaseUrl an admin login to a database of our own
 * @property {string} loginSuffix what the names of our database logins end with, so that they clash with no one's
 * @property {string} rabbitmqUrl an administrator's, where the broker lets us have one
 * @property {Record<string, string> | undefined} brokerLogins the addresses of the services' own logins, and of the
 * operator's; undefined when all must share one login
 * @property {string | undefined} managementUrl where those logins must be made first
 * @property {string} namespace what the names of our exchanges and queues begin with; empty when the broker or virtual
 * host is ours
 * @property {number} [brokerNodes] nodes of the broker, where there are several
 * @property {{ postgres: string, rabbitmq: string }} chosen given, ports, docker or local
 */

const LOCK = homePath('infra.lock');
const LOCK_TIMEOUT_MS = 300_000;
/** @type {Promise<Infra> | undefined} */
let starting;

/**
 * Finds or starts PostgreSQL and RabbitMQ, each for itself and both at once. Doing it again is quick. They keep running
 * until {@link stopInfra}; while this process lives no other one stops them.
 * @param {{ log: (text: string) => void, brokerNodes?: number | undefined, standby?: boolean | undefined }} options
 * `brokerNodes`, and whether the database has a standby: by default as the last time
 * @returns {Promise<Infra>}
 * @throws Error naming what was tried and what the user can do
 */
export async function ensureInfra({ log, brokerNodes, standby }) {
  starting = withLock(LOCK, { timeoutMs: LOCK_TIMEOUT_MS }, () => findBoth({ log, brokerNodes, standby }));
  return starting;
}

/** @param {Parameters<typeof ensureInfra>[0]} options @returns {Promise<Infra>} */
async function findBoth({ log, brokerNodes, standby }) {
  tightenIfWide(HOME);
  holdInfra();
  const earlier = readInfra();
  const [postgres, rabbitmq] = await Promise.allSettled([
    findPostgres(earlier.postgres, log, standby),
    findRabbitmq(earlier.rabbitmq, log, brokerNodes),
  ]);
  if (postgres.status === 'rejected' || rabbitmq.status === 'rejected') {
    throw new Error(
      [postgres, rabbitmq]
        .flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []))
        .join('\n'),
    );
  }
  return {
    databaseUrl: postgres.value.url,
    loginSuffix: postgres.value.suffix ?? '',
    rabbitmqUrl: rabbitmq.value.url,
    brokerLogins: rabbitmq.value.logins ?? brokerLoginsOn(rabbitmq.value),
    managementUrl: rabbitmq.value.managementUrl,
    namespace: rabbitmq.value.namespace ?? '',
    chosen: { postgres: postgres.value.kind, rabbitmq: rabbitmq.value.kind },
  };
}

/**
 * Stops what {@link ensureInfra} started here, now or in an earlier run that was killed. Servers that were found are
 * left alone.
 * @returns {Promise<boolean>} false when another process still needs them and nothing was stopped
 */
export async function stopInfra() {
  if (lockOwner(LOCK) === process.pid) return stopWhileStarting();
  return withLock(LOCK, { timeoutMs: LOCK_TIMEOUT_MS }, stopUnlessUsed);
}

/**
 * Asked to stop in the midst of starting: what runs is ended, which makes the start fail, and then what came up in
 * between.
 */
async function stopWhileStarting() {
  await stopUnlessUsed();
  await Promise.race([starting?.catch(() => undefined), delay(5000)]);
  return stopUnlessUsed();
}

/**
 * On a broker that was found: logins that carry our mark, when its management API lets us make them.
 * @param {import('./state.mjs').Found} found
 */
function brokerLoginsOn({ url, managementUrl }) {
  return managementUrl === undefined
    ? undefined
    : loginUrls(url, { seed: ensureSecrets().brokerSeed, suffix: `_${HOME_ID}` });
}

async function stopUnlessUsed() {
  releaseInfra();
  if (otherUsers().length > 0) return false;
  const { postgres, rabbitmq } = readInfra();
  await Promise.all([
    postgres?.kind === 'docker' ? stopInDocker('postgres') : stopOwnPostgres(),
    rabbitmq?.kind === 'docker' ? stopInDocker('rabbitmq') : stopOwnRabbitmq(),
  ]);
  return true;
}

/**
 * Removes what the infrastructure keeps outside the home folder: our database on a server that was found, containers,
 * stand-in folders.
 */
export async function removeInfraData() {
  const { postgres, rabbitmq } = readInfra();
  if (postgres?.kind === 'given' || postgres?.kind === 'ports') await dropOwnDatabase(postgres.url, HOME_ID);
  if (postgres?.kind === 'docker' || rabbitmq?.kind === 'docker') await removeFromDocker();
  const folders = [
    join(HOME, 'postgres'),
    ...pairFolders(PAIR),
    ...(HOME === SHARED_HOME ? [findPostgresBinaries(), join(HOME, 'rabbitmq')] : []),
  ];
  for (const folder of folders) if (folder) rmSync(outsideOf(folder), { recursive: true, force: true });
}
