// @ts-check
import { outcomeOf } from '../lib/jest-run.mjs';

const report = (/** @type {object} */ counts) => ({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numRuntimeErrorTestSuites: 0, testResults: [], ...counts });
const file = { name: '/a.spec.ts', message: '', assertionResults: [{ ancestorTitles: [], fullName: 'it adds', status: 'failed', failureMessages: ['expected 2'] }] };

test('all passed is passed', () => {
  expect(outcomeOf(report({ numPassedTests: 3 }), 0, '')).toEqual({ passed: 3, failed: 0, details: '' });
});

test('a failed test is counted and told', () => {
  const { passed, failed, details } = outcomeOf(report({ numPassedTests: 2, numFailedTests: 1, testResults: [file] }), 1, '');
  expect([passed, failed]).toEqual([2, 1]);
  expect(details).toContain('it adds\nexpected 2');
});

test('a file that does not load counts as failed', () => {
  const broken = { name: '/b.spec.ts', message: 'Cannot find module', assertionResults: [] };
  const { failed, details } = outcomeOf(report({ numPassedTests: 2, numRuntimeErrorTestSuites: 1, testResults: [broken] }), 1, '');
  expect(failed).toBe(1);
  expect(details).toContain('Cannot find module');
});

test('a skipped test does not pass', () => {
  expect(outcomeOf(report({ numPassedTests: 2, numPendingTests: 1 }), 0, '').failed).toBe(1);
});

test('jest that crashed, ran nothing, or did not end cleanly has failed', () => {
  expect(outcomeOf(undefined, 134, 'Aborted')).toMatchObject({ failed: 1, details: expect.stringContaining('Aborted') });
  expect(outcomeOf(report({}), 0, 'No tests found')).toMatchObject({ failed: 1 });
  expect(outcomeOf(report({ numPassedTests: 5 }), 124, '')).toMatchObject({ passed: 5, failed: 1, details: expect.stringContaining('kept it from ending') });
});
