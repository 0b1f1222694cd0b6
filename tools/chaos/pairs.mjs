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

/** As the gateway's preStop hook: nodes hear that a pod leaves before the pod does. */
const PRE_STOP_MS = 500;
const WORK_TIMEOUT_MS = 90_000;

/** @typedef {Awaited<ReturnType<typeof startPairs>>} Pairs */

/**
 * Adds a second process of each service, and a balancer before the two gateways, through which the simulator's
 * callbacks go as well.
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
    await end().catch((another) => log(String(another))); // of a process that never came up
    throw error;
  }
  return {
    /** The installation as callers see it: through the balancer. */
    front: { ...installation, baseUrl: `${balancer.url}/v1` },
    /**
     * What an orchestrator does: no new connections for a gateway, SIGTERM, a new process, connections once it is
     * ready.
     * @param {string} process
     * @param {Record<string, string>} [settings] what the new process has beside its own, and those after it
     */
    async roll(process, settings = {}) {
      const port = ports[process];
      if (port !== undefined) {
        balancer.takeOut(port);
        await delay(PRE_STOP_MS);
      }
      await installation.restart(process, settings);
      // What Kubernetes asks before it sends requests again, and no more.
      await eventually(`${process} to take work`, () => installation.takesWork(process), {
        timeoutMs: WORK_TIMEOUT_MS,
      });
      if (port !== undefined) balancer.putBack(port);
    },
    /** Kills a process; a gateway gets no connections until it is up again, as a node sees to it. */
    async kill(/** @type {string} */ process) {
      const port = ports[process];
      await installation.kill9(process);
      if (port !== undefined) balancer.takeOut(port);
      await untilReady(installation, [process]);
      if (port !== undefined) balancer.putBack(port);
    },
    /** Ends the second processes and the balancer. */
    end,
  };
}

/** @returns the name of a service's second process */
export function secondOf(/** @type {string} */ service) {
  return `${service}-2`;
}

/**
 * Waits until so many further requests were carried out, of every kind some, and the customer's server was told of
 * some.
 */
export async function untilCarriedOut(/** @type {MixedLoad} */ { answers, hits, kinds }, /** @type {number} */ count) {
  const [answered, told] = [answers.length, hits.length];
  const isEnough = () => {
    const good = answers.slice(answered).filter(isGood);
    return good.length >= count && new Set(good.map(({ kind }) => kind)).size === kinds.length && hits.length > told;
  };
  await eventually(`${count} requests to be carried out`, isEnough, { timeoutMs: WORK_TIMEOUT_MS, everyMs: 20 });
}

/**
 * What the processes of a service share beyond what callers see: credits, attempts at webhooks, and work that nobody
 * has ended.
 * @returns {Promise<string[]>} what is wrong
 */
export async function compareShared(
  /** @type {Installation} */ installation,
  /** @type {MixedLoad} */ { customer, hits, credits },
) {
  const { accountId } = customer;
  // A delivery that comes while the record is read would be missing there.
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
