import { upstreamTime } from './upstream-time';

const fallback = new Date('2026-01-01T00:00:00.000Z');

describe('upstreamTime', () => {
  it('reads Unix seconds in a string', () => {
    expect(upstreamTime('1790416800', fallback)).toBe('2026-09-26T10:00:00.000Z');
  });

  it.each([undefined, null, '', 'soon', '-5', '1.5', '9999999999999', {}, Number.NaN])('falls back on %p', (given) => {
    expect(upstreamTime(given, fallback)).toBe('2026-01-01T00:00:00.000Z');
  });
});
