// @ts-check
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, homePath } from './home.mjs';
import { readJson } from './json-file.mjs';
import { LONG_UNIT } from './long-tests.mjs';
import { run } from './run.mjs';
import { outcomeOf } from './test-outcome.mjs';

/** @typedef {import('./test-outcome.mjs').Outcome} Outcome */
/** @typedef {import('./test-outcome.mjs').TestReport} TestReport */

/**
 * Runs the unit tests and counts.
 * @param {'unit' | 'unit-long'} kind
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, files?: string[], since?: string }} options
 * files: only these, as paths from the root; since: only files that import something which changed since this commit,
 * if any do
 * @returns {Promise<Outcome>}
 */
export async function runUnitTests(kind, { env, timeoutMs, files = [], since }) {
  const isLong = kind === 'unit-long';
  const path = homePath(`tests-${kind}.json`);
  rmSync(path, { force: true });
  const args = [
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    ...(isLong && files.length === 0 ? LONG_UNIT : files),
    ...(isLong ? ['--testPathIgnorePatterns=/node_modules/'] : []),
    ...(since === undefined ? [] : [`--changedSince=${since}`]),
    `--maxWorkers=${availableParallelism()}`,
    '--json',
    `--outputFile=${path}`,
  ];
  const { code, output } = await run(process.execPath, args, {
    cwd: ROOT,
    env: { ...env, NODE_NO_WARNINGS: '1', NO_COLOR: '1' },
    timeoutMs,
  });
  /** @type {TestReport | undefined} */
  const report = readJson(path);
  const isIdle = since !== undefined && code === 0 && report?.testResults.length === 0;
  return isIdle ? { passed: 0, failed: 0, details: '' } : outcomeOf(report, code, output);
}
