import { assertKind, assertSize, isMovingPicture } from './file-kind';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** File types of spec §3.4.4, by message type. */
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

describe('message files', () => {
  it.each(TYPES)('accepts only the file types of %s', (type) => {
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

  it('limits stickers to 100 KB, animated ones to 500 KB', () => {
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
