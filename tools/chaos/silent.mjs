// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { log, step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { chaosTest } from './chaos-test.mjs';
import { letSpeak, silenceSessions } from './database-faults.mjs';
import { compareLoad, startMixedLoad } from './mixed-load.mjs';
import { figures, problems, verdict } from './report.mjs';
import { judgeSilence, RECOVERY_LIMIT_MS } from './silence.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

const STEADY_MS = 2_000;
const WATCH_EVERY_MS = 500;

/**
 * Proves guarantee 28 of ADR 41. Options: seconds for which sessions are silent, and whether the sessions of each
 * service also go silent in turn rather than only all at once.
 */
export const silent = chaosTest({
  about:
    'suspends the database processes of all service sessions (new ones work) under load; checks responses, /live and /health',
  takes: { long: '4 minutes', short: '25 s' },
  long: { seconds: 25, each: 1 },
  short: { seconds: 14, each: 0 },
  async run(installation, { seconds, each }) {
    const load = await step('account, windows, endpoint', () => startMixedLoad(installation, 'silent'));
    const outcomes = [];
    try {
      for (const services of [...(each ? SERVICES.map((service) => [service]) : []), [...SERVICES]]) {
        const name = services.length === 1 ? String(services[0]) : 'all services';
        outcomes.push({
          name,
          ...(await step(`${name} for ${seconds} s`, () => endure(installation, load, { services, seconds }))),
        });
      }
      await load.stop();
      const compared = await step('everything settled', () => compareLoad(installation, load));
      return report(outcomes, compared);
    } finally {
      await load.stop();
      load.close();
    }
  },
});

/**
 * @param {Installation} installation
 * @param {MixedLoad} load
 * @param {{ services: string[], seconds: number }} options
 */
async function endure(installation, { kinds, answers }, { services, seconds }) {
  await delay(STEADY_MS);
  const pids = await silenceSessions(installation, services);
  const from = Date.now();
  try {
    const health = await watchHealth(installation, from + seconds * 1_000);
    const to = Date.now();
    return { pids, from, to, health, judge: () => judgeSilence(answers, { kinds: [...kinds], from, to }) };
  } finally {
    letSpeak(pids);
  }
}

/**
 * Polls /live and /health of every service.
 * @returns {Promise<{ readyMs: number, problems: string[] }>}
 */
async function watchHealth(/** @type {Installation} */ installation, /** @type {number} */ until) {
  const from = Date.now();
  const problemsSeen = new Set();
  let readyMs = 0;
  while (Date.now() < until) {
    const lookedMs = Date.now() - from;
    await Promise.all(
      SERVICES.map(async (service) => {
        const [isLive, failed] = await Promise.all([installation.isLive(service), installation.failing(service)]);
        // The service recovers without a restart, so it must remain live.
        if (!isLive) problemsSeen.add(`${service} said that it is not live`);
        if (failed.length > 0) readyMs = Math.max(readyMs, Date.now() - from);
        if (failed.length > 0 && lookedMs > RECOVERY_LIMIT_MS)
          problemsSeen.add(`${service} was not ready (${failed.join(', ')}) after ${RECOVERY_LIMIT_MS} ms`);
        if (failed.some((part) => part !== 'database'))
          problemsSeen.add(`${service} named ${failed.join(', ')} as not ready`);
      }),
    );
    await delay(Math.min(WATCH_EVERY_MS, Math.max(0, until - Date.now())));
  }
  return { readyMs, problems: /** @type {string[]} */ ([...problemsSeen]) };
}

/**
 * @param {({ name: string } & Awaited<ReturnType<typeof endure>>)[]} outcomes
 * @param {Awaited<ReturnType<typeof compareLoad>>} compared
 */
function report(outcomes, { accepted, refused, lost, doubled, unexpected, again }) {
  const judged = outcomes.map(({ judge, ...outcome }) => ({ ...outcome, ...judge(), health: outcome.health }));
  for (const { name, pids, met, lastMs, health } of judged) {
    const last = Object.entries(lastMs)
      .map(([kind, ms]) => `${kind} ${ms} ms`)
      .join(', ');
    figures({
      [name]: `${pids.length} silent sessions; ${met} requests met them, the last ones: ${last || 'none'}; ready after ${health.readyMs} ms`,
    });
  }
  figures({
    accepted,
    refused,
    lost: lost.length,
    doubled: doubled.length,
    unexpected: unexpected.length,
    'webhooks again': again,
  });
  const broken = judged.flatMap(({ name, pids, problems: found, health }) => [
    ...(pids.length === 0 ? [`${name}: no session was there`] : []),
    ...[...found, ...health.problems].map((problem) => `${name}: ${problem}`),
  ]);
  problems({ lost, doubled, unexpected, problem: broken });
  const proves = judged.some(({ met }) => met > 0);
  if (!proves) log('no request met a silent session');
  return verdict(
    proves && lost.length + doubled.length + unexpected.length + broken.length === 0,
    'silent sessions cost seconds, and nothing is lost or done twice',
  );
}
