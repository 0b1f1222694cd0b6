// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { COMMANDS } from '../chaos/chaos-tests.mjs';
import { ROOT } from '../lib/home.mjs';
import { projectOf } from '../lib/jest-run.mjs';
import { planOf, rowsOf, tableText, verdictOf } from './results.mjs';
import {
  numberOf,
  proofsByRule,
  readRules,
  readSpecTests,
  readTable,
  rulesOf,
  sourceOf,
  tableProblems,
  titlesOf,
} from './rules.mjs';

const SPEC = 'apps/e2e/src/spec';
const rules = rulesOf(
  '## 1. One\n\n- **1.1.1** The first\n  goes on.\n- **1.1.2** The second.\n\ntext\n- **1.1.3** The third.\n- **1.1.10** The tenth.\n- **1.2.1** The last.\n',
);
const specTests = [
  { file: `${SPEC}/a.e2e.ts`, title: '1.1.1 the first' },
  { file: `${SPEC}/b.local.e2e.ts`, title: '1.1.2 the second' },
];
/** @type {import('./rules.mjs').RulesTable} */
const table = {
  mapped: {
    '1.1.3': [{ file: 'apps/e2e/src/c.e2e.ts', title: 'of %s, three' }],
    '1.1.10': [{ file: 'libs/d.spec.ts', title: 'is ten' }, { chaos: 'send' }],
  },
  notTestable: { '1.2.1': 'an obligation of receivers' },
};
const sources = {
  'apps/e2e/src/c.e2e.ts': "it.each([\n  ['x'],\n])('of %s, three', (x) => {});",
  'libs/d.spec.ts': "test('is ten', () => {});",
  'libs/d.ts': "it('is ten', () => {});",
};
const known = {
  sourceOf: (/** @type {string} */ file) => Object.entries(sources).find(([name]) => name === file)?.[1],
  chaosTests: ['send'],
};

test('every rule of docs/spec.md has tests that a project runs', () => {
  expect(readRules().length).toBeGreaterThan(250);
  expect(
    tableProblems(readRules(), readSpecTests(), readTable(), { sourceOf, chaosTests: Object.keys(COMMANDS) }),
  ).toEqual([]);
});

test('only rule 13.1.3 is marked as not testable', () => {
  expect(Object.keys(readTable().notTestable)).toEqual(['13.1.3']);
});

test('every test title in the spec folder starts with a rule number', () => {
  expect(readSpecTests().length).toBeGreaterThan(50);
  expect(readSpecTests().filter(({ title }) => numberOf(title) === undefined)).toEqual([]);
});

test('rulesOf includes continuation lines of a rule', () => {
  expect(rules.map(({ number, text }) => [number, text])).toEqual([
    ['1.1.1', 'The first goes on.'],
    ['1.1.2', 'The second.'],
    ['1.1.3', 'The third.'],
    ['1.1.10', 'The tenth.'],
    ['1.2.1', 'The last.'],
  ]);
});

test('titlesOf reads all three kinds of quotes and titles after a table', () => {
  const source =
    "it('one, isn\\'t it', async () => {});\n  it(\"it's two\", f);\nit.each([\n  ['a', ('b')],\n])('%s is three', f);\nit.each(cases)(`four`, f); expect(call('five')).toBe(1);";
  expect(titlesOf(source)).toEqual(["one, isn't it", "it's two", '%s is three', 'four']);
});

test('tableProblems accepts a table that covers every rule once', () => {
  expect(tableProblems(rules, specTests, table, known)).toEqual([]);
});

test.each([
  ['a rule without a test or reason', { ...table, notTestable: {} }, 'rule 1.2.1 has no test'],
  [
    'a rule that has a test and a reason',
    { ...table, notTestable: { ...table.notTestable, '1.1.1': 'x' } },
    'rule 1.1.1 has a test and a reason for having none',
  ],
  [
    'an unknown rule number',
    { ...table, notTestable: { ...table.notTestable, '9.9.9': 'x' } },
    'docs/spec.md has no rule 9.9.9',
  ],
  [
    'a test that was renamed',
    { ...table, mapped: { ...table.mapped, '1.1.3': [{ file: 'apps/e2e/src/c.e2e.ts', title: 'three' }] } },
    'the test of rule 1.1.3 is not in apps/e2e/src/c.e2e.ts: three',
  ],
  [
    'a test in a file that no project runs',
    { ...table, mapped: { ...table.mapped, '1.1.3': [{ file: 'libs/d.ts', title: 'is ten' }] } },
    'no project runs the test of rule 1.1.3: libs/d.ts',
  ],
  [
    'a chaos test that does not exist',
    { ...table, mapped: { ...table.mapped, '1.1.3': [{ chaos: 'sends' }] } },
    'the chaos test of rule 1.1.3 is gone: sends',
  ],
  ['an empty reason', { ...table, notTestable: { '1.2.1': '' } }, 'rule 1.2.1 has neither a test nor a reason'],
])('tableProblems reports %s', (_what, wrong, problem) => {
  expect(tableProblems(rules, specTests, wrong, known)).toEqual([problem]);
});

