// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` gives something truthy and returns it; throws `what` when it does not in time.
 * @template T
 * @param {string} what what is awaited, for the error
 * @param {() => T | Promise<T>} probe
 * @param {{ timeoutMs: number, everyMs?: number }} options
 * @returns {Promise<NonNullable<T>>}
 */
export async function eventually(what, probe, { timeoutMs, everyMs = 100 }) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${Math.round(timeoutMs / 1000)} s`);
    await delay(everyMs);
  }
}

/** Like {@link eventually}, but gives false in place of an error. */
export async function happensWithin(/** @type {number} */ timeoutMs, /** @type {() => boolean} */ probe) {
  const deadline = Date.now() + timeoutMs;
  while (!probe()) {
    if (Date.now() > deadline) return false;
    await delay(50);
  }
  return true;
}
