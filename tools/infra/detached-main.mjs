// @ts-check
// Runs a broker cluster or a database pair of `npm run infra` until it is stopped (detached.mjs). Restarts a server
// that exits, like Kubernetes, and promotes the standby when the primary exits, like CloudNativePG.
import { startPostgresPair } from './postgres-pair.mjs';
import { startBrokerCluster } from './rabbitmq-cluster.mjs';

const LOOK_EVERY_MS = 1000;
/** @type {import('./detached.mjs').Detached} */
const options = JSON.parse(String(process.argv[2]));
const log = (/** @type {string} */ line) => report({ line });

let isEnding = false;
let isBusy = false;
let servers = /** @type {{ stop(): Promise<void> } | undefined} */ (undefined);
for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.once(name, () => void end());

try {
  const { url, logins } = await start();
  report({ addresses: { url, ...(logins && { logins }) } });
} catch (error) {
  report({ error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}

/** @returns {Promise<import('./detached.mjs').Addresses>} */
async function start() {
  if (options.kind === 'cluster') {
    const cluster = await startBrokerCluster({ ...options, log });
    servers = cluster;
    keep(async () => {
      for (const node of cluster.nodes) if (!isEnding && !node.isRunning()) await node.start();
    });
    return cluster;
  }
  const pair = await startPostgresPair({ ...options, log });
  servers = pair;
  keep(async () => {
    if (pair.primary.pids().length === 0) await pair.promote();
    if (pair.standby.pids().length === 0) await pair.rejoin();
  });
  return pair;
}

function keep(/** @type {() => Promise<void>} */ look) {
  setInterval(async () => {
    if (isBusy || isEnding) return;
    isBusy = true;
    await look().catch((error) => log(`! ${error.message}`));
    isBusy = false;
  }, LOOK_EVERY_MS);
}

async function end() {
  isEnding = true;
  await servers?.stop();
  process.exit(0);
}

function report(/** @type {import('./detached.mjs').Report} */ message) {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  else console.log(message);
}
