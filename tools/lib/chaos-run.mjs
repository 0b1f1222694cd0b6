// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, homePath } from './home.mjs';
import { readJson } from './json-file.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./test-outcome.mjs').Outcome} Outcome */
/** @typedef {{ results: import('../chaos/run.mjs').ChaosResult[] }} ChaosReport */

const MINUTE_MS = 60_000;
/**
 * Fixed seed, so that every run has the same requests and kills, and a failure is due to the code. Manual runs choose a
 * new seed.
 */
const SEED = '20261122';

/**
 * Runs the short forms of chaos tests in sequence, and counts those that passed.
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
 * @param {string} output everything printed, for a missing report
 * @returns {Outcome} details hold the output of each failed test
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
