import { BlockedMediaUrlError, describeUpstreamError, UpstreamError } from '@switchboard/upstream';
import { finalReason, isExpectedHash, MediaDamagedError, mediaRetrySeconds, MediaTooLargeError } from './media-failure';

const rejected = (code: number, subcode?: number) =>
  new UpstreamError({ ...describeUpstreamError(code, subcode), kind: 'rejected', code, subcode, httpStatus: 400 });
const fresh = { attempts: 0, isExpired: false };

describe('finalReason', () => {
  it.each([
    ['an object that upstream does not know', rejected(100, 33)],
    ['a download error of upstream itself', rejected(131052)],
    [
      'a 404 without an error envelope',
      new UpstreamError({ ...describeUpstreamError(1), kind: 'unknown-outcome', httpStatus: 404 }),
    ],
    ['too many bytes', new MediaTooLargeError()],
    ['a forbidden address', new BlockedMediaUrlError('it is not https')],
  ])('stops retrying immediately after %s', (_what, error) =>
    expect(finalReason(error, fresh)).toEqual(expect.any(String)),
  );

  it.each([
    ['throttling', rejected(130429)],
    ['a rejected token, which may be renewed', rejected(190)],
    ['another invalid parameter', rejected(100)],
    ['a lost connection', new Error('reset')],
    ['damaged bytes', new MediaDamagedError()],
  ])('retries after %s until upstream drops the media', (_what, error) => {
    expect(finalReason(error, fresh)).toBeUndefined();
    expect(finalReason(error, { attempts: 1, isExpired: true })).toContain('7 days');
  });

  it('stops retrying after three damaged downloads', () => {
    expect(
      [0, 1, 2].map((attempts) => finalReason(new MediaDamagedError(), { attempts, isExpired: false }) === undefined),
    ).toEqual([true, true, false]);
  });
});

describe('mediaRetrySeconds', () => {
  it('grows, then repeats the last delay', () =>
    expect([1, 2, 3, 4, 5, 50].map(mediaRetrySeconds)).toEqual([10, 60, 600, 3_600, 3_600, 3_600]));
});

describe('isExpectedHash', () => {
  const hex = '49f227634806293b09954c1bc310b5f8501741d1591efcf07e97cedf35f41942';

  it('accepts a matching base64 or hex hash, or none', () => {
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    expect(
      [base64, hex, hex.toUpperCase(), null, undefined, ''].map((expected) => isExpectedHash(hex, expected)),
    ).toEqual([true, true, true, true, true, true]);
  });

  it('rejects any other hash', () => expect(isExpectedHash(hex, Buffer.from('other').toString('base64'))).toBe(false));
});
