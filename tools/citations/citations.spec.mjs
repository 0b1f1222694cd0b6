// @ts-check
import { COMMANDS } from '../faults/commands.mjs';
import { badCitations, citingFiles, isFile, promiseTable, proofsOf, readSources, sectionsOf } from './citations.mjs';

const sources = {
  sections: sectionsOf('## 5. Messages\n\n### 5.2 States\n\n- **5.2.1** Forwards only.\n'),
  adrs: new Set(['41']),
  promises: new Set(['18', '19']),
};

test('every citation of the repository can be followed', () => {
  const files = citingFiles();
  const { sections, adrs, promises } = readSources();
  expect(files.length).toBeGreaterThan(1_000);
  expect([sections.size > 300, adrs.size > 40, promises.size]).toEqual([true, true, 34]);
  expect(files.flatMap((file) => badCitations(file, { sections, adrs, promises }))).toEqual([]);
});

test('the table of promises names tests and fault commands that exist', () => {
  const { files, commands } = proofsOf(promiseTable());
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !isFile(file))).toEqual([]);
  expect(commands.filter((command) => !(command in COMMANDS))).toEqual([]);
  expect(Object.keys(COMMANDS).filter((command) => !commands.includes(command))).toEqual([]);
});

test.each([
  'as spec §5.2.1 says',
  'as spec §5.2 and §5.2.1 say',
  'spec §5',
  'ADR 41, by the way',
  'promise 18 of ADR 41',
  'promises 18 and 19 of ADR 41',
  'RFC 9110, section 14',
  'a promise of 20 seconds, and the decision to take 3',
])('%j can be followed', (text) => {
  expect(badCitations({ file: 'a.ts', text }, sources)).toEqual([]);
});

test.each([
  ['spec §5.3', 'docs/spec.md has no §5.3'],
  ['spec §5.2, §5.2.9', 'docs/spec.md has no §5.2.9'],
  ['ADR 42', 'there is no ADR 42'],
  ['promise 20 of ADR 41', 'ADR 41 has no promise 20'],
  ['promise 18', '"promise 18" names no page: write promise … of ADR 41'],
  ['(decisions 4)', '"decisions 4" cites no page of the repository: write spec §… or ADR …'],
  ['Spec 6.5: so it is', '"Spec 6.5" cites no page of the repository: write spec §… or ADR …'],
  ['rule 5.2.1', '"rule 5.2.1" cites no page of the repository: write spec §… or ADR …'],
])('%j is refused', (text, problem) => {
  expect(badCitations({ file: 'a.ts', text: `first line\n${text}` }, sources)).toEqual([`a.ts:2: ${problem}`]);
});
