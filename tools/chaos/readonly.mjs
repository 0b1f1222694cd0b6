// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { step } from '../lib/progress.mjs';
import { chaosTest } from './chaos-test.mjs';
import { prepareRefusals } from './database-faults.mjs';
import { compareLoad, startMixedLoad } from './mixed-load.mjs';
import { judgeOutage, RECOVERY_LIMIT_MS, unknownDuring } from './outage.mjs';
import { figures, problems, verdict } from './report.mjs';
import { requestsAnswered500 } from './request-log.mjs';
import { countMessages, listDeadLetterQueues } from './slope-samples.mjs';

/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */
/** @typedef {import('./database-faults.mjs').Refusal} Refusal */

const STEADY_MS = 2_000;
/** Time after the outage for its requests to complete and for later ones to succeed. */
const AFTERWARDS_MS = 3_000;
/** Requests that still work on a read-only database. */
const READS = ['read', 'templates'];

/**
 * Proves guarantee 29 of ADR 41: a database that rejects writes is an outage and no internal error. Option: seconds for
 * which the database is read-only, and then for which its disk is full.
 */
export const readonly = chaosTest({
  about:
    'makes the database read-only, then its disk full, each under load; checks responses, dead letters, and that nothing is lost',
  takes: { long: '2 minutes', short: '25 s' },
  long: { seconds: 30 },
  short: { seconds: 3 },
  async run(installation, { seconds }) {
    const deadLetters = await listDeadLetterQueues(installation);
    const before = await countMessages(installation, deadLetters);
    const load = await step('account, windows, endpoint', () => startMixedLoad(installation, 'readonly'));
    const refusals = await prepareRefusals(installation);
    const startedAt = Date.now();
    const outcomes = [];
    try {
      for (const refusal of refusals.all)
        outcomes.push(await step(`${refusal.name} for ${seconds} s`, () => endure(load, refusal, seconds)));
      await load.stop();
      const compared = await step('everything settled', () => compareLoad(installation, load));
      const internal = requestsAnswered500(installation.logFolder, startedAt);
      return report(outcomes, { compared, internal, dead: (await countMessages(installation, deadLetters)) - before });
    } finally {
      await load.stop();
      load.close();
      await refusals.remove();
    }
  },
});

/** Runs one outage, with normal load before and after it. */
async function endure(
  /** @type {MixedLoad} */ { answers },
  /** @type {Refusal} */ { name, begin, end },
  /** @type {number} */ seconds,
) {
  await delay(STEADY_MS);
  const already = answers.length;
  await begin();
  const from = Date.now();
  await delay(seconds * 1_000);
  const returning = Date.now();
  await end();
  const to = Date.now();
  await delay(AFTERWARDS_MS);
  const writes = answers.slice(Math.max(0, already - 50)).filter(({ kind }) => !READS.includes(kind));
  return { name, ...judgeOutage(writes, { from, returning, to }), unknown: unknownDuring(writes, { from, returning }) };
}

/**
 * @param {Awaited<ReturnType<typeof endure>>[]} outcomes
 * @param {{ compared: Awaited<ReturnType<typeof compareLoad>>, internal: string[], dead: number }} run
 */
function report(outcomes, { compared: { accepted, refused, lost, doubled, unexpected, again }, internal, dead }) {
  for (const { name, answered, refused: turnedAway, slowestMs, recoveryMs } of outcomes) {
    figures({
      [name]: `${answered} writing requests, ${turnedAway} refused, the slowest in ${slowestMs} ms; first good send after ${recoveryMs} ms`,
    });
  }
  figures({ accepted, refused, lost: lost.length, doubled: doubled.length, unexpected: unexpected.length });
  figures({ 'answered 500': internal.length, 'dead letters': dead, 'webhooks again': again });
  const broken = [
    ...outcomes.flatMap(problemsOf),
    ...internal,
    ...(dead > 0 ? [`${dead} messages became dead letters`] : []),
  ];
  problems({ lost, doubled, unexpected, problem: broken });
  const isKept = broken.length + lost.length + doubled.length + unexpected.length === 0;
  return verdict(
    isKept,
    'a database that takes no writes is an outage: 503, no dead letter, nothing lost or done twice',
  );
}

function problemsOf(
  /** @type {Awaited<ReturnType<typeof endure>>} */ { name, refused, falselyGood, late, unclear, unknown, recoveryMs },
) {
  return [
    ...(refused === 0 ? ['no request met it'] : []),
    ...falselyGood.slice(0, 5),
    ...(late > 0 ? [`${late} refusals took too long`] : []),
    ...unclear.slice(0, 5),
    ...unknown.slice(0, 5),
    ...(recoveryMs > RECOVERY_LIMIT_MS ? [`the first good send came ${recoveryMs} ms after it`] : []),
  ].map((problem) => `${name}: ${problem}`);
}
