import { deflateRawSync } from 'node:zlib';
import { hostileFiles, workbooks, zipOf } from '@switchboard/testing';
import { bareBook, excelBook, googleBook, libreOfficeBook, strictBook } from '../../test/support/program-books';
import { readSheet, type SheetPiece } from './read-sheet';
import type { SheetLimits } from './sheet-limits';

const { bookOf, inline, number, partsOf, row, worksheet } = workbooks;
const MIB = 1_048_576;
const LIMITS: SheetLimits = {
  inflatedBytes: 4 * MIB,
  entries: 50,
  ratio: 100,
  rows: 100,
  columns: 20,
  cellCharacters: 100,
  sharedTextBytes: MIB,
};
const phone = row(inline('phone'));
const person = row(number('919812345678'));
const PERSON = [{ row: 2, phone: '919812345678', values: [] }];

async function read(file: Buffer, limits: Partial<SheetLimits> = {}): Promise<SheetPiece[]> {
  const pieces: SheetPiece[] = [];
  for await (const piece of readSheet(file, { ...LIMITS, ...limits })) pieces.push(piece);
  return pieces;
}
const rowsOf = async (file: Buffer, limits?: Partial<SheetLimits>) =>
  (await read(file, limits)).flatMap((piece) => ('rows' in piece ? piece.rows : []));
const rowsIn = (rows: string, limits?: Partial<SheetLimits>) => rowsOf(bookOf({ sheets: [{ rows }] }), limits);
const refusal = (reason: RegExp, code = 'FILE_INVALID'): object => ({
  name: 'SheetRefusal',
  code,
  message: expect.stringMatching(reason) as string,
});
const sizeOf = (parts: ReturnType<typeof partsOf>): number =>
  parts.reduce((sum, { content }) => sum + Buffer.byteLength(content as string), 0);
const withPart = (name: string, content: Buffer | string, claimedBytes?: number): Buffer =>
  zipOf([...partsOf({ sheets: [{ rows: phone + person }] }), { name, content, claimedBytes }]);

