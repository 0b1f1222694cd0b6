// @ts-check
import { say, step } from '../lib/progress.mjs';
import { measure } from './guarantees.mjs';
import { untilReady } from './kills.mjs';
import { comparePacedLoad, goesOn, startPacedLoad } from './paced-load.mjs';
import { figures, problems, verdict } from './report.mjs';
import { failureReasons } from './request-log.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./guarantees.mjs').Incident} Incident */
/** @typedef {import('./guarantees.mjs').Response} Response */
/** @typedef {import('./guarantees.mjs').Measured} Measured */
/** @typedef {import('./paced-load.mjs').PacedLoad} PacedLoad */
/** @typedef {Awaited<ReturnType<typeof comparePacedLoad>>} Compared */
/**
 * @typedef {object} Hurt context of a phase while its load is running
 * @property {PacedLoad} load
 * @property {(kind: Incident['kind'], name: string, work: () => Promise<unknown>) => Promise<void>} incident runs the
 * work and records its time
 * @property {(when: string) => Promise<void>} goOn waits for a streak of successful requests; a timeout violates the
 * guarantee
 */
/**
 * @typedef {object} Phase
 * @property {string} title
 * @property {(hurt: Hurt) => Promise<void>} disturb
 * @property {(measured: Measured, incidents: Incident[]) => string[]} judge returns violations
 * @property {string} guarantee
 */

const GO_ON_MS = 90_000;

/**
 * Runs a phase under its own load, compares the outcome with the guarantee, and prints the results.
 * @param {Installation} installation
 * @param {Phase} phase
 * @param {{ rate: number, sends: number }} load `rate`: sends per second; `sends`: consecutive successes required
 * before, between and after incidents
 * @returns {Promise<boolean>} true when the guarantee held
 */
export async function runPhase(installation, { title, disturb, judge, guarantee }, { rate, sends }) {
  await untilReady(installation, installation.programs);
  say(`\n${title}`);
  const load = await step('account, windows, endpoint', () => startPacedLoad(installation, { name: 'phase', rate }));
  /** @type {Incident[]} */
  const incidents = [];
  /** @type {string[]} */
  const stuck = [];
  try {
    const goOn = async (/** @type {string} */ when) => {
      const isGoing = await goesOn(load, { sends, withinMs: GO_ON_MS });
      if (!isGoing) stuck.push(`not all requests succeeded within ${GO_ON_MS} ms ${when}`);
    };
    const incident = async (
      /** @type {Incident['kind']} */ kind,
      /** @type {string} */ name,
      /** @type {() => Promise<unknown>} */ work,
    ) => {
      const from = Date.now();
      await step(name, work);
      incidents.push({ name, kind, from, to: Date.now() });
    };
    await goOn('before any incident');
    await disturb({ load, incident, goOn });
    await goOn('afterwards');
    await load.stop();
    const compared = await step('everything settled', () => comparePacedLoad(installation, load));
    const reasons = failureReasons(installation.logFolder);
    const responses = load.answers.map((answer) => ({ ...answer, reason: reasons.get(answer.requestId ?? '') }));
    const measured = measure(responses, incidents);
    const broken = [...stuck, ...judge(measured, incidents)];
    return report({ load, responses, compared, measured, broken, guarantee });
  } finally {
    await load.stop();
    load.close();
  }
}

/**
 * @param {object} phase
 * @param {PacedLoad} phase.load
 * @param {Response[]} phase.responses
 * @param {Compared} phase.compared
 * @param {Measured} phase.measured
 * @param {string[]} phase.broken
 * @param {string} phase.guarantee
 */
function report({ load, responses, compared, measured, broken, guarantee }) {
  const { lost, doubled, untrue, unexpected, again } = compared;
  const seconds = (/** @type {number} */ ms) => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'for ever');
  const { requests, good, failed, failedBefore, counts, outageMs, unavailable, incidents } = measured;
  figures({ requests, good, failed, 'before any incident': failedBefore });
  for (const [kind, count] of counts) {
    const others = count.other > 0 ? ` / ${count.other} other` : '';
    figures({ [`  ${kind} 200/503/504`]: `${count.good} / ${count.unavailable} / ${count.unknown}${others}` });
  }
  const slowestMs = Math.max(0, ...unavailable.map(({ durationMs }) => durationMs));
  figures({ 'outage of sends': seconds(outageMs), 'slowest 503': seconds(slowestMs) });
  for (const { name, from, to, failingMs, recoveryMs } of incidents)
    figures({
      [`  ${name}`]: `took ${seconds(to - from)}, sends failed for ${seconds(failingMs)}; the last failure ${seconds(recoveryMs)} after it`,
    });
  for (const [reason, count] of countReasons(responses)) figures({ [`  ${count} × 504`]: reason });
  figures({
    lost: lost.length,
    doubled: doubled.length,
    untrue: untrue.length,
    unexpected: unexpected.length,
    'webhooks again': again,
    inbound: load.inbound.length,
    webhooks: load.events.length,
  });
  problems({ lost, doubled, unexpected, problem: broken });
  return verdict(good > 0 && lost.length + doubled.length + unexpected.length + broken.length === 0, guarantee);
}

/** @returns {Map<string, number>} number of 504s by reason */
function countReasons(/** @type {Response[]} */ responses) {
  const counts = new Map();
  for (const { status, reason = 'no reason in the log' } of responses)
    if (status === 504) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
