// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { startBalancer } from './balancer.mjs';
import { faultCommand } from './command.mjs';
import { untilReady } from './kills.mjs';
import { compareLoad, isGood, startMixedLoad } from './mixed-load.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

/** As the gateway's preStop hook: nodes hear that a pod leaves before the pod does. */
const PRE_STOP_MS = 500;
/** So many requests are answered between two restarts, so that each of them meets work. */
const ANSWERS_BETWEEN = 40;
const BETWEEN_TIMEOUT_MS = 60_000;

/** Proves promise 23 of ADR 41. Options: how often every process is restarted. */
export const rolling = faultCommand({
  about:
    'restarts every process of every service, two replicas each, one after the other under load with callbacks; compares answers, sends, jobs, codes and webhooks',
  takes: { long: '7 minutes', short: '150 s' },
  long: { rounds: 3 },
  short: { rounds: 1 },
  async run(installation, { rounds }) {
    const replicas = SERVICES.map(secondOf);
    const ports = {
      gateway: installation.portOf('gateway'),
      [secondOf('gateway')]: installation.portOf(secondOf('gateway')),
    };
    const balancer = await startBalancer(Object.values(ports));
    /** @type {MixedLoad | undefined} */
    let load;
    try {
      await step('a second process of each service', async () => {
        replicas.forEach((replica) => installation.addReplica(replica));
        await untilReady(installation, replicas);
      });
      await installation.restart('simulator', { SIMULATOR_CALLBACK_URL: `${balancer.url}/callbacks/upstream` });
      await untilReady(installation, ['simulator']);
      const front = { ...installation, baseUrl: `${balancer.url}/v1` };
      const mixed = await step('account, windows, endpoint', () => startMixedLoad(front, 'rolling'));
      load = mixed;
      let restarts = 0;
      for (let round = 0; round < rounds; round++)
        await step(`round ${round + 1} of ${rounds}`, async () => {
          for (const process of SERVICES.flatMap((service) => [service, secondOf(service)])) {
            await untilAnswered(mixed, ANSWERS_BETWEEN);
            await roll(installation, { process, balancer, port: ports[process] });
            restarts += 1;
          }
        });
      await untilAnswered(mixed, ANSWERS_BETWEEN);
      await mixed.stop();
      const compared = await step('everything settled', () => compareLoad(installation, mixed));
      return report({ restarts, load: mixed, compared });
    } finally {
      await load?.stop();
      load?.close();
      await Promise.all(replicas.map(installation.removeReplica));
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

/**
 * What an orchestrator does: no new connections, SIGTERM, a new process, connections once it is ready.
 * @param {Installation} installation
 * @param {{ process: string, balancer: Awaited<ReturnType<typeof startBalancer>>, port?: number }} options `port`: of a
 * gateway
 */
async function roll(installation, { process, balancer, port }) {
  if (port !== undefined) {
    balancer.takeOut(port);
    await delay(PRE_STOP_MS);
  }
  await installation.restart(process);
  await untilReady(installation, [process]);
  if (port !== undefined) balancer.putBack(port);
}

async function untilAnswered(/** @type {MixedLoad} */ { answers }, /** @type {number} */ count) {
  const enough = answers.length + count;
  await eventually(`${count} answers`, () => answers.length >= enough, { timeoutMs: BETWEEN_TIMEOUT_MS, everyMs: 20 });
}

/** @param {{ restarts: number, load: MixedLoad, compared: Awaited<ReturnType<typeof compareLoad>> }} run */
function report({ restarts, load, compared: { accepted, lost, doubled, unexpected, again } }) {
  const failed = load.answers.filter((answer) => !isGood(answer));
  figures({
    restarts,
    requests: load.answers.length,
    accepted,
    'failed requests': failed.length,
    lost: lost.length,
    doubled: doubled.length,
    unexpected: unexpected.length,
    'webhooks again': again,
  });
  const broken = failed
    .slice(0, 10)
    .map(({ kind, status, durationMs }) => `a ${kind} was answered ${status} after ${durationMs} ms`);
  problems({ lost, doubled, unexpected, problem: broken });
  return verdict(
    accepted > 0 && failed.length + lost.length + doubled.length + unexpected.length === 0,
    'a restart of all services, one process after the other, fails no request, and loses and doubles nothing',
  );
}
