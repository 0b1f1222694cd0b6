import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { workbooks } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import type { SheetReader } from '../src/sheets/sheet-reader';
import { bareBook, excelBook, googleBook, libreOfficeBook, strictBook } from './support/program-books';
import { type BuiltWorker, buildSheetWorker, readAll, sheetReader } from './support/read-all';

const { bookOf, inline, number, row } = workbooks;
let worker: BuiltWorker;
let reader: SheetReader;

beforeAll(async () => {
  worker = await buildSheetWorker();
  reader = sheetReader(worker);
});
afterAll(() => worker.remove());

const read = (rows: string, more: object = {}) => readAll(reader, bookOf({ sheets: [{ rows }], ...more }));

it.each([
  ['Excel', excelBook],
  ['LibreOffice', libreOfficeBook],
  ['Google Sheets', googleBook],
  ['a library that omits optional parts', bareBook],
  ['a program that writes the strict dialect', strictBook],
])('reads the file of %s', async (_program, book) => {
  const { header, rows } = await readAll(reader, book());
  expect(header).toMatchObject({ phone: 1, variables: [{ key: '1' }, { key: '2' }] });
  expect(rows).toEqual([
    { row: 2, phone: '919812345678', values: ['Asha R', 'A-17'] },
    { row: 4, phone: '919812345679', values: ['علي', 'A-18'] },
  ]);
});

it('reads the file of exceljs', async () => {
  const book = new ExcelJS.Workbook();
  book
    .addWorksheet('one')
    .addRows([
      ['phone', 'clientRef', 1],
      [919812345678, 'order-7781', 'x'],
      ['+91 98123-45679', '', { formula: '1+1', result: 2 }],
      [],
      [new Date('2026-03-02'), 'late', ''],
    ]);
  const { rows } = await readAll(reader, Buffer.from(await book.xlsx.writeBuffer()));
  expect(rows).toEqual([
    { row: 2, phone: '919812345678', values: ['x'], clientRef: 'order-7781' },
    { row: 3, phone: '919812345679', values: ['2'] },
    {
      row: 5,
      phone: '46083',
      values: [''],
      clientRef: 'late',
      problem: { kind: 'phone', message: 'the cell holds a date: write it as text' },
    },
  ]);
});

it('lowers the priority of the reading thread', async () => {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [];
  const before = new Set(threads);
  const phones = Array.from({ length: 5_000 }, (_unused, index) =>
    row(inline(createHash('sha256').update(String(index)).digest('hex'))),
  );
  const file = new Uint8Array(bookOf({ sheets: [{ rows: row(inline('phone')) + phones.join('') }] }));
  const newcomers: number[] = [];
  // This reader has not started a thread yet.
  const reading = sheetReader(worker).read(() => Promise.resolve(file), {
    accountId: 'acc_1',
    rows: 100_000,
    signal: new AbortController().signal,
  });
  while (!(await reading.next()).done) {
    if (newcomers.length > 0 || process.platform !== 'linux') continue;
    for (const thread of readdirSync('/proc/self/task')) if (!before.has(thread)) newcomers.push(niceOf(thread));
  }
  expect(Math.max(0, ...newcomers)).toBe(process.platform === 'linux' ? 5 : 0);
});

/** Returns the 19th field of the thread's stat line (man 5 proc). The name before it may contain spaces. */
function niceOf(thread: string): number {
  return Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]);
}

it('reads the first visible sheet', async () => {
  const sheets = [
    { rows: row(inline('phone')) + row(number('911111111111')), state: 'hidden' as const },
    { rows: row(inline('phone')) + row(number('912222222222')), state: 'veryHidden' as const },
    { rows: row(inline('phone')) + row(number('913333333333')) },
    { rows: row(inline('phone')) + row(number('914444444444')) },
  ];
  expect((await readAll(reader, bookOf({ sheets }))).rows).toEqual([{ row: 2, phone: '913333333333', values: [] }]);
});

it('uses the first non-blank row as the header', async () => {
  const { rows } = await read(
    `<row r="3">${inline(' Phone ')}</row><row r="7">${inline('919812345678')}</row><row>${inline('919812345679')}</row><row>${inline(' ')}</row><row r="1048576">${inline('+91 98123 45680')}</row>`,
  );
  expect(rows.map(({ row: at, phone }) => [at, phone])).toEqual([
    [7, '919812345678'],
    [8, '919812345679'],
    [1_048_576, '919812345680'],
  ]);
});

