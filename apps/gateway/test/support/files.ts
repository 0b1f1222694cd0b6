/** Minimal starts of files in various formats, sufficient for type detection. */
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
const pad = (file: Buffer, size = 2_000): Buffer =>
  Buffer.concat([file, Buffer.alloc(Math.max(0, size - file.length), 0x20)]);
const mp4 = (brand: string): Buffer => pad(bytes([0, 0, 0, 0x18], `ftyp${brand}`, [0, 0, 2, 0], `${brand}isom`));

/** Builds an uncompressed archive entry. */
function entry(name: string, content: string | Buffer): Buffer {
  const data = Buffer.from(content);
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(20, 4);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(data.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), data]);
}

export const OFFICE = 'application/vnd.openxmlformats-officedocument';
const contentTypes = (main: string): Buffer =>
  entry('[Content_Types].xml', `<Types><Override PartName="/x.xml" ContentType="${main}.main+xml"/></Types>`);
const DOCX = `${OFFICE}.wordprocessingml.document`;

export const FILES = {
  jpeg: pad(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0x10], 'JFIF')),
  png: pad(
    bytes(
      [0x89],
      'PNG\r\n',
      [0x1a, 0x0a, 0, 0, 0, 0x0d],
      'IHDR',
      [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c],
      'IDAT',
    ),
  ),
  gif: pad(bytes('GIF89a')),
  webp: pad(bytes('RIFF', [0xc8, 7, 0, 0], 'WEBPVP8L')),
  mp3: pad(bytes('ID3', [3, 0, 0, 0, 0, 0, 10], '          ', [0xff, 0xfb, 0x90, 0x64])),
  aac: pad(bytes([0xff, 0xf1, 0x50, 0x80])),
  amr: pad(bytes('#!AMR\n')),
  m4a: mp4('M4A '),
  opus: pad(bytes('OggS', [0, 2], [...Array<number>(20).fill(0)], [1, 0x13], 'OpusHead')),
  vorbis: pad(bytes('OggS', [0, 2], [...Array<number>(20).fill(0)], [1, 0x1e], '\u0001vorbis')),
  mp4: mp4('isom'),
  gp3: mp4('3gp4'),
  pdf: pad(bytes('%PDF-1.7\n')),
  latePdf: pad(bytes('Content-Type: application/pdf\r\n\r\n%PDF-1.7\n')),
  text: Buffer.from('Grüße, a text of several lines\r\n\tand a tab\n'),
  latin1: Buffer.from('Gr\u00fc\u00dfe', 'latin1'),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  binary: Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]),
  oldOffice: pad(bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])),
  docx: Buffer.concat([contentTypes(DOCX), entry('word/document.xml', '<w/>')]),
  xlsx: Buffer.concat([contentTypes(`${OFFICE}.spreadsheetml.sheet`), entry('xl/workbook.xml', '<x/>')]),
  pptx: Buffer.concat([contentTypes(`${OFFICE}.presentationml.presentation`), entry('ppt/presentation.xml', '<p/>')]),
  /** Written by a program that places the document type at the end. */
  lateDocx: Buffer.concat([
    entry('media/photo.bin', Buffer.alloc(3_000_000, 7)),
    contentTypes(DOCX),
    entry('word/document.xml', '<w/>'),
  ]),
  zip: Buffer.concat([entry('photos/a.bin', Buffer.alloc(200_000, 7)), entry('photos/b.bin', 'b')]),
} satisfies Record<string, Buffer>;

/** Builds a form with the given fields and, if given, a file in the last field `file`. */
export function formWith(file: Buffer | undefined, fields: Record<string, string>, filename: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('file', new Blob([new Uint8Array(file)]), filename);
  return form;
}
