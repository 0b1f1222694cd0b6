// @ts-check
import { stripVTControlCharacters } from 'node:util';
import { lastLines } from './run.mjs';

/**
 * @typedef {{ passed: number, failed: number, details: string, again?: Retried[] }} Outcome outcome of one step;
 * details explain failures, `again` lists tests that passed on the second attempt
 */
/**
 * @typedef {{ test: string, errors: string[] }} Retried a test that passed on the second attempt, with the errors of
 * the first
 */
/** @typedef {{ title: string, fullName: string, status: string, failureMessages: string[], retryReasons?: string[] }} ReportedTest */
/** @typedef {{ name: string, status: string, message: string, assertionResults: ReportedTest[] }} ReportedFile */
/** @typedef {{ numPassedTests: number, testResults: ReportedFile[] }} TestReport Jest's JSON report */

/**
 * Lists the files in which every test failed, as when a hook that starts servers or builds packages fails. Jest retries
 * tests, but not hooks. Files with tests of a guarantee are left out.
 * @param {TestReport | undefined} report
 * @returns {string[]}
 */
export function filesToRepeat(report) {
  const files = report?.testResults ?? [];
  const isBroken = (/** @type {ReportedFile} */ { assertionResults }) =>
    assertionResults.length > 0 && assertionResults.every((test) => test.status === 'failed' && !isOfGuarantee(test));
  return files.filter(isBroken).map(({ name }) => name);
}

/**
 * Replaces the results of repeated files. Tests that passed now keep the errors of the first attempt.
 * @param {TestReport} first
 * @param {TestReport} second
 * @returns {TestReport}
 */
export function withRepeated(first, second) {
  const repeated = new Map(second.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => {
    const again = repeated.get(file.name);
    if (!again) return file;
    const errors = new Map(file.assertionResults.map((test) => [test.fullName, test.failureMessages]));
    const assertionResults = again.assertionResults.map((test) => ({
      ...test,
      retryReasons: errors.get(test.fullName) ?? [],
    }));
    return { ...again, assertionResults };
  });
  return { numPassedTests: first.numPassedTests + second.numPassedTests, testResults };
}

/**
 * Counts a report. Anything but a complete report with at least one test counts as failed.
 * @param {TestReport | undefined} report
 * @param {number} code
 * @param {string} output output of the test runner, the only source of errors outside tests
 * @returns {Outcome}
 */
export function outcomeOf(report, code, output) {
  if (!report)
    return {
      passed: 0,
      failed: 1,
      details: `the test runner ended with ${code} and without a report:\n${lastLines(output, 60)}`,
    };
  const late = report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(isLateGuarantee));
  const passed = report.numPassedTests - late.length;
  const retried = report.testResults.flatMap(triedAgain);
  const again = retried.length > 0 && { again: retried };
  const problems = report.testResults.flatMap(problemsOf);
  // When a setup hook fails, the report contains only skipped tests, and the output has the reason.
  const isUnexplained = report.testResults.some(({ assertionResults }) =>
    assertionResults.some(({ status, failureMessages }) => status !== 'passed' && failureMessages.length === 0),
  );
  if (problems.length > 0)
    return {
      passed,
      failed: problems.length,
      details: [...problems, ...(isUnexplained ? [lastLines(output, 60)] : [])].join('\n\n'),
      ...again,
    };
  if (passed === 0) return { passed, failed: 1, details: `no test ran:\n${lastLines(output, 20)}` };
  if (code !== 0)
    return {
      passed,
      failed: 1,
      details: `all tests passed but the test runner ended with ${code}${code === 124 ? ' (something kept it from ending)' : ''}:\n${lastLines(output, 60)}`,
    };
  return { passed, failed: 0, details: '', ...again };
}

/**
 * Sums up Jest's summaries in the output of `nx run-many`, including those that Nx replays for cached tasks.
 * @param {number} code
 * @param {string} output
 * @returns {Outcome}
 */
export function nxTestOutcome(code, output) {
  const parts = stripVTControlCharacters(output).split(/^(?=> nx run | NX )/m);
  const summaries = parts.map((text) => ({ text, summary: /^Tests: .*$/m.exec(text)?.[0] ?? '' }));
  const sum = (/** @type {RegExp} */ pattern) =>
    summaries.reduce((total, { summary }) => total + Number(pattern.exec(summary)?.[1] ?? 0), 0);
  const passed = sum(/(\d+) passed/);
  const failed = sum(/(\d+) failed/);
  if (code === 0 && passed > 0 && failed === 0) return { passed, failed, details: '' };
  const isFailed = (/** @type {{ text: string, summary: string }} */ { text, summary }) =>
    summary.includes('failed') || (text.startsWith('> nx run ') && summary === '') || /^ NX .*failed/.test(text);
  const details = summaries
    .filter(isFailed)
    .map(({ text }) => text.trim())
    .join('\n\n');
  return { passed, failed: Math.max(failed, 1), details: details || output };
}

/** Returns the errors of the first attempt when the second one passed. */
function firstFailures(/** @type {ReportedTest} */ { status, retryReasons = [] }) {
  return status === 'passed' ? retryReasons : [];
}

/** Returns true for a test of a guarantee that passed only on the second attempt, because that counts as a failure. */
function isLateGuarantee(/** @type {ReportedTest} */ test) {
  return firstFailures(test).length > 0 && isOfGuarantee(test);
}

function isOfGuarantee(/** @type {ReportedTest} */ { fullName }) {
  return /\bguarantees? \d/.test(fullName);
}

/**
 * Lists tests that passed only on the second attempt: flaky tests or intermittent bugs.
 * @returns {Retried[]}
 */
function triedAgain(/** @type {ReportedFile} */ { name, assertionResults }) {
  return assertionResults
    .filter((test) => firstFailures(test).length > 0 && !isLateGuarantee(test))
    .map((test) => ({ test: `${name}: ${test.fullName}`, errors: firstFailures(test) }));
}

/**
 * Lists problems. A skipped test proves nothing and counts as failed. A file that failed outside its tests is a
 * separate problem, because Jest also repeats test failures in the file's message.
 */
function problemsOf(/** @type {ReportedFile} */ { name, status, message, assertionResults }) {
  const tests = assertionResults
    .filter((test) => test.status !== 'passed' || isLateGuarantee(test))
    .map((test) =>
      [`${name}\n  ${test.status}: ${test.fullName}`, ...test.failureMessages, ...firstFailures(test)].join('\n'),
    );
  const isOutside = status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  return isOutside ? [`${name}\n${message}`, ...tests] : tests;
}