const passed = [
  { file: `${SPEC}/a.e2e.ts`, title: '1.1.1 the first', status: 'passed' },
  { file: `${SPEC}/b.local.e2e.ts`, title: '1.1.2 the second', status: 'passed' },
  { file: 'apps/e2e/src/c.e2e.ts', title: 'of these, three', status: 'passed' },
  { file: 'libs/d.spec.ts', title: 'is ten', status: 'passed' },
];
const kept = [{ name: 'send', isKept: true }];
const resultsOf = (/** @type {typeof passed} */ tests, /** @type {typeof kept} */ chaosTests = kept) =>
  rowsOf(rules, specTests, table, { tests, chaosTests });

test('a rule passes when all of its tests and chaos tests passed', () => {
  const rows = resultsOf(passed);
  expect(rows.map(({ result }) => result)).toEqual(['passed', 'passed', 'passed', 'passed', 'not testable']);
  expect(tableText(rows)).toMatch(/1\.2\.1 +not testable +The last\.\n +an obligation of receivers/);
  expect(verdictOf(rows, { isBroken: false, unnamed: 0 })).toEqual({
    text: '5 rules: 4 passed, 1 not testable',
    exitCode: 0,
  });
});

test('a rule fails when one case or chaos test fails', () => {
  const failing = [...passed, { file: 'apps/e2e/src/c.e2e.ts', title: 'of those, three', status: 'failed' }];
  const rows = resultsOf(failing, [{ name: 'send', isKept: false }]);
  expect(rows.map(({ result }) => result)).toEqual(['passed', 'passed', 'failed', 'failed', 'not testable']);
  const verdict = verdictOf(rows, { isBroken: false, unnamed: 0 });
  expect(verdict.exitCode).toBe(1);
  expect(verdict.text).toContain('FAILED: 1.1.3 1.1.10');
});

test('a rule with a skipped test has not run', () => {
  const rows = resultsOf(
    passed.slice(1).map((each, index) => (index === 0 ? { ...each, status: 'pending' } : each)),
    [],
  );
  expect(rows.map(({ result }) => result)).toEqual(['not run', 'not run', 'passed', 'not run', 'not testable']);
  expect(verdictOf(rows, { isBroken: false, unnamed: 7 })).toEqual({
    text: [
      '5 rules: 1 passed, 3 not run, 1 not testable; 7 other rules were not asked for',
      'NOT RUN, 3 of 5 rules: 1.1.1 1.1.2 1.1.10',
    ].join('\n'),
    exitCode: 3,
  });
});

test('an aborted run fails even if every rule passed', () => {
  expect(verdictOf(resultsOf(passed), { isBroken: true, unnamed: 0 })).toMatchObject({ exitCode: 1 });
});

test('planOf assigns files and chaos tests to their projects', () => {
  const proofs = [...proofsByRule(specTests, table).values()].flat();
  expect(planOf(proofs, { isForeign: false })).toEqual({
    files: new Map([
      ['unit', ['libs/d.spec.ts']],
      ['e2e', ['apps/e2e/src/c.e2e.ts', `${SPEC}/a.e2e.ts`, `${SPEC}/b.local.e2e.ts`]],
    ]),
    chaosTests: ['send'],
  });
});

test('an external installation gets only tests of its public API', () => {
  const proofs = [...proofsByRule(specTests, table).values()].flat();
  expect(planOf(proofs, { isForeign: true })).toEqual({
    files: new Map([['e2e', [`${SPEC}/a.e2e.ts`]]]),
    chaosTests: [],
  });
});

test.each([
  ['apps/e2e/src/bulk.e2e.ts', 'e2e'],
  ['apps/e2e/src/excel.proof-e2e.ts', 'e2e-proofs'],
  ['apps/gateway/test/access.int-spec.ts', 'integration'],
  ['apps/gateway/test/tls.proof-spec.ts', 'integration-proofs'],
  ['docker/settings.spec.ts', 'unit'],
  ['k8s/schema.proof-spec.ts', 'unit-proofs'],
  ['apps/gateway/src/main.ts', undefined],
])('%s runs in project %s', (file, project) => {
  expect(projectOf(file)).toBe(project);
});

test.each([
  [['--help'], 0, /npm run conformance/],
  [['--colour'], 2, /Unknown option '--colour'/],
  [['--url', 'https://example.com'], 2, /--url and --key belong together/],
  [['99.1'], 2, /no rule or section 99\.1/],
])('the command exits on %j with code %i and its help', (args, code, text) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/conformance.mjs'), ...args], {
    encoding: 'utf8',
  });
  expect({ status, output: stdout + stderr }).toEqual({ status: code, output: expect.stringMatching(text) });
  expect(stdout + stderr).not.toMatch(/\n +at /);
});
