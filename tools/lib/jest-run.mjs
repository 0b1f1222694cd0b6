// @ts-check
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, homePath } from './home.mjs';
import { readJson } from './json-file.mjs';
import { run } from './run.mjs';
import { filesToRepeat, outcomeOf, withRepeated } from './test-outcome.mjs';

/** @typedef {import('./test-outcome.mjs').Outcome} Outcome */
/** @typedef {import('./test-outcome.mjs').TestReport} TestReport */

/** @typedef {'unit' | 'integration' | 'e2e'} Kind */
/** @typedef {Kind | `${Kind}-proofs`} Project a project of jest.config.mjs */

/**
 * Returns the project that runs a test file.
 * @param {string} file path from the root
 * @returns {Project | undefined}
 */
export function projectOf(file) {
  if (/\.proof-e2e\.ts$/.test(file)) return 'e2e-proofs';
  if (/\.proof-spec\.(ts|mjs)$/.test(file))
    return /^(apps|libs)\/[^/]+\/test\//.test(file) ? 'integration-proofs' : 'unit-proofs';
  if (/\.e2e\.ts$/.test(file)) return 'e2e';
  if (/\.int-spec\.ts$/.test(file)) return 'integration';
  return /\.spec\.(ts|mjs)$/.test(file) ? 'unit' : undefined;
}

/**
 * Runs the tests of a project and counts the results. Anything but a complete report with at least one test counts as
 * failed.
 * @param {Project} project
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, waiting?: boolean, workers?: number, files?: string[] }} options
 * waiting: the tests mostly wait, so one more file than processors runs concurrently. They use real servers, which a
 * busy machine slows down, so a failed test is retried once, and a file whose hooks failed is run again alone; the
 * outcome lists both. A test of a guarantee (ADR 41) must pass the first time. files: limits the run to these paths from the root. workers: number of concurrent files
 * @returns {Promise<{ report: TestReport | undefined, outcome: Outcome }>}
 */
export async function runJest(
  project,
  { env, timeoutMs, waiting = false, workers = availableParallelism() + (waiting ? 1 : 0), files = [] },
) {
  const attempt = (/** @type {string[]} */ paths, /** @type {number} */ concurrent) =>
    runOnce(project, paths, { env: { ...env, TEST_RETRIES: waiting ? '1' : '0' }, timeoutMs, workers: concurrent });
  const first = await attempt(files, workers);
  const broken = waiting && first.code === 1 ? filesToRepeat(first.report) : [];
  if (!first.report || broken.length === 0) return summaryOf(first);
  const second = await attempt(['--runTestsByPath', ...broken], 1);
  if (!second.report) return summaryOf(first);
  const report = withRepeated(first.report, second.report);
  const isPassed = report.testResults.every(({ status }) => status === 'passed');
  return summaryOf({ report, code: isPassed ? second.code : first.code, output: first.output + second.output });
}

/** @typedef {{ report: TestReport | undefined, code: number, output: string }} Attempt */

/**
 * @param {Project} project
 * @param {string[]} files
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, workers: number }} options
 * @returns {Promise<Attempt>}
 */
async function runOnce(project, files, { env, timeoutMs, workers }) {
  const path = homePath(`tests-${project}.json`);
  rmSync(path, { force: true });
  const args = [
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    ...files,
    `--selectProjects=${project}`,
    `--maxWorkers=${workers}`,
    '--json',
    `--outputFile=${path}`,
  ];
  const { code, output } = await run(process.execPath, args, {
    cwd: ROOT,
    env: { ...env, NODE_NO_WARNINGS: '1', NO_COLOR: '1' },
    timeoutMs,
  });
  return { report: readJson(path), code, output };
}

function summaryOf(/** @type {Attempt} */ { report, code, output }) {
  return { report, outcome: outcomeOf(report, code, output) };
}
