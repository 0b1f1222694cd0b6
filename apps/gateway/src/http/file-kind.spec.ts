import { Readable } from 'node:stream';
import { FILES, OFFICE } from '../../test/support/files';
import { ARCHIVE, assertKind, assertSize, kindOf, kindOfArchive, SAMPLE_BYTES } from './file-kind';

function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += 16_384) yield file.subarray(at, at + 16_384);
}

describe('the kind of a file', () => {
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
    ['pdf', 'application/pdf'],
    ['text', 'text/plain'],
    ['latin1', 'text/plain'],
    ['html', 'text/plain'],
    ['binary', 'application/octet-stream'],
    ['docx', `${OFFICE}.wordprocessingml.document`],
    ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
    ['pptx', `${OFFICE}.presentationml.presentation`],
    ['lateDocx', ARCHIVE],
    ['zip', ARCHIVE],
  ] as const)('of %s is %s, whatever its name says', async (name, kind) => {
    expect(await kindOf(FILES[name].subarray(0, SAMPLE_BYTES), 'invoice.pdf')).toBe(kind);
  });

  it.each([
    ['report.doc', 'application/msword'],
    ['REPORT.XLS', 'application/vnd.ms-excel'],
    ['talk.ppt', 'application/vnd.ms-powerpoint'],
    ['setup.msi', 'application/x-cfb'],
    [undefined, 'application/x-cfb'],
  ])('of an old Office container named %s is %s', async (filename, kind) => {
    expect(await kindOf(FILES.oldOffice, filename)).toBe(kind);
  });

  it('of an archive is that of the document it is, wherever that is written', async () => {
    const lookAt = (file: Buffer): Promise<string> =>
      kindOfArchive({ stream: Readable.from(chunksOf(file), { objectMode: false }), bytes: file.length });
    expect(await lookAt(FILES.lateDocx)).toBe(`${OFFICE}.wordprocessingml.document`);
    expect(await lookAt(FILES.zip)).toBe(ARCHIVE);
    expect(await lookAt(FILES.lateDocx.subarray(0, 100_000))).toBe(ARCHIVE);
  });

  it('of random bytes never fails', async () => {
    for (let seed = 1; seed < 300; seed += 1) {
      const random = Buffer.from(Array.from({ length: 64 }, (_, index) => (seed * 31 + index * index * 7) % 256));
      for (const name of ['jpeg', 'zip', 'mp4', 'docx', 'mp3'] as const) {
        expect(typeof (await kindOf(Buffer.concat([FILES[name].subarray(0, 30), random]), undefined))).toBe('string');
      }
    }
  });
});

describe('what a message can carry', () => {
  it.each([
    ['image', 'image/png'],
    ['audio', 'audio/ogg'],
    ['video', 'video/3gpp'],
    ['document', 'text/plain'],
  ] as const)('%s takes %s', (type, kind) => {
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
  ] as const)('%s does not take %s', (type, kind) => {
    expect(() => assertKind(type, kind)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_MEDIA' }));
  });

  it.each([
    ['image', 5],
    ['audio', 16],
    ['video', 16],
    ['document', 100],
  ] as const)('%s takes up to %i MB', (type, megabytes) => {
    expect(() => assertSize(type, megabytes * 1_048_576)).not.toThrow();
    expect(() => assertSize(type, megabytes * 1_048_576 + 1)).toThrow(
      expect.objectContaining({
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining(`at most ${megabytes} MB`),
      }),
    );
  });
});