describe('spreadsheet limits', () => {
  const parts = partsOf({ sheets: [{ rows: phone + person }] });

  it('apply to the number of parts', async () => {
    expect(await rowsOf(zipOf(parts), { entries: parts.length })).toEqual(PERSON);
    await expect(read(zipOf(parts), { entries: parts.length - 1 })).rejects.toMatchObject(
      refusal(new RegExp(`more than ${parts.length - 1} parts$`)),
    );
  });

  it('apply to the unpacked size declared in the directory', async () => {
    expect(await rowsOf(zipOf(parts), { inflatedBytes: sizeOf(parts) })).toEqual(PERSON);
    await expect(read(zipOf(parts), { inflatedBytes: sizeOf(parts) - 1 })).rejects.toMatchObject(
      refusal(/more than 0 MB when unpacked$/),
    );
    // This part is never read.
    const rest = 4 * MIB - sizeOf(parts);
    expect(await rowsOf(withPart('xl/large.xml', 'x', rest), { ratio: 1e9 })).toEqual(PERSON);
    await expect(read(withPart('xl/large.xml', 'x', rest + 1), { ratio: 1e9 })).rejects.toMatchObject(
      refusal(/more than 4 MB when unpacked$/),
    );
  });

  it('apply to the unpacked bytes, counting repeated reads again', async () => {
    const relations = workbooks.relations(
      ['worksheet', 'styles'].map((type) => ({ type: `http://x/${type}`, target: 'worksheets/sheet1.xml' })),
    );
    const own = partsOf({
      sheets: [{ rows: phone + person }],
      parts: [{ name: 'xl/_rels/workbook.xml.rels', content: relations }],
    });
    const sheet = Buffer.byteLength(String(own.find(({ name }) => name.endsWith('sheet1.xml'))?.content));
    expect(await rowsOf(zipOf(own), { inflatedBytes: sizeOf(own) + sheet })).toEqual(PERSON);
    await expect(read(zipOf(own), { inflatedBytes: sizeOf(own) + sheet - 1 })).rejects.toMatchObject(
      refusal(/when unpacked$/),
    );
  });

  it('apply to the compression ratio of parts over a megabyte', async () => {
    const noise = Buffer.from(
      Array.from({ length: 30_000 }, (_unused, index) => (index * index * 2_654_435_761) % 251),
    );
    const most = deflateRawSync(noise).length * 100;
    expect(most).toBeGreaterThan(MIB);
    expect(await rowsOf(withPart('xl/noise.bin', noise, most))).toEqual(PERSON);
    await expect(read(withPart('xl/noise.bin', noise, most + 1))).rejects.toMatchObject(
      refusal(/one of its parts is compressed more than 100 to 1$/),
    );
    expect(await rowsOf(withPart('xl/zero.bin', Buffer.alloc(MIB)))).toEqual(PERSON);
    await expect(read(withPart('xl/zero.bin', Buffer.alloc(MIB + 1)))).rejects.toMatchObject(
      refusal(/compressed more than 100 to 1$/),
    );
  });

  it('apply to the rows, without the header and blank rows', async () => {
    const rows = phone + `${person}<row/>${row(inline(' '))}`.repeat(3);
    expect(await rowsIn(rows, { rows: 3 })).toHaveLength(3);
    await expect(rowsIn(rows, { rows: 2 })).rejects.toMatchObject(
      refusal(/^too many recipients for your plan: the sheet has more than 2 rows$/, 'BULK_LIMIT_EXCEEDED'),
    );
  });

  it.each([
    ['inline', (text: string) => ({ sheets: [{ rows: phone + row(number('1'), inline(text)) }] })],
    [
      'shared',
      (text: string) => ({
        sheets: [{ rows: phone + row(number('1'), '<c t="s"><v>0</v></c>') }],
        texts: [`<t>${text}</t>`],
      }),
    ],
    [
      'in text runs',
      (text: string) => ({
        sheets: [
          {
            rows:
              phone +
              row(
                number('1'),
                `<c t="inlineStr"><is><r><t>${text.slice(0, 7)}</t></r><r><t>${text.slice(7)}</t></r></is></c>`,
              ),
          },
        ],
      }),
    ],
    [
      'of a formula',
      (text: string) => ({ sheets: [{ rows: phone + row(number('1'), `<c t="str"><f>A1</f><v>${text}</v></c>`) }] }),
    ],
  ])('apply to the characters of a cell: %s', async (_kind, book) => {
    expect(await rowsOf(bookOf(book('x'.repeat(100))))).toMatchObject([{ phone: '1' }]);
    await expect(read(bookOf(book('x'.repeat(101))))).rejects.toMatchObject(
      refusal(/one of its cells has more than 100 characters$/),
    );
  });

  it('apply to all shared strings together', async () => {
    const texts = ['<t>phone</t>', '<t>Asha</t>'];
    const book = { sheets: [{ rows: phone + person }], texts };
    const bytes = Buffer.byteLength(
      String(partsOf(book).find(({ name }) => name.endsWith('sharedStrings.xml'))?.content),
    );
    expect(await rowsOf(bookOf(book), { sharedTextBytes: bytes })).toEqual(PERSON);
    await expect(read(bookOf(book), { sharedTextBytes: bytes - 1 })).rejects.toMatchObject(
      refusal(/it has too much text$/),
    );
  });

  it('count prescanned shared strings once', async () => {
    const book = { sheets: [{ rows: phone + person }], texts: Array.from({ length: 300_000 }, () => '<t>Asha</t>') };
    const within = { inflatedBytes: sizeOf(partsOf(book)), sharedTextBytes: 8 * MIB, ratio: 1e9 };
    expect(await rowsOf(bookOf(book), within)).toEqual(PERSON);
    await expect(read(bookOf(book), { ...within, inflatedBytes: within.inflatedBytes - 1 })).rejects.toMatchObject(
      refusal(/when unpacked$/),
    );
  });

  it('apply to any text between two tags', async () => {
    const before = (bytes: number): Buffer => bookOf({ sheets: [{ rows: `${' '.repeat(bytes)}${phone}${person}` }] });
    expect(await rowsOf(before(900_000), { ratio: 1e9 })).toEqual(PERSON);
    await expect(read(before(1_200_000), { ratio: 1e9 })).rejects.toMatchObject(
      refusal(/one of its cells is too long$/),
    );
    expect(await rowsIn(phone + ' '.repeat(900_000) + person + ' '.repeat(900_000), { ratio: 1e9 })).toEqual(PERSON);
  });
});

