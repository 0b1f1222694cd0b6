// @ts-check
import { step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { readBalance } from './balance.mjs';
import { startBalancer } from './balancer.mjs';
import { faultCommand } from './command.mjs';
import { compareDeliveries } from './compare-deliveries.mjs';
import { sentUpstream } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { compareLoad, isGood, startMixedLoad } from './mixed-load.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';
import { readDeliveries } from './webhooks.mjs';
import { withClient } from '../infra/postgres-login.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

/** So many requests are carried out between two kills, so that each of them meets work. */
const ANSWERS_BETWEEN = 40;
const BETWEEN_TIMEOUT_MS = 90_000;

/**
 * Proves promise 37 of ADR 41: two processes of a service take the place of each other, and do nothing twice. What both
 * do by the clock (reconcile, sweep, release, retry) would show as a second send, a second attempt, or a balance that is
 * not what was sent.
 */
export const replicas = faultCommand({
  about:
    'runs two processes of each service and kills random ones under load; compares answers, sends, jobs, codes, webhooks, attempts and credits',
  takes: { long: '8 minutes', short: '3 minutes' },
  long: { kills: 40 },
  short: { kills: 12 },
  async run(installation, { kills, seed }) {
    const seconds = SERVICES.map(secondOf);
    const ports = {
      gateway: installation.portOf('gateway'),
      [secondOf('gateway')]: installation.portOf(secondOf('gateway')),
    };
    const balancer = await startBalancer(Object.values(ports));
    const callbacks = { SIMULATOR_CALLBACK_URL: `${balancer.url}/callbacks/upstream` };
    /** @type {MixedLoad | undefined} */
    let load;
    try {
      await step('a second process of each service', async () => {
        for (const name of seconds) installation.addReplica(name);
        await untilReady(installation, seconds);
      });
      await installation.restart('simulator', callbacks);
      await untilReady(installation, ['simulator']);
      const front = { ...installation, baseUrl: `${balancer.url}/v1` };
      load = await step('account, windows, endpoint', () => startMixedLoad(front, 'replicas'));
      const mixed = load;
      const victims = planVictims(kills, seed);
      await step(`${kills} kills`, async () => {
        for (const process of victims) {
          await untilCarriedOut(mixed);
          await killOne(installation, { process, balancer, port: ports[process] });
        }
      });
      await untilCarriedOut(mixed);
      await mixed.stop();
      const compared = await step('everything settled', () => compareLoad(installation, mixed));
      const more = await compareMore(installation, mixed);
      return report({ victims, load: mixed, compared, more });
    } finally {
      await load?.stop();
      load?.close();
      await Promise.all(seconds.map(installation.removeReplica));
      balancer.close();
      await installation.restart('simulator', {
        SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${installation.portOf('gateway')}/callbacks/upstream`,
      });
    }
  },
});

function secondOf(/** @type {string} */ service) {
  return `${service}-2`;
}

/** Each service in turn, one of its two processes by the seed. @returns {string[]} */
function planVictims(/** @type {number} */ kills, /** @type {number} */ seed) {
  const random = randomFrom(seed);
  return Array.from({ length: kills }, (_, index) => {
    const service = String(SERVICES[index % SERVICES.length]);
    return random() < 0.5 ? service : secondOf(service);
  });
}

/**
 * Kills a process; a gateway gets no connections until it is up again, as a node sees to it.
 * @param {Installation} installation
 * @param {{ process: string, balancer: Awaited<ReturnType<typeof startBalancer>>, port?: number }} options `port`: of a
 * gateway
 */
async function killOne(installation, { process, balancer, port }) {
  await installation.kill9(process);
  if (port !== undefined) balancer.takeOut(port);
  await untilReady(installation, [process]);
  if (port !== undefined) balancer.putBack(port);
}

/** One service is always there, so work goes on while the other one starts. */
async function untilCarriedOut(/** @type {MixedLoad} */ { answers }) {
  const count = () => answers.filter(isGood).length;
  const enough = count() + ANSWERS_BETWEEN;
  await eventually(`${ANSWERS_BETWEEN} requests to be carried out`, () => count() >= enough, {
    timeoutMs: BETWEEN_TIMEOUT_MS,
    everyMs: 20,
  });
}

/**
 * What the two processes share beyond what callers see: credits, attempts at webhooks, and work that nobody has ended.
 * @returns {Promise<string[]>} what is wrong
 */
async function compareMore(
  /** @type {Installation} */ installation,
  /** @type {MixedLoad} */ { customer, hits, credits },
) {
  const { accountId } = customer;
  const [balance, taken, deliveries] = await Promise.all([
    readBalance(installation, accountId),
    sentUpstream(installation, customer),
    readDeliveries(installation, [accountId]),
  ]);
  const codes = await withClient(installation.databaseUrl, async (client) => {
    const sql = "SELECT count(*)::int AS count FROM otp.sends WHERE account_id = $1 AND state = 'accepted'";
    return Number((await client.query(sql, [accountId])).rows[0].count);
  });
  const { unrecorded, undelivered } = compareDeliveries({ hits, ...deliveries });
  const faults = [...unrecorded.map((one) => `not on record: ${one}`), ...undelivered];
  if (balance.balance !== credits - codes)
    faults.push(`the balance is ${balance.balance}, and ${codes} of ${credits} credits were used`);
  if (balance.balance !== balance.ledger)
    faults.push(`the balance is ${balance.balance}, and the ledger comes to ${balance.ledger}`);
  if (taken.length === 0) faults.push('upstream was sent nothing');
  return faults;
}

/**
 * @param {{ victims: string[], load: MixedLoad, compared: Awaited<ReturnType<typeof compareLoad>>, more: string[] }} run
 */
function report({ victims, load, compared: { accepted, refused, lost, doubled, unexpected, again }, more }) {
  const wrong = [...unexpected, ...more];
  figures({
    ...{ kills: victims.length, processes: SERVICES.length * 2, requests: load.answers.length, accepted, refused },
    ...{ lost: lost.length, doubled: doubled.length, unexpected: wrong.length, 'webhooks again': again },
  });
  problems({ lost, doubled, unexpected: wrong });
  return verdict(
    accepted > refused && lost.length + doubled.length + wrong.length === 0,
    'whichever of two processes is lost, the other one goes on, and nothing is lost or done twice',
  );
}
