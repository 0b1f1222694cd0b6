import { type Part, zipOf } from './zip';
import { bookOf, inline, number, partsOf, relations, row, worksheet, XML } from './workbooks';

const header = row(inline('phone'));
const honest = header + row(number('919812345678'));
const withSheet = (content: string): Buffer =>
  bookOf({ sheets: [{ rows: '' }], parts: [{ name: 'xl/worksheets/sheet1.xml', content }] });
const withPart = (part: Part): Buffer => zipOf([...partsOf({ sheets: [{ rows: honest }] }), part]);
const numbered = (count: number, element: (id: number) => string): string =>
  Array.from({ length: count }, (_unused, id) => element(id)).join('');
const doctype = (declarations: string, phone: string): string =>
  worksheet(header + row(inline(phone))).replace('<worksheet', `<!DOCTYPE worksheet [${declarations}]><worksheet`);
const sheetOf = (rows: string): Buffer => bookOf({ sheets: [{ rows }] });

/** Builds a pre-2007 container with one named stream. */
function containerWith(stream: string): Buffer {
  return Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1_016),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(2_048),
  ]);
}

/** Generates text that compresses badly, which an attacker would use to stay below a ratio limit. */
function* words(count: number, bytes: number): Generator<string> {
  let state = 1;
  for (let index = 0; index < count; index += 1) {
    let word = '';
    while (word.length < bytes) word += (state = (state * 48_271) % 2_147_483_647).toString(36);
    yield word;
  }
}

/** Builds a spreadsheet with more rows than allowed, in under a megabyte. */
function rowBomb(): Buffer {
  return sheetOf(header + row(number('919812345678')).repeat(5_500_000));
}

/** Builds an archive that declares a false uncompressed size, which only inflating reveals. */
function lyingBook(): Buffer {
  const content = worksheet(header + ' '.repeat(50_000_000));
  return bookOf({
    sheets: [{ rows: '' }],
    parts: [{ name: 'xl/worksheets/sheet1.xml', content, claimedBytes: 4_000 }],
  });
}

/** File that must be rejected instead of creating a job. */
export interface HostileFile {
  file: () => Buffer;
  /** Pattern expected in the error message. */
  reason: RegExp;
}

