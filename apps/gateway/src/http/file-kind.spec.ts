import { Readable } from 'node:stream';
import { FILES, OFFICE } from '../../test/support/files';
import { ARCHIVE, assertKind, assertSize, kindOf, kindOfArchive, SAMPLE_BYTES } from './file-kind';

function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += 16_384) yield file.subarray(at, at + 16_384);
}

describe('kindOf', () => {
  it.each([
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['gif', 'image/gif'],
    ['mp3', 'audio/mpeg'],
    ['aac', 'audio/aac'],
    ['amr', 'audio/amr'],
    ['m4a', 'audio/mp4'],
    ['opus', 'audio/ogg'],
    ['vorbis', 'audio/ogg; codecs=other'],
    ['mp4', 'video/mp4'],
    ['gp3', 'video/3gpp'],
    ['webp', 'image/webp'],
    ['pdf', 'application/pdf'],
    ['text', 'text/plain'],
    ['latin1', 'text/plain'],
    ['html', 'text/html'],
    ['binary', 'application/octet-stream'],
    ['docx', `${OFFICE}.wordprocessingml.document`],
    ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
    ['pptx', `${OFFICE}.presentationml.presentation`],
    ['lateDocx', ARCHIVE],
    ['zip', ARCHIVE],
  ] as const)('detects %s as %s with any file name', async (name, kind) => {
    expect(await kindOf(FILES[name].subarray(0, SAMPLE_BYTES), 'invoice.pdf')).toBe(kind);
  });

  const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  it.each([
    ['UTF-16', utf16('Grüße'), 'text/plain; charset=utf-16'],
    ['UTF-16 of the other order', utf16('Grüße').swap16(), 'text/plain; charset=utf-16'],
    ['UTF-16 cut within a character', utf16('Grüße').subarray(0, 7), 'text/plain; charset=utf-16'],
    ['UTF-32', Buffer.from('fffe000041000000', 'hex'), 'application/octet-stream'],
    ['a PDF after a line of text', Buffer.from('Received: today\r\n%PDF-1.7\n1 0 obj'), 'application/pdf'],
    ['a PDF after bytes', Buffer.from('\u0000\u0001%PDF-1.4\r\n'), 'application/pdf'],
    ['a PDF whose header starts at byte 1,024', Buffer.from(`${'\u0000'.repeat(1_023)}%PDF-1.7\n`), 'application/pdf'],
    ['a PDF header after 1,024 bytes', Buffer.from(`${'\u0000'.repeat(1_024)}%PDF-1.7\n`), 'application/octet-stream'],
    ['a text about PDF', Buffer.from('Files begin with %PDF-1.7 or so.\n'), 'text/plain'],
    ['a text that names PDF late', Buffer.from(`${'a'.repeat(1_024)}\n%PDF-1.7\n`), 'text/plain'],
    ['a fragment of HTML', Buffer.from('\n <p>Hello</p>'), 'text/html'],
    ['HTML after a byte-order mark', Buffer.from('\uFEFF<HTML><body>'), 'text/html'],
    ['HTML after a comment', Buffer.from('<!-- x --><script>alert(1)</script>'), 'text/html'],
    ['HTML after text', Buffer.from('x\n<!DOCTYPE html>\n<title>x</title>'), 'text/html'],
    ['HTML after two byte-order marks', Buffer.from('\uFEFF\uFEFF<html>'), 'text/html'],
    ['HTML after a no-break space', Buffer.from('\u00A0<html>'), 'text/html'],
    ['HTML in Latin-1', Buffer.from('<p>Gr\u00FC\u00DFe</p>', 'latin1'), 'text/html'],
    ['a body after text', Buffer.from('x\n<body onload=alert(1)>'), 'text/html'],
    ['a frame after text', Buffer.from('x\r\n <iframe src="https://example.com"></iframe>'), 'text/html'],
    ['SVG after text', Buffer.from('x\n<svg/onload=alert(1)>'), 'text/html'],
    ['MathML after text', Buffer.from('x\n<math><mi>y</mi></math>'), 'text/html'],
    ['a closing tag', Buffer.from('</b><script>alert(1)</script>'), 'text/html'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    ['XHTML', Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"></html>'), 'application/xhtml+xml'],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>'), 'application/xml'],
    ['XML without a declaration', Buffer.from('<a:feed xmlns:a="x"/>'), 'text/html'],
    ['a CSV file', Buffer.from('name;phone\r\nAsha;919812345678\r\n'), 'text/plain'],
    ['a text in angle brackets', Buffer.from('<3 to all of you'), 'text/plain'],
    ['a text with a comparison', Buffer.from('a < b and b > c'), 'text/plain'],
    ['an address', Buffer.from('Asha <asha@example.com> wrote'), 'text/plain'],
    ['a text that mentions a tag', Buffer.from('Write <script> at the end.'), 'text/plain'],
  ])('detects %s', async (_what, file, kind) => {
    expect(await kindOf(file, undefined)).toBe(kind);
  });

  it.each([
    ['report.doc', 'application/msword'],
    ['REPORT.XLS', 'application/vnd.ms-excel'],
    ['talk.ppt', 'application/vnd.ms-powerpoint'],
    ['setup.msi', 'application/x-cfb'],
    [undefined, 'application/x-cfb'],
  ])('maps an old Office container named %s to %s', async (filename, kind) => {
    expect(await kindOf(FILES.oldOffice, filename)).toBe(kind);
  });

  it('detects the document type of an archive at any position', async () => {
    const lookAt = (file: Buffer): Promise<string> =>
      kindOfArchive({ stream: Readable.from(chunksOf(file), { objectMode: false }), bytes: file.length });
    expect(await lookAt(FILES.lateDocx)).toBe(`${OFFICE}.wordprocessingml.document`);
    expect(await lookAt(FILES.zip)).toBe(ARCHIVE);
    expect(await lookAt(FILES.lateDocx.subarray(0, 100_000))).toBe(ARCHIVE);
  });

  it('never throws on random bytes', async () => {
    for (let seed = 1; seed < 300; seed += 1) {
      const random = Buffer.from(Array.from({ length: 64 }, (_, index) => (seed * 31 + index * index * 7) % 256));
      for (const name of ['jpeg', 'zip', 'mp4', 'docx', 'mp3'] as const) {
        expect(typeof (await kindOf(Buffer.concat([FILES[name].subarray(0, 30), random]), undefined))).toBe('string');
      }
    }
  });
});

describe('message file types', () => {
  it.each([
    ['image', 'image/png'],
    ['audio', 'audio/ogg'],
    ['video', 'video/3gpp'],
    ['document', 'text/plain'],
  ] as const)('allows %s messages with %s', (type, kind) => {
    expect(() => assertKind(type, kind)).not.toThrow();
  });

  it.each([
    ['image', 'image/gif'],
    ['image', 'application/pdf'],
    ['audio', 'video/mp4'],
    ['video', 'audio/mp4'],
    ['document', 'image/png'],
    ['document', 'application/zip'],
    ['document', 'application/octet-stream'],
    ['document', 'text/html'],
    ['document', 'image/svg+xml'],
    ['document', 'application/xhtml+xml'],
    ['document', 'text/plain; charset=utf-16'],
    ['audio', 'text/plain; charset=utf-16'],
  ] as const)('rejects %s messages with %s', (type, kind) => {
    expect(() => assertKind(type, kind)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_MEDIA' }));
  });

  it.each([
    ['image', 5],
    ['audio', 16],
    ['video', 16],
    ['document', 100],
  ] as const)('limits %s messages to %i MB', (type, megabytes) => {
    expect(() => assertSize(type, megabytes * 1_048_576)).not.toThrow();
    expect(() => assertSize(type, megabytes * 1_048_576 + 1)).toThrow(
      expect.objectContaining({
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining(`at most ${megabytes} MB`),
      }),
    );
  });
});