describe('element order in a spreadsheet', () => {
  it.each([
    ['the last possible row', `${phone}<row r="1048576">${number('1')}</row>`, [1_048_576]],
    ['a row without a number after a numbered one', `<row r="3">${inline('phone')}</row>${row(number('1'))}`, [4]],
  ])('allows %s', async (_what, rows, numbers) =>
    expect((await rowsIn(rows)).map((each) => each.row)).toEqual(numbers),
  );

  it.each([
    [
      'a row beyond the last possible one',
      `${phone}<row r="1048577">${number('1')}</row>`,
      /its rows are not in order$/,
    ],
    ['row number 0', `<row r="0">${inline('phone')}</row>`, /its rows are not in order$/],
    ['a fractional row number', `<row r="1.5">${inline('phone')}</row>`, /its rows are not in order$/],
    [
      'a repeated row number',
      `<row r="1">${inline('phone')}</row><row r="1">${number('1')}</row>`,
      /its rows are not in order$/,
    ],
    ['a column beyond the last possible one', row('<c r="XFE1"><v>1</v></c>'), /the cells of a row are not in order$/],
    [
      'a repeated column',
      row('<c r="B1"><v>1</v></c>', '<c r="B1"><v>1</v></c>'),
      /the cells of a row are not in order$/,
    ],
    [
      'columns in descending order',
      row('<c r="B1"><v>1</v></c>', '<c r="A1"><v>1</v></c>'),
      /the cells of a row are not in order$/,
    ],
    ['a reference to a missing shared text', row('<c t="s"><v>0</v></c>'), /refers to a missing text$/],
  ])('rejects %s', async (_what, rows, reason) => expect(rowsIn(rows)).rejects.toMatchObject(refusal(reason)));

  it('accepts columns up to XFD and infers missing references', async () => {
    const header = row(
      '<c r="A1" t="str"><v>1</v></c>',
      '<c r="Z1" t="str"><v>phone</v></c>',
      '<c t="str"><v>2</v></c>',
      '<c r="XFD1" t="str"><v>clientRef</v></c>',
    );
    const rows =
      header +
      row(
        '<c r="a2"><v>5</v></c>',
        '<c r="$Z$2"><v>919812345678</v></c>',
        '<c><v>6</v></c>',
        '<c r="XFD2"><v>7</v></c>',
      );
    expect(await rowsIn(rows)).toEqual([{ row: 2, phone: '919812345678', values: ['5', '6'], clientRef: '7' }]);
  });
});

describe('invalid spreadsheet', () => {
  // The bombs take long to create, so the tests in test/ read them.
  const harmless = Object.entries(hostileFiles).filter(([what]) => !what.startsWith('a bomb'));
  it.each(harmless)('is rejected: %s', async (_what, { file, reason }) =>
    expect(read(file())).rejects.toMatchObject(refusal(reason)),
  );

  it('is rejected if it refers to a sheet outside the file', async () => {
    const relations = workbooks.relations([
      { type: 'http://x/worksheet', target: 'http://x/xl/worksheets/sheet1.xml' },
    ]);
    const book = (content: string): Buffer =>
      bookOf({ sheets: [{ rows: phone + person }], parts: [{ name: 'xl/_rels/workbook.xml.rels', content }] });
    await expect(read(book(relations.replace('/></', ' TargetMode="External"/></')))).rejects.toMatchObject(
      refusal(/it has no visible sheet$/),
    );
  });

  it.each([10, 100_000])('is rejected if it declares a false size: %i bytes', async (claimedBytes) => {
    const part = { name: 'xl/worksheets/sheet1.xml', content: worksheet(phone + person), claimedBytes };
    await expect(read(bookOf({ sheets: [{ rows: '' }], parts: [part] }))).rejects.toMatchObject(
      refusal(/sheet1\.xml is damaged$/),
    );
  });

  it('is rejected if it contains invalid UTF-8', async () => {
    const [before = '', after = ''] = worksheet(
      row(inline('phone'), inline('1')) + row(number('1'), inline('caf|')),
    ).split('|');
    const sheet = (last: Buffer): Buffer =>
      bookOf({
        sheets: [{ rows: '' }],
        parts: [
          { name: 'xl/worksheets/sheet1.xml', content: Buffer.concat([Buffer.from(before), last, Buffer.from(after)]) },
        ],
      });
    expect(await rowsOf(sheet(Buffer.from('é')))).toMatchObject([{ values: ['café'] }]);
    await expect(read(sheet(Buffer.from('é', 'latin1')))).rejects.toMatchObject(refusal(/not well-formed XML$/));
  });

  it.each(['xl/vbaProjectSignature.bin', 'VBAPROJECT.BIN', 'xl/macrosheets/intl/sheet1.xml'])(
    'is rejected if it contains macros: %s',
    async (name) => expect(read(withPart(name, 'x'))).rejects.toMatchObject(refusal(/it contains macros/)),
  );
  it.each(['xl/myvbaproject.bin', 'xl/vbaProject.bin.xml'])('is accepted if it contains no macros: %s', async (name) =>
    expect(await rowsOf(withPart(name, 'x'))).toEqual(PERSON),
  );

  it.each(['<!DOCTYPE x>', '<!DOCTYPE x [<!ENTITY a "1">]>'])(
    'is rejected if any part has a document type: %s',
    async (doctype) => {
      for (const name of [
        '[Content_Types].xml',
        'xl/workbook.xml',
        'xl/styles.xml',
        'xl/sharedStrings.xml',
        'xl/worksheets/sheet1.xml',
      ]) {
        const own = partsOf({ sheets: [{ rows: phone + person }], texts: ['<t>x</t>'], styles: '' });
        const hostile = own.map((part) =>
          part.name === name ? { ...part, content: String(part.content).replace('?>\n', `?>\n${doctype}`) } : part,
        );
        await expect(read(zipOf(hostile))).rejects.toMatchObject(refusal(/it has a document type declaration$/));
      }
    },
  );
});

