import { csvTextOf } from './csv';
import { readSheet, type SheetPiece } from './read-sheet';
import type { SheetLimits } from './sheet-limits';

const LIMITS: SheetLimits = {
  inflatedBytes: 4_194_304,
  entries: 50,
  ratio: 100,
  rows: 100,
  columns: 20,
  cellCharacters: 100,
  sharedTextBytes: 1_048_576,
};
const WINDOWS_WARNING = {
  field: 'customerExcel',
  message: 'the file is not UTF-8 and was read as Windows-1252: check its accents',
};

async function read(file: Buffer | string, limits: Partial<SheetLimits> = {}): Promise<SheetPiece[]> {
  const pieces: SheetPiece[] = [];
  for await (const piece of readSheet(Buffer.from(file as string), { ...LIMITS, ...limits })) pieces.push(piece);
  return pieces;
}
const rowsOf = async (file: Buffer | string, limits?: Partial<SheetLimits>) =>
  (await read(file, limits)).flatMap((piece) => ('rows' in piece ? piece.rows : []));
const formatOf = (file: Buffer | string) => csvTextOf(Buffer.from(file as string)).format;
const refusal = (message: RegExp, code = 'FILE_INVALID'): object => ({
  name: 'SheetRefusal',
  code,
  message: expect.stringMatching(message) as string,
});

describe('CSV file encoding', () => {
  const text = 'phone;1\n919812345678;García ’€\n';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const windows = Buffer.concat([
    Buffer.from('phone;1\n919812345678;Garc\u00eda ', 'latin1'),
    Buffer.from([0x92, 0x80, 0x0a]),
  ]);

  it.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a byte-order mark', Buffer.from(`\uFEFF${text}`), 'utf-8'],
    ['UTF-8 with two byte-order marks', Buffer.from(`\uFEFF\uFEFF${text}`), 'utf-8'],
    ['UTF-16', utf16, 'utf-16le'],
    ['UTF-16 in the other byte order', Buffer.from(utf16).swap16(), 'utf-16be'],
    ['Windows-1252', windows, 'windows-1252'],
  ])('is detected for %s', async (_what, file, encoding) => {
    const pieces = await read(file);
    expect(pieces).toMatchObject([
      { format: { format: 'csv', encoding, delimiter: ';' } },
      { rows: [{ row: 2, phone: '919812345678', values: ['García ’€'] }] },
      ...(encoding === 'windows-1252' ? [{ warnings: [WINDOWS_WARNING] }] : []),
    ]);
  });

  it('decodes characters that are split between two chunks', async () => {
    const names = Array.from(
      { length: 40_000 },
      (_unused, index) => `9198${10_000_000 + index},${'é'.repeat(index % 7)}`,
    );
    const rows = await rowsOf(`phone,1\n${names.join('\n')}`, { rows: 100_000 });
    expect(rows.map(({ phone, values }) => `${phone},${values.join()}`)).toEqual(names);
  });

  it.each([
    [
      'a byte that is undefined in Windows-1252',
      Buffer.from('phone\n\x81', 'latin1'),
      /neither UTF-8 nor Windows-1252/,
    ],
    [
      'a UTF-8 byte-order mark before another encoding',
      Buffer.from('\xef\xbb\xbfphone\nGarc\xeda', 'latin1'),
      /byte-order mark/,
    ],
    ['half a UTF-16 character', Buffer.concat([utf16, Buffer.from([0x41])]), /byte-order mark/],
    ['UTF-16 without a byte-order mark', utf16.subarray(2), /neither an \.xlsx nor a \.csv file/],
    ['UTF-32', Buffer.from('fffe000070000000', 'hex'), /neither an \.xlsx nor a \.csv file/],
    ['binary data', Buffer.from([0, 1, 2, 3]), /neither an \.xlsx nor a \.csv file/],
    ['binary data after text', `phone\n${'1'.repeat(70_000)}\u0000`, /control characters/],
  ])('rejects %s', async (_what, file, message) => {
    await expect(read(file, { cellCharacters: 100_000 })).rejects.toMatchObject(refusal(message));
  });
});

describe('CSV delimiter', () => {
  it.each([
    ['phone,1\n', ','],
    ['phone;1\n', ';'],
    ['phone\t1\n', '\t'],
    ['note,more;phone;x,y\n', ';'],
    ['"a;b;c;d";"phone"\n', ';'],
    ['"phone","a;b;c;d"\n', ','],
    ['phone\n919812345678\n', ','],
    ['\n;;;\n Phone ;1\n', ';'],
    ['sep=;\r\nphone;a,b\n', ';'],
    ['sep=\t\nphone\t1\n', '\t'],
    ['a,b;c;d\n', ';'],
  ])('is detected in %j as %j', (file, delimiter) => expect(formatOf(file).delimiter).toBe(delimiter));
});

