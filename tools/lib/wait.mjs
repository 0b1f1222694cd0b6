// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` returns a truthy value, and returns that value. Throws an error with `what` after a timeout.
 * @template T
 * @param {string} what the awaited condition, for the error
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

/** Polls like {@link eventually}, but returns false after a timeout. */
export async function happensWithin(/** @type {number} */ timeoutMs, /** @type {() => boolean} */ probe) {
  const deadline = Date.now() + timeoutMs;
  while (!probe()) {
    if (Date.now() > deadline) return false;
    await delay(50);
  }
  return true;
}