describe('readSheet', () => {
  it.each(Object.entries({ excelBook, libreOfficeBook, googleBook, bareBook, strictBook }))(
    'returns the same rows for every program: %s',
    async (_what, book) => {
      expect(await rowsOf(book())).toEqual([
        { row: 2, phone: '919812345678', values: ['Asha R', 'A-17'] },
        { row: 4, phone: '919812345679', values: ['علي', 'A-18'] },
      ]);
    },
  );

  it('reads the first visible sheet', async () => {
    const sheet = (text: string, state?: 'hidden' | 'veryHidden') => ({ rows: phone + row(inline(text)), state });
    expect(
      (await rowsOf(bookOf({ sheets: [sheet('1', 'hidden'), sheet('2', 'veryHidden'), sheet('3'), sheet('4')] }))).map(
        (each) => each.phone,
      ),
    ).toEqual(['3']);
  });

  it('returns the header, then up to 500 rows at a time', async () => {
    const pieces = await read(bookOf({ sheets: [{ rows: phone + person.repeat(1_201) }] }), { rows: 2_000 });
    expect(pieces.map((piece) => ('rows' in piece ? piece.rows.length : Object.keys(piece)))).toEqual([
      ['header', 'format'],
      500,
      500,
      201,
    ]);
  });

  it('returns smaller pieces for long texts, without truncation', async () => {
    const long = 'x'.repeat(1_024);
    const pieces = await read(
      bookOf({
        sheets: [{ rows: row(inline('phone'), inline('1')) + row(number('1'), '<c t="s"><v>0</v></c>').repeat(2_000) }],
        texts: [`<t>${long}</t>`],
      }),
      { rows: 2_000, cellCharacters: 2_000 },
    );
    const rows = pieces.map((piece) => ('rows' in piece ? piece.rows : []));
    expect(rows.flat().every(({ values, problem }) => values[0] === long && problem === undefined)).toBe(true);
    expect([rows.flat().length, Math.max(...rows.map(({ length }) => length))]).toEqual([2_000, 256]);
  });

  it.each([
    ['a variable', 'shared', '1', 1_024, 'column 1 must be at most 1024 characters'],
    ['a variable', 'inline', '1', 1_024, 'column 1 must be at most 1024 characters'],
    ['a reference', 'shared', 'clientRef', 128, 'clientRef must be shorter than or equal to 128 characters'],
    ['a reference', 'inline', 'clientRef', 128, 'clientRef must be shorter than or equal to 128 characters'],
  ])('rejects a row where %s (%s) is too long', async (_what, kind, column, most, message) => {
    const of = (text: string) => ({
      sheets: [
        {
          rows:
            row(inline('phone'), inline(column)) +
            row(number('1'), kind === 'shared' ? '<c t="s"><v>0</v></c>' : inline(text)),
        },
      ],
      texts: [`<t>${text}</t>`],
    });
    for (const text of ['x'.repeat(most), '€'.repeat(most), ' '.repeat(2_000) + 'x'.repeat(most)]) {
      const [taken] = await rowsOf(bookOf(of(text)), { cellCharacters: 40_000 });
      expect([taken?.problem, taken?.clientRef ?? taken?.values[0]]).toEqual([undefined, text.trim()]);
    }
    for (const text of ['x'.repeat(most + 1), '€'.repeat(most + 1), 'x'.repeat(32_767), `x${' '.repeat(5_000)}y`]) {
      const [refused] = await rowsOf(bookOf(of(text)), { cellCharacters: 40_000 });
      expect(refused).toMatchObject({ values: [], problem: { kind: 'length', message } });
    }
  });

  it('counts an emoji in a reference as one character', async () => {
    const rows = (text: string) => row(inline('phone'), inline('clientRef')) + row(number('1'), inline(text));
    const read = (text: string) => rowsIn(rows(text), { cellCharacters: 1_000 });
    expect(await read('😀'.repeat(128))).toMatchObject([{ clientRef: '😀'.repeat(128) }]);
    expect(await read('😀'.repeat(129))).toMatchObject([{ clientRef: '😀'.repeat(64), problem: { kind: 'length' } }]);
  });

  it('reports a phone number that is displayed with other digits', async () => {
    const styles =
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="00000000000"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';
    const rows = phone + row(number('9812345678', ' s="1"')) + row(number('9812345678'));
    expect(await rowsOf(bookOf({ sheets: [{ rows }], styles }))).toMatchObject([
      { row: 2, problem: { kind: 'phone', message: expect.stringContaining('displays other digits') as string } },
      { row: 3, phone: '9812345678' },
    ]);
  });

  it('rejects a phone number with a truncated text', async () => {
    const [refused] = await rowsOf(
      bookOf({ sheets: [{ rows: phone + row(inline(`919812345678${' '.repeat(3_000)}x`)) }] }),
      { cellCharacters: 40_000 },
    );
    expect(refused?.problem).toEqual({ kind: 'phone', message: 'the cell holds a text that is too long for a number' });
  });

  it('counts a row with content only in ignored columns', async () => {
    expect(
      await rowsIn(row(inline('phone'), inline('note')) + row('<c/>', inline('x')) + row('<c/>', inline(' '))),
    ).toEqual([{ row: 2, phone: '', values: [], problem: { kind: 'phone', message: 'the cell is empty' } }]);
  });

  it('omits phonetic text and decodes escaped characters', async () => {
    const cell = '<c t="inlineStr"><is><t>a_x000A_b_x00zz_</t><rPh><t>no</t></rPh><r><t>&lt;c</t></r></is></c>';
    expect(await rowsIn(row(inline('phone'), inline('1')) + row(number('1'), cell))).toMatchObject([
      { values: ['a\nb_x00zz_<c'] },
    ]);
  });

  it('reports phone number errors before variable errors', async () => {
    const rows =
      row(inline('phone'), inline('1'), inline('2')) +
      row('<c t="e"><v>#N/A</v></c>', '<c t="e"><v>#N/A</v></c>') +
      row(number('1'), inline('a'), '<c t="e"><v>#N/A</v></c>') +
      row('<c><f>A1</f></c>', inline('a'), inline('b')) +
      row('<c/>', '<c t="e"><v>#N/A</v></c>', inline('b'));
    expect((await rowsIn(rows)).map(({ problem }) => problem)).toEqual([
      { kind: 'phone', message: 'the cell holds an error' },
      { kind: 'variable', message: 'column 2 holds an error' },
      { kind: 'phone', message: expect.stringContaining('holds a formula without its result') as string },
      { kind: 'phone', message: 'the cell is empty' },
    ]);
  });

  it('ignores text outside of cells and rows', async () => {
    const sheet = worksheet(`${phone}<row>text${number('919812345678')}<c><is><t>x</t></is><v>5</v></c></row>`).replace(
      '<sheetData>',
      '<v>1</v><t>2</t><is><t>3</t></is><sheetData>',
    );
    expect(
      await rowsOf(bookOf({ sheets: [{ rows: '' }], parts: [{ name: 'xl/worksheets/sheet1.xml', content: sheet }] })),
    ).toEqual(PERSON);
  });
});
