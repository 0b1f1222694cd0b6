// @ts-check
import { COMMANDS, IN_CORE_PROOFS, IN_EVERY_TEST } from '../chaos/chaos-tests.mjs';
import {
  adrFiles,
  badCitations,
  citingFiles,
  commandsOf,
  deadLinks,
  indexProblems,
  isFile,
  projectFolders,
  proofsByGuarantee,
  guaranteeTable,
  readSources,
  sectionsOf,
  tableProblems,
} from './citations.mjs';

const sources = {
  sections: sectionsOf('## 5. Messages\n\n### 5.2 States\n\n- **5.2.1** Forwards only.\n'),
  adrs: new Set(['41']),
  guarantees: new Set(['18', '19']),
};
const proofs = {
  isFile: (/** @type {string} */ name) => name === 'libs/a.spec.ts',
  isCommand: (/** @type {string} */ name) => name === 'send',
};

test('all citations of the repository resolve', () => {
  const files = citingFiles();
  const { sections, adrs, guarantees } = readSources();
  expect(files.length).toBeGreaterThan(1_000);
  expect([sections.size > 300, adrs.size > 40, guarantees.size]).toEqual([true, true, 46]);
  expect(files.flatMap((file) => badCitations(file, { sections, adrs, guarantees }))).toEqual([]);
});

test('all links between pages resolve', () => {
  const pages = citingFiles().filter(({ file }) => file.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.flatMap((page) => deadLinks(page))).toEqual([]);
});

test('every project has a README', () => {
  const folders = projectFolders();
  expect(folders.length).toBeGreaterThan(15);
  expect(folders.filter((folder) => !isFile(`${folder}/README.md`))).toEqual([]);
});

test('the ADR index lists every ADR with its status', () => {
  const records = adrFiles();
  expect(records.length).toBeGreaterThan(40);
  const index = citingFiles().find(({ file }) => file === 'docs/adr/README.md');
  expect(indexProblems(index?.text ?? '', records)).toEqual([]);
});

test('indexProblems compares file and status', () => {
  const records = [
    { file: 'docs/adr/0001-a.md', text: '# 1. A\n\nReplaced by 2.\n' },
    { file: 'docs/adr/0002-b.md', text: '# 2. B\n' },
    { file: 'docs/adr/0003-c.md', text: '# 3. C\n' },
  ];
  const row = '| 1 | [A](0001-a.md) |';
  expect(indexProblems(`${row} Superseded by [2](0002-b.md) |\n| 2 | [B](0002-b.md) | Accepted |`, records)).toEqual([
    '0003-c.md is not in the index',
  ]);
  expect(indexProblems(`${row} Accepted |\n| 2 | [B](0002-b.md) | Superseded by [1](0001-a.md) |`, records)).toEqual([
    '0001-a.md has another status in the index',
    '0002-b.md has another status in the index',
    '0003-c.md is not in the index',
  ]);
});

test('deadLinks reports a broken link with its line', () => {
  const text = '[a](b.md), [c](../d.md#e), [f](#g), [h](https://example.com/i)\n![j](k.png "l")\n<img src="m.png">';
  expect(deadLinks({ file: 'docs/page.md', text }, (name) => name === 'docs/b.md')).toEqual([
    'docs/page.md:1: there is no ../d.md',
    'docs/page.md:2: there is no k.png',
    'docs/page.md:3: there is no m.png',
  ]);
});

test('the table of guarantees names existing proofs and all chaos tests', () => {
  const isCommand = (/** @type {string} */ name) => Object.hasOwn(COMMANDS, name);
  expect(tableProblems(guaranteeTable(), { isFile, isCommand })).toEqual([]);
  expect(Object.keys(COMMANDS).filter((command) => !commandsOf(guaranteeTable()).includes(command))).toEqual([]);
});

test('CI proves every guarantee that needs no long load', () => {
  const isInCi = (/** @type {string} */ name) =>
    [...IN_EVERY_TEST, ...IN_CORE_PROOFS].includes(name) || /spec\.(ts|mjs)$|e2e\.ts$/.test(name);
  const unproved = proofsByGuarantee(guaranteeTable()).filter(({ proofs: names }) => !names.some(isInCi));
  expect(unproved.map(({ number }) => number)).toEqual(['25', '27', '30', '33']);
});

test("proofsByGuarantee returns a row's proofs without nightly ones", () => {
  const row = '| 1 | All is well. | `npm run chaos -- send`, `libs/a.spec.ts`; nightly: `libs/b.proof-spec.ts` |';
  expect(proofsByGuarantee(row)).toEqual([{ number: '1', proofs: ['send', 'libs/a.spec.ts'] }]);
});

