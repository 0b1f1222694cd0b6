import { isTimely, upstreamTime } from './upstream-time';

const fallback = new Date('2026-01-01T00:00:00.000Z');

describe('upstreamTime', () => {
  it('reads Unix seconds as a number', () =>
    expect(upstreamTime(1_731_705_721, fallback)).toBe('2024-11-15T21:22:01.000Z'));

  it('reads Unix seconds as a string', () => {
    expect(upstreamTime('1790416800', fallback)).toBe('2026-09-26T10:00:00.000Z');
  });

  it.each([undefined, null, '', 'soon', '-5', '1.5', '9999999999999', {}, Number.NaN])(
    'uses the fallback for %p',
    (given) => {
      expect(upstreamTime(given, fallback)).toBe('2026-01-01T00:00:00.000Z');
    },
  );
});

describe('isTimely', () => {
  const now = new Date('2026-09-26T10:00:00.000Z');

  it.each(['1790416800', '1', '1790416900', '1790503200'])('accepts %s, allowing for clock skew', (seconds) =>
    expect(isTimely(seconds, now)).toBe(true),
  );

  it.each(['1790503201', '4000000000', 'soon', undefined, '-1'])('rejects %s', (seconds) =>
    expect(isTimely(seconds, now)).toBe(false),
  );
});