/** Hostile files of every kind, by description. Every file is within the upload limit. */
export const hostileFiles: Record<string, HostileFile> = {
  'nothing at all': { file: () => Buffer.alloc(0), reason: /it is empty/ },
  'a text': {
    file: () => Buffer.from('Dear Asha,\nhello\n'),
    reason: /no column named phone or user id; its first row has Dear Asha/,
  },
  'bytes of no known kind': { file: () => Buffer.from([0, 1, 2, 3]), reason: /neither an \.xlsx nor a \.csv file/ },
  'the beginning of an archive': { file: () => Buffer.from('PK\u0003\u0004'), reason: /cut off or damaged/ },
  'a file cut in the middle': { file: () => sheetOf(honest).subarray(0, 700), reason: /cut off or damaged/ },
  'a file with a broken part': { file: broken, reason: /damaged|well-formed/ },
  'an archive of something else': {
    file: () => zipOf([{ name: 'readme.txt', content: 'hello' }]),
    reason: /no \.xlsx file/,
  },
  'an OpenDocument sheet': {
    file: () =>
      zipOf([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
        { name: 'content.xml', content: XML },
      ]),
    reason: /OpenDocument/,
  },
  'a workbook with a password': { file: () => containerWith('EncryptedPackage'), reason: /protected by a password/ },
  'a workbook of before 2007': { file: () => containerWith('Workbook'), reason: /older \.xls kind/ },
  'an encrypted archive': {
    file: () => zipOf(partsOf({ sheets: [{ rows: honest }] }).map((part) => ({ ...part, flags: 1 }))),
    reason: /encrypted/,
  },
  macros: { file: () => withPart({ name: 'xl/vbaProject.bin', content: 'x' }), reason: /macros/ },
  'macros under another name': {
    file: () =>
      bookOf({ sheets: [{ rows: honest }], workbookType: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml' }),
    reason: /macros/,
  },
  'macros of before 1997': {
    file: () => withPart({ name: 'xl/macrosheets/sheet1.xml', content: XML }),
    reason: /macros/,
  },
  'a binary workbook': {
    file: () =>
      bookOf({ sheets: [{ rows: honest }], workbookType: 'application/vnd.ms-excel.sheet.binary.macroEnabled.main' }),
    reason: /binary workbook/,
  },
  'a part that lies outside': {
    file: () => withPart({ name: '../../etc/passwd', content: 'x' }),
    reason: /path outside the file/,
  },
  'a part at an absolute place': {
    file: () => withPart({ name: '/etc/passwd', content: 'x' }),
    reason: /path outside the file/,
  },
  'two parts of one name': {
    file: () => withPart({ name: 'XL/WORKSHEETS/sheet1.xml', content: worksheet(honest) }),
    reason: /two parts with the same name/,
  },
  'a bomb of one part': {
    file: () => withPart({ name: 'xl/media/image1.png', content: Buffer.alloc(120_000_000) }),
    reason: /compressed more than 100 to 1/,
  },
  'a bomb of rows': { file: rowBomb, reason: /compressed more than 100 to 1/ },
  'a bomb that lies about its size': { file: lyingBook, reason: /damaged/ },
  'a bomb of many parts': { file: manyParts, reason: /more than 2000 parts/ },
  'a bomb of parts that are large together': { file: manyLargeParts, reason: /more than 128 MB when unpacked/ },
  'a bomb in one cell': {
    file: () => sheetOf(header + row(inline([...words(60, 50_000)].join('')))),
    reason: /one of its cells/,
  },
  'a bomb in one cell of blanks': {
    file: () => sheetOf(header + row(inline(' '.repeat(50_000_000)))),
    reason: /compressed more than 100 to 1/,
  },
  'a bomb in one tag': {
    file: () => withSheet(worksheet(header).replace('<row>', `<row x="${[...words(60, 50_000)].join('')}">`)),
    reason: /cells is too long/,
  },
  'a bomb of shared texts': {
    file: () =>
      bookOf({
        sheets: [{ rows: honest }],
        texts: [...words(2_000, 3_000)].map((word) => `<t>${word.repeat(10)}</t>`),
      }),
    reason: /too much text/,
  },
  'a bomb of empty shared texts': {
    file: () =>
      bookOf({
        sheets: [{ rows: honest }],
        texts: [...words(1, 500_000)].map((word) => `<phoneticPr x="${word}"/></si>${'<si/>'.repeat(1_000_000)}<si>`),
      }),
    reason: /too much text/,
  },
  'a bomb of number formats': {
    file: () =>
      bookOf({
        sheets: [{ rows: honest }],
        styles: `<numFmts>${numbered(70_000, (id) => `<numFmt numFmtId="${id}" formatCode="0"/>`)}</numFmts>`,
      }),
    reason: /too many number formats/,
  },
  'a bomb of cell styles': {
    file: () =>
      bookOf({
        sheets: [{ rows: honest }],
        styles: `<cellXfs>${numbered(70_000, (id) => `<xf numFmtId="${id}"/>`)}</cellXfs>`,
      }),
    reason: /too many cell styles/,
  },
  'a bomb of references': { file: manyReferences, reason: /refers to too many parts/ },
  'a bomb of elements within elements': {
    file: () => sheetOf(header + numbered(100_000, (id) => `<a${id % 7}>`)),
    reason: /nested too deeply/,
  },
  'a reference to no address': {
    file: () =>
      bookOf({
        sheets: [{ rows: honest }],
        parts: [
          {
            name: 'xl/_rels/workbook.xml.rels',
            content: relations([{ type: 'http://x/worksheet', target: 'http://[' }]),
          },
        ],
      }),
    reason: /no visible sheet/,
  },
  'a billion laughs': {
    file: () => withSheet(doctype('<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">', '&c;')),
    reason: /document type/,
  },
  'an entity of the file system': {
    file: () => withSheet(doctype('<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;')),
    reason: /document type/,
  },
  'an entity out of nowhere': { file: () => sheetOf(header + row(inline('&a;'))), reason: /not well-formed/ },
  'XML that is not UTF-8': {
    file: () =>
      bookOf({
        sheets: [{ rows: '' }],
        parts: [{ name: 'xl/worksheets/sheet1.xml', content: Buffer.from(`\uFEFF${worksheet(honest)}`, 'utf16le') }],
      }),
    reason: /not well-formed/,
  },
  'XML that ends early': { file: () => withSheet(worksheet(honest).slice(0, -30)), reason: /not well-formed/ },
  'rows that go backwards': {
    file: () => sheetOf(`<row r="5">${inline('phone')}</row><row r="4">${number('919812345678')}</row>`),
    reason: /not in order/,
  },
  'rows beyond the end': { file: () => sheetOf(`<row r="99999999">${inline('phone')}</row>`), reason: /not in order/ },
  'a cell with an invalid reference': {
    file: () => sheetOf(row('<c r="17"><v>1</v></c>')),
    reason: /invalid reference/,
  },
  'a reference to a text that is not there': {
    file: () => sheetOf(row('<c t="s"><v>7</v></c>')),
    reason: /refers to a missing text/,
  },
  'no sheet that can be seen': {
    file: () => bookOf({ sheets: [{ rows: honest, state: 'hidden' }] }),
    reason: /no visible sheet/,
  },
  'an empty sheet': { file: () => sheetOf(''), reason: /empty/ },
  'a sheet without phone numbers': {
    file: () => sheetOf(row(inline('mobile'), inline('name'))),
    reason: /no column named phone or user id; its first row has mobile, name/,
  },
};

function manyParts(): Buffer {
  return zipOf(Array.from({ length: 60_000 }, (_unused, index) => ({ name: `xl/${index}.xml`, content: '' })));
}

/** Each part declares an uncompressed size that is just plausible for its compressed size. */
function manyLargeParts(): Buffer {
  const content = [...words(1, 40_000)].join('');
  return zipOf([
    ...partsOf({ sheets: [{ rows: honest }] }),
    ...Array.from({ length: 75 }, (_unused, index) => ({ name: `xl/${index}.xml`, content, claimedBytes: 1_900_000 })),
  ]);
}

function manyReferences(): Buffer {
  const targets = Array.from({ length: 20_000 }, (_unused, id) => ({ type: 'http://x/image', target: `${id}.png` }));
  return bookOf({
    sheets: [{ rows: honest }],
    parts: [{ name: 'xl/_rels/workbook.xml.rels', content: relations(targets) }],
  });
}

function broken(): Buffer {
  const file = sheetOf(honest);
  const at = file.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length + 20;
  file.fill(0xff, at, at + 20);
  return file;
}
