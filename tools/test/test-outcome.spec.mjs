// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homePath, ROOT } from '../lib/home.mjs';
import { readJson } from '../lib/json-file.mjs';
import { filesToRepeat, nxTestOutcome, outcomeOf, withRepeated } from '../lib/test-outcome.mjs';

const passing = { name: '/a.spec.ts', status: 'passed', message: '', assertionResults: [] };
const report = (/** @type {number} */ numPassedTests, /** @type {object} */ file = {}) => ({
  numPassedTests,
  testResults: [{ ...passing, ...file }],
});
const reported = (/** @type {string} */ status, /** @type {string[]} */ failureMessages = []) => ({
  title: 'adds',
  fullName: 'it adds',
  status,
  failureMessages,
});

test('passes when all tests passed', () => {
  expect(outcomeOf(report(3), 0, '')).toEqual({ passed: 3, failed: 0, details: '' });
});

test('counts and reports a failed test', () => {
  const { passed, failed, details } = outcomeOf(
    report(2, { status: 'failed', assertionResults: [reported('failed', ['expected 2'])] }),
    1,
    '',
  );
  expect([passed, failed]).toEqual([2, 1]);
  expect(details).toContain('it adds\nexpected 2');
});

test('lists a test that passed on the second attempt', () => {
  const outcome = outcomeOf(
    report(2, { assertionResults: [{ ...reported('passed'), retryReasons: ['no 2'] }] }),
    0,
    '',
  );
  expect(outcome).toMatchObject({ passed: 2, failed: 0, again: [{ test: '/a.spec.ts: it adds', errors: ['no 2'] }] });
});

test("finds the retried test in Jest's own report", () => {
  const folder = mkdtempSync(homePath('retries-')); // Inside the checkout, where Jest finds its packages.
  const report = join(folder, 'report.json');
  writeFileSync(join(folder, 'flaky.spec.mjs'), "let tries = 0;\nit('counts', () => expect(++tries).toBe(2));\n");
  const config = {
    rootDir: folder,
    preset: join(ROOT, 'jest.preset.mjs'),
    setupFilesAfterEnv: [join(ROOT, 'tools/jest/retries.mjs')],
  };
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--json'];
  const { status, stderr } = spawnSync(process.execPath, [...jest, '--outputFile', report], {
    cwd: ROOT,
    env: { ...process.env, TEST_RETRIES: '1' },
    encoding: 'utf8',
  });
  expect(outcomeOf(readJson(report), status ?? 1, stderr)).toMatchObject({
    passed: 1,
    failed: 0,
    again: [{ test: expect.stringContaining('flaky.spec.mjs: counts'), errors: [expect.stringContaining('toBe')] }],
  });
  rmSync(folder, { recursive: true });
});

test('repeats a file whose hooks failed, and lists its tests', () => {
  const broken = {
    ...passing,
    name: '/b.int-spec.ts',
    status: 'failed',
    assertionResults: [reported('failed', ['no server'])],
  };
  const first = { numPassedTests: 1, testResults: [{ ...passing, assertionResults: [reported('passed')] }, broken] };
  expect(filesToRepeat(first)).toEqual(['/b.int-spec.ts']);
  const mended = { ...broken, status: 'passed', assertionResults: [reported('passed')] };
  expect(outcomeOf(withRepeated(first, { numPassedTests: 1, testResults: [mended] }), 0, '')).toEqual({
    passed: 2,
    failed: 0,
    details: '',
    again: [{ test: '/b.int-spec.ts: it adds', errors: ['no server'] }],
  });
  expect(outcomeOf(withRepeated(first, { numPassedTests: 0, testResults: [broken] }), 1, '')).toMatchObject({
    passed: 1,
    failed: 1,
  });
});

test('does not repeat files of a guarantee, or in which a test passed', () => {
  const failed = reported('failed', ['1 lost']);
  const guarantee = { ...failed, fullName: 'it loses nothing (guarantee 1 of ADR 41)' };
  expect(filesToRepeat(report(0, { status: 'failed', assertionResults: [guarantee] }))).toEqual([]);
  expect(filesToRepeat(report(1, { status: 'failed', assertionResults: [failed, reported('passed')] }))).toEqual([]);
});

test('counts a failed test once', () => {
  const file = { status: 'failed', message: 'expected 2', assertionResults: [reported('failed', ['expected 2'])] };
  expect(outcomeOf(report(2, file), 1, '')).toMatchObject({ passed: 2, failed: 1 });
});

test('fails a guarantee that holds only at the second attempt', () => {
  const test = {
    ...reported('passed'),
    retryReasons: ['1 lost'],
    fullName: 'it loses nothing (guarantee 1 of ADR 41)',
  };
  const outcome = outcomeOf(report(2, { assertionResults: [test] }), 0, '');
  expect(outcome).toMatchObject({ passed: 1, failed: 1, details: expect.stringContaining('1 lost') });
});

test('counts a file that failed outside its tests', () => {
  const { failed, details } = outcomeOf(report(2, { status: 'failed', message: 'Cannot find module' }), 1, '');
  expect(failed).toBe(1);
  expect(details).toContain('Cannot find module');
});

test('fails a skipped test and shows the reason', () => {
  const { failed, details } = outcomeOf(
    report(2, { assertionResults: [reported('skipped')] }),
    1,
    'beforeAll: no database',
  );
  expect(failed).toBe(1);
  expect(details).toContain('beforeAll: no database');
});

test('fails when the runner crashed, ran nothing or hung', () => {
  expect(outcomeOf(undefined, 134, 'Aborted')).toMatchObject({
    failed: 1,
    details: expect.stringContaining('Aborted'),
  });
  expect(outcomeOf(report(0), 0, 'No tests found')).toMatchObject({ failed: 1 });
  expect(outcomeOf(report(5), 124, '')).toMatchObject({
    passed: 5,
    failed: 1,
    details: expect.stringContaining('kept it from ending'),
  });
  expect(outcomeOf(report(5), 1, 'Unhandled Rejection')).toMatchObject({
    failed: 1,
    details: expect.stringContaining('Unhandled Rejection'),
  });
});

describe('nxTestOutcome', () => {
  const passing = '> nx run otp:test  [local cache]\n\n\u001b[1mTests:       \u001b[22m3 passed, 3 total\n';
  const failing = '> nx run jobs:test\n\n● reads a row\n\nTests:       1 failed, 4 passed, 5 total\n';
  const crashing = '> nx run blobs:test\n\nCannot find module\n';

  test('sums up all projects, including cached ones', () => {
    expect(nxTestOutcome(0, passing + passing.replace('otp', 'blobs'))).toEqual({ passed: 6, failed: 0, details: '' });
  });

  test('shows only projects with failed tests', () => {
    const end = '\n\n NX   Running target test for 2 projects failed\n\nFailed tasks:\n\n- jobs:test\n';
    const { details, ...counts } = nxTestOutcome(1, failing + passing + end);
    expect(counts).toEqual({ passed: 7, failed: 1 });
    expect(details).toContain('● reads a row');
    expect(details).toContain('- jobs:test');
    expect(details).not.toContain('otp:test');
  });

  test('fails when a project, or every project, ran no tests', () => {
    expect(nxTestOutcome(1, passing + crashing)).toMatchObject({
      failed: 1,
      details: expect.stringContaining('Cannot find module'),
    });
    expect(nxTestOutcome(1, 'the graph failed')).toMatchObject({ passed: 0, failed: 1, details: 'the graph failed' });
    expect(nxTestOutcome(0, '')).toMatchObject({ failed: 1 });
  });
});
