import { isUserId, phoneFault } from '@switchboard/contracts';
import { DateFormat } from './date-format';
import { type Cell, isBlank, phoneOf, textOf, userIdOf } from './cell';

const cell = (type: Cell['type'], raw: string, more: Partial<Cell> = {}): Cell => ({
  column: 1,
  type,
  raw,
  isFormula: false,
  ...more,
});
const dateFormat = new DateFormat('dd/mm/yyyy', { is1904: false, used: new Set() });
const timeFormat = new DateFormat('h:mm AM/PM', { is1904: false, used: new Set() });
const timeFormatOf1904 = new DateFormat('h:mm AM/PM', { is1904: true, used: new Set() });

describe('phone cell parser', () => {
  it.each([
    ['919812345678', '919812345678'],
    ['9.19812E+11', '919812000000'],
    ['9.19812345678E11', '919812345678'],
    ['9.19812345678e+011', '919812345678'],
    ['919812345678.0', '919812345678'],
    ['999999999999999', '999999999999999'],
    ['9.1981234567800003E+11', '919812345678'],
  ])('reads the number %s as %s', (raw, phone) => expect(phoneOf(cell('n', raw))).toEqual({ text: phone }));

  it.each([
    ['919812345678', '919812345678'],
    ['+91 98123-45678', '919812345678'],
    ['\u202A+91\u00A098123\u201145678\u202C', '919812345678'],
    ['\u200F919812345678', '919812345678'],
    [' 91 98 12 34 56 78 ', '919812345678'],
    ['9.19812345678E+11', '919812345678'],
    ['++919812345678', '+919812345678'],
    ['US.13491208655302741918', 'US.13491208655302741918'],
    [' \u200FUS.ENT.11815799212886844830 ', 'US.ENT.11815799212886844830'],
    ['(91) 98123.45678', '(91)98123.45678'],
    ['٩١٩٨١٢٣٤٥٦٧٨', '٩١٩٨١٢٣٤٥٦٧٨'],
  ])('reads the text %j as %s', (raw, phone) => expect(phoneOf(cell('t', raw))).toEqual({ text: phone }));

  it.each([
    [cell('t', '9.19812E+11'), 'holds a number that was shortened to its first digits: write all of them'],
    [cell('n', '919812345678.5'), 'holds a number that is not whole'],
    [cell('n', '1e300'), 'holds a number that is not whole'],
    [cell('n', '0x10'), 'holds a number that cannot be read'],
    [cell('n', '9'.repeat(400)), 'holds a number that cannot be read'],
    [cell('n', '45718', { dateFormat }), 'holds a date: write it as text'],
    [cell('d', '2026-03-02T00:00:00'), 'holds a date: write it as text'],
    [cell('d', '09:30:00'), 'holds a date: write it as text'],
    [cell('t', '2026-03-02'), 'holds a date: write it as text'],
    [cell('t', '12-03-2026'), 'holds a date: write it as text'],
    [cell('b', '1'), 'holds TRUE or FALSE'],
    [cell('e', '#N/A'), 'holds an error'],
    [
      cell('n', '', { isFormula: true }),
      'holds a formula without its result: open the file in a spreadsheet program and save it',
    ],
  ])('rejects %j because the cell %s', (from, problem) => expect(phoneOf(from).problem).toBe(problem));

  it.each([
    ['919800001027.0', 'did you mean 919800001027?'],
    ['+44 (0)7911 123456', 'did you mean 447911123456?'],
    ['919800001027.5', 'without +'],
  ])('rejects the text %j with the likely number: %s', (raw, end) => {
    const { text, problem } = phoneOf(cell('t', raw));
    expect(problem).toBeUndefined();
    expect(phoneFault(text).endsWith(end)).toBe(true);
  });

  it.each(['US.1349 1208', 'US.1349-1208', `US.${'1'.repeat(300)}`])(
    'does not turn the text %j into another user id',
    (raw) => expect(isUserId(phoneOf(cell('t', raw)).text)).toBe(false),
  );

  it('rejects a truncated text', () => {
    expect(phoneOf(cell('t', `919812345678${' '.repeat(1_012)}x`))).toEqual({
      text: expect.any(String) as string,
      problem: 'holds a text that is too long for a number',
    });
  });

  it('runs in linear time', () => {
    const startedAt = process.cpuUsage();
    for (const raw of [
      `${'1'.repeat(32_000)}x`,
      `${'1'.repeat(32_000)}.`,
      `.${'1'.repeat(32_000)}e`,
      `1e${'1'.repeat(32_000)}`,
    ]) {
      for (let time = 0; time < 20; time += 1)
        expect(phoneOf(cell('n', raw)).problem).toBe('holds a number that cannot be read');
    }
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(500);
  });

  it('accepts a cell whose date format cannot apply', () => {
    expect(phoneOf(cell('n', '919812345678', { dateFormat }))).toEqual({ text: '919812345678' });
  });

  it('accepts the result of a formula', () => {
    expect(phoneOf(cell('n', '919812345678', { isFormula: true }))).toEqual({ text: '919812345678' });
    expect(phoneOf(cell('t', '919812345678', { isFormula: true }))).toEqual({ text: '919812345678' });
  });

  it('shows only the first characters of a rejected text', () =>
    expect(phoneOf(cell('t', 'x'.repeat(9_999))).text).toHaveLength(64));
});

