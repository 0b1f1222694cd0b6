// @ts-check
import { step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareLoad, startMixedLoad } from './mixed-load.mjs';
import { compareShared, secondOf, startPairs, untilCarriedOut } from './pairs.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

/** Number of successful requests between two kills, so that each kill hits work in flight. */
const ANSWERS_BETWEEN = 40;

/**
 * Proves guarantee 37 of ADR 41: two processes of a service replace each other and do nothing twice. Duplicate work of
 * timers (reconcile, sweep, release, retry) would show as a second send, a second attempt or a wrong balance.
 */
export const replicas = chaosTest({
  about:
    'runs two processes of each service and kills random ones under load; compares responses, sends, jobs, codes, webhooks, attempts and credits',
  takes: { long: '8 minutes', short: '3 minutes' },
  long: { kills: 40 },
  short: { kills: 12 },
  async run(installation, { kills, seed }) {
    const pairs = await startPairs(installation);
    /** @type {MixedLoad | undefined} */
    let load;
    try {
      load = await step('account, windows, endpoint', () => startMixedLoad(pairs.front, 'replicas'));
      const mixed = load;
      const victims = planVictims(kills, seed);
      await step(`${kills} kills`, async () => {
        for (const process of victims) {
          await untilCarriedOut(mixed, ANSWERS_BETWEEN);
          await pairs.kill(process);
        }
      });
      await untilCarriedOut(mixed, ANSWERS_BETWEEN);
      await mixed.stop();
      const compared = await step('everything settled', () => compareLoad(installation, mixed));
      const more = await compareShared(installation, mixed);
      return report({ victims, load: mixed, compared, more });
    } finally {
      await load?.stop();
      load?.close();
      await pairs.end();
    }
  },
});

/** Selects one of the two processes of each service in turn, by the seed. @returns {string[]} */
function planVictims(/** @type {number} */ kills, /** @type {number} */ seed) {
  const random = randomFrom(seed);
  return Array.from({ length: kills }, (_, index) => {
    const service = String(SERVICES[index % SERVICES.length]);
    return random() < 0.5 ? service : secondOf(service);
  });
}

/**
 * @param {{ victims: string[], load: MixedLoad, compared: Awaited<ReturnType<typeof compareLoad>>, more: string[] }}
 * run
 */
function report({ victims, load, compared: { accepted, refused, lost, doubled, unexpected, again }, more }) {
  const wrong = [...unexpected, ...more];
  figures({
    kills: victims.length,
    processes: SERVICES.length * 2,
    requests: load.answers.length,
    accepted,
    refused,
    lost: lost.length,
    doubled: doubled.length,
    unexpected: wrong.length,
    'webhooks again': again,
  });
  problems({ lost, doubled, unexpected: wrong });
  return verdict(
    accepted > refused && lost.length + doubled.length + wrong.length === 0,
    'whichever of two processes is lost, the other one goes on, and nothing is lost or done twice',
  );
}