it('reports dates, errors and formulas without a result per row', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>';
  const rows =
    row(inline('phone'), inline('1')) +
    row(number('45718', ' s="1"'), inline('a')) +
    row(number('919812345678'), number('-1', ' s="2"')) +
    row('<c t="e"><v>#N/A</v></c>', inline('a')) +
    row('<c><f>A1</f></c>', inline('a')) +
    row(number('919812345678', ' s="1"'), inline('a'));
  expect((await read(rows, { styles })).rows.map(({ problem }) => problem?.message)).toEqual([
    'the cell holds a date: write it as text',
    'column 1 holds a date before 1900, which no program displays',
    'the cell holds an error',
    'the cell holds a formula without its result: open the file in a spreadsheet program and save it',
    undefined,
  ]);
});

it('reads a date as displayed, and the result of a formula', async () => {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('one');
  sheet.addRow(['phone', 1, 2, 3, 4]);
  sheet.addRow([
    919812345678,
    new Date('2026-03-02'),
    new Date('2026-03-02T13:30:00Z'),
    { formula: 'B2+1', result: new Date('2026-03-03') },
    { formula: '6*7', result: 42 },
  ]);
  for (const [column, format] of [
    ['B', 'dd/mm/yyyy'],
    ['C', '[$-409]d mmmm yyyy, h:mm AM/PM'],
    ['D', 'ddd d/m'],
  ])
    sheet.getCell(`${column}2`).numFmt = String(format);
  expect((await readAll(reader, Buffer.from(await book.xlsx.writeBuffer()))).rows).toMatchObject([
    { values: ['02/03/2026', '2 March 2026, 1:30 PM', 'Tue 3/3', '42'] },
  ]);
  book.properties.date1904 = true;
  expect((await readAll(reader, Buffer.from(await book.xlsx.writeBuffer()))).rows).toMatchObject([
    { values: ['02/03/2026', '2 March 2026, 1:30 PM', 'Tue 3/3', '42'] },
  ]);
});

it('reads a regional date with an unambiguous month and day', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="20" formatCode="d.m.yy"/></numFmts><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="18"/><xf numFmtId="20"/></cellXfs>';
  const cells = [1, 2, 3, 4].map((style) => number('46083.5625', ` s="${style}"`));
  const rows =
    row(inline('phone'), ...['1', '2', '3', '4'].map((name) => inline(name))) + row(number('919812345678'), ...cells);
  expect((await read(rows, { styles })).rows).toMatchObject([
    { values: ['2026-03-02', '2026-03-02 13:30', '1:30 PM', '2.3.26'] },
  ]);
});

it('reads cells outside the header, far to the right, or escaped', async () => {
  const rows = `<row><c r="A1" t="inlineStr"><is><t>phone</t></is></c><c r="AB1" t="inlineStr"><is><t>{{1}}</t></is></c></row><row><c r="A2" t="str"><v>919812345678</v></c><c r="C2"><v>5</v></c><c r="AB2" t="inlineStr"><is><t>a_x000A_b &lt;&amp;&gt;</t></is></c><c r="XFD2"><v>1</v></c></row><row><c r="C3"><v>1</v></c></row>`;
  expect((await read(rows)).rows).toEqual([
    { row: 2, phone: '919812345678', values: ['a\nb <&>'] },
    { row: 3, phone: '', values: [''], problem: { kind: 'phone', message: 'the cell is empty' } },
  ]);
});

it('stops at too many rows, not counting blank ones', async () => {
  const file = bookOf({ sheets: [{ rows: row(inline('phone')) + `${row(number('919812345678'))}<row/>`.repeat(5) }] });
  await expect(readAll(reader, file, 5)).resolves.toMatchObject({ rows: { length: 5 } });
  await expect(readAll(reader, file, 4)).rejects.toMatchObject({
    code: 'BULK_LIMIT_EXCEEDED',
    message: 'too many recipients for your plan: the sheet has more than 4 rows',
  });
});
