// @ts-check
import { stripVTControlCharacters } from 'node:util';
import { lastLines } from './run.mjs';

/** @typedef {{ passed: number, failed: number, details: string, again?: Retried[] }} Outcome of one step; details tell what failed and why, `again` what failed once and passed then */
/** @typedef {{ test: string, errors: string[] }} Retried a test that passed at its second try, with the errors of the first */
/** @typedef {{ title: string, fullName: string, status: string, failureMessages: string[], retryReasons?: string[] }} ReportedTest */
/** @typedef {{ name: string, status: string, message: string, assertionResults: ReportedTest[] }} ReportedFile */
/** @typedef {{ numPassedTests: number, testResults: ReportedFile[] }} TestReport as Jest writes it */

/**
 * Counts a report. Anything but a complete report of at least one test counts as failed.
 * @param {TestReport | undefined} report
 * @param {number} code
 * @param {string} output what the test runner printed: the only place that tells of errors outside of tests
 * @returns {Outcome}
 */
export function outcomeOf(report, code, output) {
  if (!report)
    return {
      passed: 0,
      failed: 1,
      details: `the test runner ended with ${code} and without a report:\n${lastLines(output, 60)}`,
    };
  const late = report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(isLatePromise));
  const passed = report.numPassedTests - late.length;
  const retried = report.testResults.flatMap(triedAgain);
  const again = retried.length > 0 && { again: retried };
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
 * Adds up Jest's summaries in the output of `nx run-many`, which Nx repeats for a cached task.
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

/** Errors of a test's first try, when the second try passed. */
function firstFailures(/** @type {ReportedTest} */ { status, retryReasons = [] }) {
  return status === 'passed' ? retryReasons : [];
}

/** A guarantee that holds only at the second attempt does not hold. */
function isLatePromise(/** @type {ReportedTest} */ test) {
  return firstFailures(test).length > 0 && /\b(?:promise|guarantee)s? \d/.test(test.fullName);
}

/**
 * Lists what passed, but not the first time: a test that needs mending, or an intermittent fault.
 * @returns {Retried[]}
 */
function triedAgain(/** @type {ReportedFile} */ { name, assertionResults }) {
  return assertionResults
    .filter((test) => firstFailures(test).length > 0 && !isLatePromise(test))
    .map((test) => ({ test: `${name}: ${test.fullName}`, errors: firstFailures(test) }));
}

/**
 * A skipped test proves nothing, so it has not passed. A file that failed outside of its tests is a problem of its own;
 * Jest repeats the failures of tests in the file's message.
 */
function problemsOf(/** @type {ReportedFile} */ { name, status, message, assertionResults }) {
  const tests = assertionResults
    .filter((test) => test.status !== 'passed' || isLatePromise(test))
    .map((test) =>
      [`${name}\n  ${test.status}: ${test.fullName}`, ...test.failureMessages, ...firstFailures(test)].join('\n'),
    );
  const isOutside = status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  return isOutside ? [`${name}\n${message}`, ...tests] : tests;
}
