// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { readBalance } from './balance.mjs';
import { startBalancer } from './balancer.mjs';
import { compareDeliveries } from './compare-deliveries.mjs';
import { sentUpstream } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { isGood } from './mixed-load.mjs';
import { readDeliveries } from './webhooks.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

/** Delay between removing an endpoint and SIGTERM, as in the gateway's preStop hook. */
const PRE_STOP_MS = 500;
const WORK_TIMEOUT_MS = 90_000;

/** @typedef {Awaited<ReturnType<typeof startPairs>>} Pairs */

/**
 * Adds a second process of each service, and a balancer in front of both gateways, which the simulator's callbacks also
 * use.
 * @param {Installation} installation
 */
export async function startPairs(installation) {
  const seconds = SERVICES.map(secondOf);
  /** @type {Record<string, number>} */
  const ports = Object.fromEntries(['gateway', secondOf('gateway')].map((name) => [name, installation.portOf(name)]));
  const balancer = await startBalancer(Object.values(ports));
  const sendCallbacksTo = async (/** @type {string} */ url) => {
    await installation.restart('simulator', { SIMULATOR_CALLBACK_URL: `${url}/callbacks/upstream` });
    await untilReady(installation, ['simulator']);
  };
  const end = async () => {
    await Promise.all(seconds.map(installation.removeReplica));
    balancer.close();
    await sendCallbacksTo(`http://127.0.0.1:${installation.portOf('gateway')}`);
  };
  try {
    await step('a second process of each service', async () => {
      for (const name of seconds) installation.addReplica(name);
      await untilReady(installation, seconds);
    });
    await sendCallbacksTo(balancer.url);
  } catch (error) {
    await end().catch((another) => log(String(another))); // of a process that never started
    throw error;
  }
  return {
    /** Installation as seen through the balancer. */
    front: { ...installation, baseUrl: `${balancer.url}/v1` },
    /**
     * Replaces a process as an orchestrator does: stops new connections, sends SIGTERM, starts a new process, and
     * routes connections to that process once it is ready.
     * @param {string} process
     * @param {Record<string, string>} [settings] overrides for the new process and later ones
     */
    async roll(process, settings = {}) {
      const port = ports[process];
      if (port !== undefined) {
        balancer.takeOut(port);
        await delay(PRE_STOP_MS);
      }
      await installation.restart(process, settings);
      // Wait for the readiness probe only, as Kubernetes does.
      await eventually(`${process} to take work`, () => installation.takesWork(process), {
        timeoutMs: WORK_TIMEOUT_MS,
      });
      if (port !== undefined) balancer.putBack(port);
    },
    /** Kills a process. A gateway gets no connections until it is ready again, as in Kubernetes. */
    async kill(/** @type {string} */ process) {
      const port = ports[process];
      await installation.kill9(process);
      if (port !== undefined) balancer.takeOut(port);
      await untilReady(installation, [process]);
      if (port !== undefined) balancer.putBack(port);
    },
    /** Stops the second processes and the balancer. */
    end,
  };
}

/** @returns name of a service's second process */
export function secondOf(/** @type {string} */ service) {
  return `${service}-2`;
}

/** Waits for more successful requests, including every kind, and for webhooks. */
export async function untilCarriedOut(/** @type {MixedLoad} */ { answers, hits, kinds }, /** @type {number} */ count) {
  const [answered, told] = [answers.length, hits.length];
  const isEnough = () => {
    const good = answers.slice(answered).filter(isGood);
    return good.length >= count && new Set(good.map(({ kind }) => kind)).size === kinds.length && hits.length > told;
  };
  await eventually(`${count} requests to be carried out`, isEnough, { timeoutMs: WORK_TIMEOUT_MS, everyMs: 20 });
}

/**
 * Checks data that callers cannot see: credits, webhook attempts, and unfinished work.
 * @returns {Promise<string[]>} violations
 */
export async function compareShared(
  /** @type {Installation} */ installation,
  /** @type {MixedLoad} */ { customer, hits, credits },
) {
  const { accountId } = customer;
  // Copy first, because a hit that arrives while the records are read would seem unrecorded.
  const seen = [...hits];
  const [balance, taken, deliveries] = await Promise.all([
    readBalance(installation, accountId),
    sentUpstream(installation, customer),
    readDeliveries(installation, [accountId]),
  ]);
  const codes = await withClient(installation.databaseUrl, async (client) => {
    const sql = "SELECT count(*)::int AS count FROM otp.sends WHERE account_id = $1 AND state = 'accepted'";
    return Number((await client.query(sql, [accountId])).rows[0].count);
  });
  const { unrecorded, undelivered } = compareDeliveries({ hits: seen, ...deliveries });
  const faults = [...unrecorded.map((one) => `not on record: ${one}`), ...undelivered];
  if (balance.balance !== credits - codes)
    faults.push(`the balance is ${balance.balance}, and ${codes} of ${credits} credits were used`);
  if (balance.balance !== balance.ledger)
    faults.push(`the balance is ${balance.balance}, and the ledger comes to ${balance.ledger}`);
  if (taken.length === 0) faults.push('upstream was sent nothing');
  return faults;
}
