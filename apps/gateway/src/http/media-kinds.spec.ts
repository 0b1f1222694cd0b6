import { assertKind, assertSize, isMovingPicture } from './file-kind';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** The kinds of spec §3.4.4, by the type of the message. */
const KINDS = {
  image: ['image/jpeg', 'image/png'],
  audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  video: ['video/mp4', 'video/3gpp'],
  document: [
    'application/pdf',
    'text/plain',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    `${OFFICE}.wordprocessingml.document`,
    `${OFFICE}.spreadsheetml.sheet`,
    `${OFFICE}.presentationml.presentation`,
  ],
  sticker: ['image/webp'],
} as const;
const TYPES = Object.keys(KINDS) as (keyof typeof KINDS)[];
const ALL = Object.values(KINDS).flat();

describe('the files of a message', () => {
  it.each(TYPES)('of type %s are of its kinds and no others', (type) => {
    const own: readonly string[] = KINDS[type];
    const taken = [...ALL, 'image/gif', 'audio/ogg; codecs=other', 'application/zip'].filter((kind) => {
      try {
        assertKind(type, kind);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNSUPPORTED_MEDIA' });
        return false;
      }
    });
    expect(taken).toEqual(own);
  });

  it('of type sticker take 100 KB, and 500 KB when the picture moves', () => {
    const extended = (flags: number): Buffer =>
      Buffer.concat([Buffer.from('RIFF0000WEBPVP8X0000'), Buffer.from([flags])]);
    expect([isMovingPicture(extended(0b10)), isMovingPicture(extended(0b1))]).toEqual([true, false]);
    for (const [kilobytes, isStill] of [
      [100, true],
      [500, false],
    ] as const) {
      expect(() => assertSize('sticker', kilobytes * 1_024, isStill)).not.toThrow();
      expect(() => assertSize('sticker', kilobytes * 1_024 + 1, isStill)).toThrow(
        expect.objectContaining({
          code: 'PAYLOAD_TOO_LARGE',
          message: expect.stringContaining(`at most ${kilobytes} KB`) as string,
        }),
      );
    }
  });
});