test.each([
  'as spec §5.2.1 says',
  'as spec §5.2 and §5.2.1 say.',
  'spec §5, §5.2, and §5.2.1.',
  ' * behind the end of a line (spec\n * §5.2.1), and in a list (spec §5.2,\n * §5.2.1)',
  'ADR 41, 42 times, and docs/adr/0041-guarantees.md',
  'guarantee 18 of ADR 41',
  '// guarantees 18 and\n// 19 of\n// ADR 41',
  'guarantees 18 and 19 of ADR 41',
  'RFC 9110, section 14',
  'a guarantee of 20 seconds, and the decision to take 3',
])('badCitations accepts %j', (text) => {
  expect(badCitations({ file: 'a.ts', text }, sources)).toEqual([]);
});

test.each([
  ['spec §5.3', 'docs/spec.md has no §5.3'],
  ['spec §5.2.9.', 'docs/spec.md has no §5.2.9'],
  ['spec §5.2, §5.2.9', 'docs/spec.md has no §5.2.9'],
  ['(spec\n * §5.3)', 'docs/spec.md has no §5.3'],
  ['(spec §5.2,\n   * §5.2.9)', 'docs/spec.md has no §5.2.9'],
  ['Spec §5.2', 'a § names no page: write spec §…'],
  ['ADR 42', 'there is no ADR 42'],
  ['(ADR\n42)', 'there is no ADR 42'],
  ['ADRs 41 and 42', 'there is no ADR 42'],
  ['[why](adr/0042-why.md)', 'there is no ADR 42'],
  ['guarantee 20 of ADR 41', 'ADR 41 has no guarantee 20'],
  ['Guarantees 18 and 20 of ADR 41', 'ADR 41 has no guarantee 20'],
  ['guarantee 18', '"guarantee 18" names no page: write guarantee … of ADR 41'],
  [
    'Proves guarantees 18\n * and 19: nothing is lost',
    '"guarantees 18 and 19" names no page: write guarantee … of ADR 41',
  ],
  ['(decisions 4)', '"decisions 4" cites no page of the repository: write spec §… or ADR …'],
  ['(decisions\n * 4)', '"decisions 4" cites no page of the repository: write spec §… or ADR …'],
  ['spec 6.5', '"spec 6.5" cites no page of the repository: write spec §… or ADR …'],
  ['Spec 6: so it is', '"Spec 6" cites no page of the repository: write spec §… or ADR …'],
  ['specification 6', '"specification 6" cites no page of the repository: write spec §… or ADR …'],
  ['rule 5.2.1', '"rule 5.2.1" cites no page of the repository: write spec §… or ADR …'],
  ['cloud-api.md 4', '"cloud-api.md" cites no page of the repository: write spec §… or ADR …'],
])('badCitations rejects %j', (text, problem) => {
  expect(badCitations({ file: 'a.ts', text: `first line\n${text}` }, sources)).toEqual([`a.ts:2: ${problem}`]);
});

test.each([
  ['a command', '`npm run chaos -- send`'],
  ['a file', '`libs/a.spec.ts`'],
  ['both', '`npm run chaos -- send`, `libs/a.spec.ts`'],
  ['the statement that there is no test', 'no test of its own'],
])('tableProblems accepts %s as a proof', (_what, proof) => {
  expect(tableProblems(`| # | guarantee | proof |\n|---|---|---|\n| 1 | All is well. | ${proof} |\n`, proofs)).toEqual(
    [],
  );
});

test.each([
  ['a missing file', '| 1 | Yes. | `libs/b.spec.ts` |', 'the proof of guarantee 1 is not there: libs/b.spec.ts'],
  [
    'an unknown command',
    '| 1 | Yes. | `npm run chaos -- x` |',
    'the proof of guarantee 1 is not there: npm run chaos -- x',
  ],
  ['no path', '| 1 | Yes. | `a.spec.ts` |', 'the proof of guarantee 1 is not there: a.spec.ts'],
  ['no proof', '| 1 | Yes. | somebody looked |', 'guarantee 1 names no proof'],
  ['a wrong number', '| 2 | Yes. | no test of its own |', 'guarantee 2 is in row 1'],
])('tableProblems rejects a row with %s', (_what, row, problem) => {
  expect(tableProblems(row, proofs)).toEqual([problem]);
});
