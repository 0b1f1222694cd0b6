// @ts-check
import { eventually } from '../lib/wait.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ at: number, victim: string }} Kill `at`: progress at which to kill; `victim`: a program, or `broker` */

const PROGRESS_TIMEOUT_MS = 600_000;
/** Maximum time until programs are ready, which a busy machine starts slowly. */
const READY_TIMEOUT_MS = 180_000;

/**
 * Distributes the kills of one victim over the work, with random offsets.
 * @param {string} victim
 * @param {{ count: number, work: number, random: () => number }} options
 * @returns {Kill[]}
 */
export function spreadKills(victim, { count, work, random }) {
  return Array.from({ length: count }, (_, index) => ({
    at: Math.round(((index + 0.5 + random() / 2) * work) / (count + 1)),
    victim,
  }));
}

/**
 * Runs `work` and meanwhile kills programs according to the plan. Killed programs restart immediately.
 * @template T
 * @param {Installation} installation
 * @param {{ plan: Kill[], ready?: string[] }} options `ready`: programs that must be ready before each kill, by default
 * the victim. A process that is still starting has nothing in flight, so killing it proves nothing
 * @param {(state: { done: number }) => Promise<T>} work increments `done` as it progresses
 * @returns {Promise<{ result: T, killed: number }>} result of the work and the number of kills
 */
export async function killDuring(installation, { plan, ready }, work) {
  const state = { done: 0 };
  const stopping = new AbortController();
  const killing = killByPlan(installation, { plan, ready, state, signal: stopping.signal });
  killing.catch(() => undefined); // Rethrown below, unless the work itself fails.
  try {
    const result = await work(state);
    return { result, killed: await killing };
  } finally {
    stopping.abort();
    await killing.catch(() => undefined);
  }
}

/** Waits until the programs are ready. @throws an error with their names after three minutes */
export async function untilReady(/** @type {Installation} */ installation, /** @type {string[]} */ programs) {
  const areReady = async () => (await Promise.all(programs.map(installation.isReady))).every(Boolean);
  await eventually(`${programs.join(', ')} to be ready`, areReady, { timeoutMs: READY_TIMEOUT_MS, everyMs: 20 });
}

/**
 * @param {Installation} installation
 * @param {{ plan: Kill[], ready?: string[], state: { done: number }, signal: AbortSignal }} options
 */
async function killByPlan(installation, { plan, ready, state, signal }) {
  let killed = 0;
  for (const { at, victim } of [...plan].sort((one, other) => one.at - other.at)) {
    await eventually('the work to go on', () => state.done >= at || signal.aborted, {
      timeoutMs: PROGRESS_TIMEOUT_MS,
      everyMs: 3,
    });
    if (signal.aborted) return killed;
    await untilReady(installation, ready ?? (victim === 'broker' ? installation.programs : [victim]));
    await (victim === 'broker' ? installation.killBroker() : installation.kill9(victim));
    killed += 1;
  }
  return killed;
}