describe('user id cell parser', () => {
  it('trims surrounding blanks', () => {
    expect(userIdOf(cell('t', ' US.10000000000000000001 '))).toEqual({ text: 'US.10000000000000000001' });
    expect(userIdOf(cell('t', 'US.ENT.1'))).toEqual({ text: 'US.ENT.1' });
  });

  it.each([
    [cell('t', '919812345678'), 'holds no user id such as US.10000000000000000001'],
    [cell('n', '919812345678'), 'holds no user id such as US.10000000000000000001'],
    [cell('t', 'us.1'), 'holds no user id such as US.10000000000000000001'],
    [cell('n', '45718', { dateFormat }), 'holds a date: write it as text'],
    [cell('b', '1'), 'holds TRUE or FALSE'],
  ])('rejects %j with "%s"', (from, problem) => expect(userIdOf(from).problem).toBe(problem));
});

describe('variable cell formatter', () => {
  it.each([
    [cell('t', 'Asha R'), 'Asha R'],
    [cell('t', `x${' '.repeat(1_024)}`), `x${' '.repeat(1_024)}`],
    [cell('t', 'مرحبا، طلبك A-17'), 'مرحبا، طلبك A-17'],
    [cell('n', '17'), '17'],
    [cell('n', '1234.5'), '1234.5'],
    [cell('n', '0.30000000000000004'), '0.3'],
    [cell('n', '9.19812345678E+11'), '919812345678'],
    [cell('n', '1E+21'), '1000000000000000000000'],
    [cell('n', '1.5E-7'), '0.00000015'],
    [cell('n', '-3'), '-3'],
    [cell('b', '1'), 'TRUE'],
    [cell('b', '0'), 'FALSE'],
    [cell('t', '2026-03-02'), '2026-03-02'],
  ])('formats %j as %j', (from, text) => expect(textOf(from)).toEqual({ text }));

  it.each([
    [cell('n', '46083', { dateFormat }), '02/03/2026'],
    [cell('n', '46083.75', { dateFormat, isFormula: true }), '02/03/2026'],
    [cell('n', '919812345678', { dateFormat }), '919812345678'],
    [cell('d', '2026-03-02T00:00:00', { dateFormat }), '02/03/2026'],
    [cell('d', '2026-03-02T10:15:00.000Z', { dateFormat }), '02/03/2026'],
    [cell('d', '2026-03-02', { dateFormat }), '02/03/2026'],
    [cell('d', '2026-03-02'), '2026-03-02'],
    [cell('d', '2026-03-02T10:15:00'), '2026-03-02 10:15:00'],
    [cell('d', '09:30:00'), '09:30:00'],
    [cell('d', '09:30'), '09:30'],
    [cell('d', 'T09:30:00Z'), '09:30:00'],
    [cell('d', '09:30:00.000', { dateFormat: timeFormat }), '9:30 AM'],
    [cell('d', '09:30:00', { dateFormat: timeFormatOf1904 }), '9:30 AM'],
  ])('formats %j as the date %j', (from, text) => expect(textOf(from)).toEqual({ text }));

  it.each([
    [cell('n', '-1', { dateFormat }), 'holds a date before 1900, which no program displays'],
    [
      cell('n', '46083', { dateFormat: new DateFormat('"d', { is1904: false, used: new Set() }) }),
      'holds a date that cannot be read: write it as text',
    ],
    [cell('d', '2026-02-31T25:00', { dateFormat }), 'holds a date that cannot be read: write it as text'],
    [cell('d', '25:30:00'), 'holds a date that cannot be read: write it as text'],
    [cell('d', 'tomorrow'), 'holds a date that cannot be read: write it as text'],
    [cell('e', '#REF!'), 'holds an error'],
  ])('rejects %j because the cell %s', (from, problem) => expect(textOf(from).problem).toBe(problem));
});

it.each([
  [cell('t', ''), true],
  [cell('t', ' \u00A0'), true],
  [cell('t', '', { isFormula: true }), true],
  [cell('n', '', { isFormula: true }), false],
  [cell('n', '0'), false],
])('%j is blank: %s', (from, blank) => expect(isBlank(from)).toBe(blank));
