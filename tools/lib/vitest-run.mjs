// @ts-check
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, homePath } from './home.mjs';
import { readJson } from './json-file.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {{ passed: number, failed: number, details: string, again?: string }} Outcome of one step; details tell what failed and why, `again` what failed once and passed then */
/** @typedef {{ title: string, fullName: string, status: string, failureMessages: string[] }} ReportedTest */
/** @typedef {{ name: string, status: string, message: string, assertionResults: ReportedTest[] }} ReportedFile */
/** @typedef {{ numPassedTests: number, testResults: ReportedFile[] }} TestReport as vitest writes it */

/** @typedef {'unit' | 'integration' | 'e2e'} Kind */
/** @typedef {Kind | `${Kind}-long`} Project of vitest.config.mjs */

/**
 * Runs the tests of a project of vitest.config.mjs and counts. Anything but a complete report of at least one test
 * counts as failed.
 * @param {Project} project
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, waiting?: boolean, workers?: number, files?: string[], since?: string }} options
 * waiting: the tests wait more than they work, so one file more than there are processors runs at a time. They meet
 * real servers, whose time a busy machine takes: a test that failed is tried once more, and told of; a test of a promise
 * (ADR 41) must pass at once. files: only these, as paths from the root; since: only files that import something which
 * changed since this commit, if any do. workers: files that run at the same time
 * @returns {Promise<{ report: TestReport | undefined, outcome: Outcome }>}
 */
export async function runTests(
  project,
  { env, timeoutMs, waiting = false, workers = availableParallelism() + (waiting ? 1 : 0), files = [], since },
) {
  const path = homePath(`tests-${project}.json`);
  rmSync(path, { force: true });
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files,
    ...(since === undefined ? [] : [`--changed=${since}`]),
    `--project=${project}`,
    `--maxWorkers=${workers}`,
    `--retry=${waiting ? 1 : 0}`,
    '--reporter=default',
    '--reporter=json',
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
  return { report, outcome: isIdle ? { passed: 0, failed: 0, details: '' } : outcomeOf(report, code, output) };
}

/**
 * @param {TestReport | undefined} report
 * @param {number} code
 * @param {string} output what vitest printed: the only place that tells of errors outside of tests
 * @returns {Outcome}
 */
export function outcomeOf(report, code, output) {
  if (!report)
    return {
      passed: 0,
      failed: 1,
      details: `vitest ended with ${code} and without a report:\n${lastLines(output, 60)}`,
    };
  const late = report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(isLatePromise));
  const passed = report.numPassedTests - late.length;
  const problems = report.testResults.flatMap(problemsOf);
  // Why a set-up of tests failed, which the report shows as skipped ones, stands in the output alone.
  const isUnexplained = report.testResults.some(({ assertionResults }) =>
    assertionResults.some(({ status, failureMessages }) => status !== 'passed' && failureMessages.length === 0),
  );
  if (problems.length > 0)
    return {
      passed,
      failed: problems.length,
      details: [...problems, ...(isUnexplained ? [lastLines(output, 60)] : [])].join('\n\n'),
    };
  if (passed === 0) return { passed, failed: 1, details: `vitest ran no test:\n${lastLines(output, 20)}` };
  if (code !== 0)
    return {
      passed,
      failed: 1,
      details: `all tests passed but vitest ended with ${code}${code === 124 ? ' (something kept it from ending)' : ''}:\n${lastLines(output, 60)}`,
    };
  const again = report.testResults.flatMap(triedAgain).join('\n');
  return { passed, failed: 0, details: '', ...(again !== '' && { again }) };
}

/** A promise that holds at the second try alone does not hold. */
function isLatePromise(/** @type {ReportedTest} */ { status, fullName, failureMessages }) {
  return status === 'passed' && failureMessages.length > 0 && /\bpromises? \d/.test(fullName);
}

/** What passed, but not the first time: a test that needs mending, or a fault that comes now and then. */
function triedAgain(/** @type {ReportedFile} */ { name, assertionResults }) {
  return assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(
      ({ fullName, failureMessages }) =>
        `${name}\n  passed at the second try: ${fullName}\n${failureMessages.join('\n')}`,
    );
}

/**
 * A skipped test proves nothing, so it has not passed; a file that failed outside of its tests is a problem of its own.
 */
function problemsOf(/** @type {ReportedFile} */ { name, status, message, assertionResults }) {
  const tests = assertionResults
    .filter((test) => test.status !== 'passed' || isLatePromise(test))
    .map((test) => `${name}\n  ${test.status}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
  return status === 'failed' && message !== '' ? [`${name}\n${message}`, ...tests] : tests;
}