describe('CSV rows', () => {
  it.each(['\n', '\r\n', '\r'])('may end with %j', async (end) => {
    expect(await rowsOf(['phone,1', '919812345678,a', '919812345679,b'].join(end))).toMatchObject([
      { row: 2, phone: '919812345678', values: ['a'] },
      { row: 3, phone: '919812345679', values: ['b'] },
    ]);
  });

  it('may have mixed line endings', async () => {
    expect((await rowsOf('phone\r\n919812345678\n919812345679\r\n')).map(({ phone }) => phone)).toEqual([
      '919812345678',
      '919812345679',
    ]);
  });

  it('are numbered despite blank rows and line breaks in fields', async () => {
    const file = 'phone,1\r\n\r\n,  \r\n919812345678,"a\r\nb"\r\n919812345679,c\r\n';
    expect(await rowsOf(file)).toMatchObject([
      { row: 4, values: ['a\r\nb'] },
      { row: 5, values: ['c'] },
    ]);
    // The first row that is not blank is the header.
    expect(await rowsOf('\r\n,,\r\n Phone ,1\r\n919812345678,a\r\n')).toMatchObject([
      { row: 4, phone: '919812345678', values: ['a'] },
    ]);
  });

  it('may have quoted fields with delimiters, quotes and blanks', async () => {
    const file = 'phone,1,2,clientRef\n"+91 98123-45678", "Smith, ""Bob""" ,"  x ",r-1\n919812345679,,\n';
    expect(await rowsOf(file)).toEqual([
      { row: 2, phone: '919812345678', values: ['Smith, "Bob"', 'x'], clientRef: 'r-1' },
      { row: 3, phone: '919812345679', values: ['', ''] },
    ]);
  });

  it('are validated like the rows of a spreadsheet', async () => {
    const file = 'phone\tnote\n9.19812E+11\tx\n9.19812345678E+11\tx\n2026-03-02\tx\n\tx\n12\tx\n';
    expect((await rowsOf(file)).map(({ row, phone, problem }) => [row, phone, problem?.message])).toEqual([
      [2, '9.19812E+11', 'the cell holds a number that was shortened to its first digits: write all of them'],
      [3, '919812345678', undefined],
      [4, '2026-03-02', 'the cell holds a date: write it as text'],
      [5, '', 'the cell is empty'],
      [6, '12', undefined],
    ]);
  });

  it('start after a line that declares the delimiter', async () => {
    expect(await rowsOf('sep=;\r\nphone;1\r\n919812345678;a\r\n')).toMatchObject([{ row: 2, values: ['a'] }]);
  });
});

describe('CSV file', () => {
  it.each([
    ['has no column phone', 'name,1\nx,y\n', /no column named phone or user id; its first row has name, 1$/],
    ['has two columns phone', 'phone,Phone\n', /more than one column named phone$/],
    ['is empty', '', /it is empty$/],
    ['is blank', ' \n\n  \n', /it is empty$/],
    ['has an unclosed quotation mark', 'phone,1\n1,a\n1,"b\n', /a quotation mark in row 3 is not closed$/],
    ['has text after a quoted field', 'phone,1\n1,"a" b\n', /row 2 has a quotation mark in the wrong place/],
    [
      'has a quotation mark within a field',
      'phone,1\n1,a\n1,5" pipe\n',
      /row 3 has a quotation mark in the wrong place/,
    ],
    ['has a row of more than a megabyte', `phone,1\n1,"${'x'.repeat(1_100_000)}`, /row 2 has more than 1 MB/],
    [
      'has a cell that is too long',
      `phone,1\n1,${'x'.repeat(101)}\n`,
      /one of its cells has more than 100 characters$/,
    ],
    ['has too many columns', `phone,${'a,'.repeat(20)}a\n`, /more than 20 columns$/],
    ['has too many cells in a row', `phone\n${','.repeat(20_000)}\n`, /more than 16384 columns$/],
    ['has more rows than a spreadsheet can', `phone\n${'\n'.repeat(1_048_577)}`, /more than 1048576 rows$/],
  ])('is rejected if it %s', async (_what, file, message) => {
    await expect(read(file)).rejects.toMatchObject(refusal(message));
  });

  it("is limited to the plan's number of rows", async () => {
    const file = `phone\n${'919812345678\n\n'.repeat(3)}`;
    expect(await rowsOf(file, { rows: 3 })).toHaveLength(3);
    await expect(read(file, { rows: 2 })).rejects.toMatchObject(refusal(/more than 2 rows$/, 'BULK_LIMIT_EXCEEDED'));
  });
});
