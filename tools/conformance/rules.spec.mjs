// @ts-check
import { filesOf, rowsOf, tableText } from './results.mjs';
import { numberOf, readRules, readSpecTests, readTable, rulesOf, sourceOf, tableProblems, titlesOf } from './rules.mjs';

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
  mapped: { '1.1.3': [{ file: 'apps/e2e/src/c.e2e.ts', title: 'of %s, three' }] },
  notObservable: { '1.1.10': { reason: 'it is inside', file: 'libs/d.spec.ts' } },
  noTest: ['1.2.1'],
};
const sources = {
  'apps/e2e/src/c.e2e.ts': "it.each([\n  ['x'],\n])('of %s, three', (x) => {});",
  'libs/d.spec.ts': '',
};
const inSources = (/** @type {string} */ file) => Object.entries(sources).find(([name]) => name === file)?.[1];

test('every rule of docs/spec.md is accounted for: by a test, or by a reason or the word that it has none', () => {
  expect(readRules().length).toBeGreaterThan(250);
  expect(tableProblems(readRules(), readSpecTests(), readTable(), sourceOf)).toEqual([]);
});

test('each test of the folder is named by a rule', () => {
  expect(readSpecTests().length).toBeGreaterThan(50);
  expect(readSpecTests().filter(({ title }) => numberOf(title) === undefined)).toEqual([]);
});

test('the rules of a page are read with what stands on their further lines', () => {
  expect(rules.map(({ number, text }) => [number, text])).toEqual([
    ['1.1.1', 'The first goes on.'],
    ['1.1.2', 'The second.'],
    ['1.1.3', 'The third.'],
    ['1.1.10', 'The tenth.'],
    ['1.2.1', 'The last.'],
  ]);
});

test('titles are read in all three quotes, and behind a table of cases', () => {
  const source =
    "it('one, isn\\'t it', async () => {});\n  it(\"it's two\", f);\nit.each([\n  ['a', ('b')],\n])('%s is three', f);\nit.each(cases)(`four`, f); expect(call('five')).toBe(1);";
  expect(titlesOf(source)).toEqual(["one, isn't it", "it's two", '%s is three', 'four']);
});

test('a table that accounts for every rule once has no problem', () => {
  expect(tableProblems(rules, specTests, table, inSources)).toEqual([]);
});

test.each([
  ['a rule without anything', { ...table, noTest: [] }, 'rule 1.2.1 has no test, and the table does not say so'],
  ['a rule that has a test now', { ...table, noTest: ['1.2.1', '1.1.1'] }, 'rule 1.1.1 is accounted for twice'],
  ['a number of no rule', { ...table, noTest: ['1.2.1', '9.9.9'] }, 'docs/spec.md has no rule 9.9.9'],
  [
    'a test that was renamed',
    { ...table, mapped: { '1.1.3': [{ file: 'apps/e2e/src/c.e2e.ts', title: 'three' }] } },
    'the test of rule 1.1.3 is not in apps/e2e/src/c.e2e.ts: three',
  ],
  [
    'a file that is gone',
    { ...table, notObservable: { '1.1.10': { reason: 'it is inside', file: 'libs/gone.spec.ts' } } },
    'the file that proves rule 1.1.10 is gone: libs/gone.spec.ts',
  ],
  [
    'a reason that is missing',
    { ...table, notObservable: { '1.1.10': { reason: '' } } },
    'rule 1.1.10 cannot be observed, and the table does not say why',
  ],
])('%s is a problem', (_what, wrong, problem) => {
  expect(tableProblems(rules, specTests, wrong, inSources)).toEqual([problem]);
});

test('a rule passes when all of its tests ran and passed', () => {
  const ran = [
    { file: `${SPEC}/a.e2e.ts`, title: '1.1.1 the first', status: 'passed' },
    { file: 'apps/e2e/src/c.e2e.ts', title: 'of these, three', status: 'passed' },
    { file: 'apps/e2e/src/c.e2e.ts', title: 'of those, three', status: 'failed' },
  ];
  const rows = rowsOf(rules, specTests, table, ran);
  expect(rows.map(({ result }) => result)).toEqual(['passed', 'not run', 'failed', 'not observable', 'no test']);
  expect(tableText(rows)).toMatch(/1\.2\.1 +no test +The last\./);
  expect(
    rowsOf(rules, specTests, table, ran.slice(0, 2))
      .map(({ result }) => result)
      .slice(0, 3),
  ).toEqual(['passed', 'not run', 'passed']);
  expect(
    rowsOf(rules, specTests, table, [
      { ...ran[0], file: 'elsewhere.ts', title: '1.1.1 the first', status: 'passed' },
    ])[0],
  ).toMatchObject({ result: 'not run' });
  expect(
    rowsOf(rules, specTests, table, [{ file: `${SPEC}/a.e2e.ts`, title: '1.1.1 the first', status: 'pending' }])[0],
  ).toMatchObject({ result: 'not run' });
});

test('a foreign installation gets only the tests that need nothing but its API', () => {
  expect(filesOf(specTests, table, { isForeign: true })).toEqual([`${SPEC}/a.e2e.ts`]);
  expect(filesOf(specTests, table, { isForeign: false })).toEqual([
    'apps/e2e/src/c.e2e.ts',
    `${SPEC}/a.e2e.ts`,
    `${SPEC}/b.local.e2e.ts`,
  ]);
});
