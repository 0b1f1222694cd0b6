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
 * @property {string} databaseUrl admin login to a database of this installation
 * @property {string} loginSuffix suffix of the database login names, which avoids conflicts on a shared server
 * @property {string} rabbitmqUrl administrator's URL, if the broker allows one
 * @property {Record<string, string> | undefined} brokerLogins URLs of the services' and the operator's own logins;
 * undefined when all share one login
 * @property {string | undefined} managementUrl management API on which those logins must be created first
 * @property {string} namespace prefix of exchange and queue names; empty on a private broker or virtual host
 * @property {number} [brokerNodes] number of broker nodes, when there are several
 * @property {{ postgres: string, rabbitmq: string }} chosen kind of each server: given, ports, docker or local
 */

const LOCK = homePath('infra.lock');
const LOCK_TIMEOUT_MS = 300_000;
/** @type {Promise<Infra> | undefined} */
let starting;

/**
 * Finds or starts PostgreSQL and RabbitMQ concurrently. Repeated calls are fast. The servers run until {@link
 * stopInfra}, and no other process stops them while this process is running.
 * @param {{ log: (text: string) => void, brokerNodes?: number | undefined, standby?: boolean | undefined }} options
 * `brokerNodes` and `standby` (of the database) default to their previous values
 * @returns {Promise<Infra>}
 * @throws Error that lists what was tried and what the user can do
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
 * Stops the servers that {@link ensureInfra} started, now or in an earlier run that was killed. Leaves servers running
 * that were only found.
 * @returns {Promise<boolean>} false when another process still needs them and nothing was stopped
 */
export async function stopInfra() {
  if (lockOwner(LOCK) === process.pid) return stopWhileStarting();
  return withLock(LOCK, { timeoutMs: LOCK_TIMEOUT_MS }, stopUnlessUsed);
}

/**
 * Stops during a start: first the servers that are running, which makes the start fail, then those that have come up
 * meanwhile.
 */
async function stopWhileStarting() {
  await stopUnlessUsed();
  await Promise.race([starting?.catch(() => undefined), delay(5000)]);
  return stopUnlessUsed();
}

/**
 * Returns logins on an existing broker, with a suffix of this installation, if its management API allows creating them.
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
 * Removes data outside the home directory: the database on an existing server, containers, and directories in /var/tmp.
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
