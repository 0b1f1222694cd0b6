// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { log, say, step } from '../lib/progress.mjs';
import { chaosTest } from './chaos-test.mjs';
import { figures, problems, verdict } from './report.mjs';
import { judgeSlope } from './slope-estimate.mjs';
import { startSteadyLoad } from './slope-load.mjs';
import { listQueues, takeSample } from './slope-samples.mjs';

/** @typedef {import('./slope-estimate.mjs').Sample} Sample */
/** @typedef {{ name: string } & ReturnType<typeof judgeSlope>} Judged */

const MB = 1e6;
const SHORTEST_PAUSE_MS = 8_000;
const SAMPLES = 120;
/** Share of the run to ignore while caches fill, code is compiled and connections open. */
const WARM_UP_SHARE = 0.3;
/** Maximum share of rejected requests. On a busy machine, a request may miss its deadline. */
const MOST_REFUSED = 0.05;
/**
 * Allowed growth per hour, by the last word of a series' name. The heap excludes compiled code. Its bound is a fifth of
 * a service's heap, and less than a kilobyte per send at five sends per second. V8 compiles functions when they first
 * become hot, which takes minutes for rarely used ones (a spreadsheet). Resident memory follows the heap and fluctuates
 * with the threads that read spreadsheets.
 * @type {Record<string, { perHour: number, noise?: number, resolution?: number }>}
 */
const BOUNDS = {
  heap: { perHour: 15 * MB },
  code: { perHour: 30 * MB },
  external: { perHour: 15 * MB },
  rss: { perHour: 100 * MB, noise: 30 * MB },
  handles: { perHour: 60, resolution: 100 },
  files: { perHour: 60, resolution: 100 },
  queues: { perHour: 300, resolution: 100 },
  outboxes: { perHour: 300, resolution: 100 },
  sessions: { perHour: 60, resolution: 100 },
};

/** Proves guarantee 25 of ADR 41: nothing grows under a bounded load. */
export const slope = chaosTest({
  about:
    'keeps up a steady load of everything and samples memory after garbage collection, handles, files, queues and database sessions: none may grow',
  takes: { long: '1 hour', short: '5 minutes' },
  long: { minutes: 60, rate: 20 },
  short: { minutes: 5, rate: 5 },
  async run(installation, { minutes, rate }) {
    const queues = await listQueues(installation);
    const load = await step('account, contacts, endpoint', () =>
      startSteadyLoad(installation, { sendsPerSecond: rate }),
    );
    /** @type {Map<string, Sample[]>} */
    const series = new Map();
    try {
      await step(`${minutes} minutes of ${rate} sends a second and all that goes with them`, () =>
        sampleFor(minutes * 60_000, async (atMs) => {
          for (const [name, value] of Object.entries(await takeSample(installation, queues)))
            series.set(name, [...(series.get(name) ?? []), { atMs, value }]);
        }),
      );
    } finally {
      await load.stop();
    }
    const judged = [...series].map(([name, samples]) => ({
      name,
      ...judgeSlope(samples.slice(Math.ceil(samples.length * WARM_UP_SHARE)), boundOf(name)),
    }));
    return report(judged, { series, counts: load.counts, webhooks: load.webhooks(), queues: queues.length });
  },
});

async function sampleFor(/** @type {number} */ durationMs, /** @type {(atMs: number) => Promise<void>} */ sample) {
  const startedAt = Date.now();
  const everyMs = Math.max(SHORTEST_PAUSE_MS, durationMs / SAMPLES);
  for (let atMs = 0; atMs < durationMs; atMs = Date.now() - startedAt) {
    await sample(atMs);
    await delay(everyMs);
  }
}

function boundOf(/** @type {string} */ name) {
  const bound = BOUNDS[name.slice(name.lastIndexOf(' ') + 1)];
  if (!bound) throw new Error(`no bound for ${name}`);
  return bound;
}

/**
 * @param {Judged[]} judged
 * @param {{ series: Map<string, Sample[]>, counts: Record<string, number>, webhooks: number, queues: number }} run
 */
function report(judged, { series, counts, webhooks, queues }) {
  figures({ ...counts, webhooks, queues, samples: Math.max(...[...series.values()].map(({ length }) => length)) });
  for (const { name, perHour, atLeast, atMost, verdict: judgement } of judged) {
    const samples = series.get(name) ?? [];
    const [first = NaN, last = NaN] = [
      samples[Math.ceil(samples.length * WARM_UP_SHARE)]?.value,
      samples.at(-1)?.value,
    ];
    say(
      `${name.padEnd(22)} ${shown(name, first)} → ${shown(name, last)}; ${shown(name, perHour)} an hour (${shown(name, atLeast)} to ${shown(name, atMost)}): ${judgement}`,
    );
  }
  for (const { name } of judged.filter((one) => one.verdict !== 'flat'))
    say(`${name}, sample by sample: ${(series.get(name) ?? []).map(({ value }) => shown(name, value)).join(', ')}`);
  const growing = judged.filter((one) => one.verdict !== 'flat').map((one) => `${one.name}: ${one.verdict}`);
  problems({ 'not flat': growing });
  // A service that rejected much of the load was not really under load.
  const { refused = 0, ...done } = counts;
  const whole = Object.values(done).reduce((sum, count) => sum + count, 0);
  const proves = refused <= MOST_REFUSED * whole && webhooks > 0 && Object.values(done).every((count) => count > 0);
  if (!proves) log('too much of the load was refused, or some kind of it never came about');
  return verdict(proves && growing.length === 0, 'nothing grows');
}

function shown(/** @type {string} */ name, /** @type {number} */ value) {
  return /(heap|code|external|rss)$/.test(name) ? `${(value / MB).toFixed(1)} MB` : String(Math.round(value));
}
