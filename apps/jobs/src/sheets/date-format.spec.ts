import { DateFormat } from './date-format';
import { SheetRefusal } from './sheet-refusal';

/** 2 March 2026, 13:30. */
const DAY = 46_083.5625;
const show = (code: string, day = DAY, is1904 = false): string | undefined =>
  new DateFormat(code, { is1904, used: new Set() }).show(day);

it.each([
  ['yyyy-mm-dd', '2026-03-02'],
  ['dd/mm/yyyy;@', '02/03/2026'],
  ['d mmm yyyy', '2 Mar 2026'],
  ['[$-409]mmmm d, yyyy', 'March 2, 2026'],
  ['[$-407]d. mmmm yyyy', '2. März 2026'],
  ['dddd', 'Monday'],
  ['dd/mm/yyyy\\ hh:mm', '02/03/2026 13:30'],
  ['h:mm AM/PM', '1:30 PM'],
  ['yyyy-mm-dd hh:mm:ss', '2026-03-02 13:30:00'],
  ['[Red]d-mmm-yy', '2-Mar-26'],
  ['yyyy"年"m"月"d"日"', '2026年3月2日'],
  ['_(d/m_)', '2/3'],
])('%s displays %s', (code, text) => expect(show(code)).toBe(text));

it('displays elapsed hours beyond a day', () =>
  expect([show('[h]:mm', 1.5), show('[h]:mm', 1.5, true)]).toEqual(['36:00', '36:00']));

it('displays regional formats with an unambiguous month and day', () => {
  expect(
    ['[$-F800]dddd, mmmm dd, yyyy', '[$-x-sysdate]dddd', '[$-F400]h:mm:ss AM/PM'].map((code) => show(code)),
  ).toEqual(['2026-03-02', '2026-03-02', '13:30:00']);
});

it('counts from 1904, or from 1900 with its nonexistent day', () => {
  expect([0.5, 1, 59, 60, 61].map((day) => show('yyyy-mm-dd', day))).toEqual([
    '1900-01-00',
    '1900-01-01',
    '1900-02-28',
    '1900-02-29',
    '1900-03-01',
  ]);
  expect([0, 44_621].map((day) => show('yyyy-mm-dd', day, true))).toEqual(['1904-01-01', '2026-03-02']);
});

it.each(['"d', '[h', 'd/m "x', 'h:mm:ss.000000000', `${'yyyy;'.repeat(50)}d`])('%s cannot be parsed', (code) =>
  expect(show(code)).toBeUndefined(),
);

it('rejects a sheet with too many formats', () => {
  const book = { is1904: false, used: new Set<string>() };
  const formats = Array.from({ length: 65 }, (_unused, index) => new DateFormat(`yyyy "${index}"`, book));
  for (let time = 0; time < 2; time += 1)
    for (const format of formats.slice(0, 64)) expect(format.show(DAY)).toMatch(/^2026 \d+$/);
  expect(() => formats[64]?.show(DAY)).toThrow(SheetRefusal);
});

it('parses long formats in linear time', () => {
  const pieces = [
    'y',
    'd',
    'h:',
    '[h]',
    '_y',
    '*y',
    'yyyy;',
    '"',
    '\\y',
    'AM/PM',
    '0.0',
    '#,##0 d',
    '?/? d',
    '[$-409]',
  ];
  const costOf = (characters: number): number => {
    const codes = pieces.map((piece) => piece.repeat(characters).slice(0, characters));
    const startedAt = process.cpuUsage();
    for (const code of codes) for (let time = 0; time < 200; time += 1) show(code);
    return process.cpuUsage(startedAt).user / 1_000;
  };
  // Alternate, because the speed of machines varies. In the fastest round, no compiler or garbage collector runs
  // concurrently.
  const rounds = Array.from({ length: 5 }, () => [costOf(255), costOf(51)] as const);
  const cheapest = (which: 0 | 1): number => Math.min(...rounds.map((round) => round[which]));
  // The longer format has five times the length. A quadratic step would make the ratio 25.
  expect(cheapest(0) / cheapest(1)).toBeLessThan(9);
});
