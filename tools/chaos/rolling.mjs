// @ts-check
import { step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareLoad, isGood, startMixedLoad } from './mixed-load.mjs';
import { secondOf, startPairs, untilCarriedOut } from './pairs.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

/** Number of successful requests between two restarts, so that each restart hits work in flight. */
const ANSWERS_BETWEEN = 40;

/** Proves guarantee 23 of ADR 41. Option: number of restarts of every process. */
export const rolling = chaosTest({
  about:
    'restarts every process of every service, two replicas each, in sequence under load with callbacks; compares responses, sends, jobs, codes and webhooks',
  takes: { long: '7 minutes', short: '150 s' },
  long: { rounds: 3 },
  short: { rounds: 1 },
  async run(installation, { rounds }) {
    const pairs = await startPairs(installation);
    /** @type {MixedLoad | undefined} */
    let load;
    try {
      const mixed = await step('account, windows, endpoint', () => startMixedLoad(pairs.front, 'rolling'));
      load = mixed;
      let restarts = 0;
      for (let round = 0; round < rounds; round++)
        await step(`round ${round + 1} of ${rounds}`, async () => {
          for (const process of SERVICES.flatMap((service) => [service, secondOf(service)])) {
            await untilCarriedOut(mixed, ANSWERS_BETWEEN);
            await pairs.roll(process);
            restarts += 1;
          }
        });
      await untilCarriedOut(mixed, ANSWERS_BETWEEN);
      await mixed.stop();
      const compared = await step('everything settled', () => compareLoad(installation, mixed));
      return report({ restarts, load: mixed, compared });
    } finally {
      await load?.stop();
      load?.close();
      await pairs.end();
    }
  },
});

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
