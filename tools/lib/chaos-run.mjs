// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, homePath } from './home.mjs';
import { readJson } from './json-file.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./test-outcome.mjs').Outcome} Outcome */
/** @typedef {{ results: import('../chaos/run.mjs').ChaosResult[] }} ChaosReport */

const MINUTE_MS = 60_000;
/** The same requests and kills in every run, so that a failure is the code's. Runs by hand choose their own seed. */
const SEED = '20261122';

/**
 * Runs the short forms of chaos tests one after the other, and counts those that kept their promise.
 * @returns {Promise<Outcome>}
 */
export async function runShortChaosTests(/** @type {string[]} */ names) {
  const report = homePath('chaos.json');
  rmSync(report, { force: true });
  const args = [join(ROOT, 'tools/chaos.mjs'), ...names, '--short', '--seed', SEED, '--report', report];
  const { code, output } = await run(process.execPath, args, { cwd: ROOT, timeoutMs: 25 * MINUTE_MS });
  return outcomeOf(readJson(report), code, output);
}

/**
 * @param {ChaosReport | undefined} report
 * @param {number} code
 * @param {string} output all that was printed, for the case that there is no report
 * @returns {Outcome} details hold the figures of each command that failed
 */
export function outcomeOf(report, code, output) {
  const results = report?.results ?? [];
  const failed = results.filter(({ isKept }) => !isKept);
  const details = failed.map((result) => result.output).join('\n');
  if (results.length === 0)
    return {
      passed: 0,
      failed: 1,
      details: `the chaos tests ended with ${code} and without a report:\n${lastLines(output, 60)}`,
    };
  const passed = results.length - failed.length;
  if (failed.length === 0 && code !== 0)
    return {
      passed,
      failed: 1,
      details: `every command kept its promise, but the run ended with ${code}:\n${lastLines(output, 60)}`,
    };
  return { passed, failed: failed.length, details };
}
