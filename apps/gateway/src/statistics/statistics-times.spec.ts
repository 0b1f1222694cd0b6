import { startsOf } from './statistics-times';

describe('startsOf', () => {
  it('returns each UTC day up to today', () => {
    expect(startsOf('day', 3, new Date('2026-03-01T00:30:00Z'))).toEqual([
      '2026-02-27T00:00:00.000Z',
      '2026-02-28T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });

  it('returns each hour up to the current one', () => {
    expect(startsOf('hour', 2, new Date('2026-03-01T00:30:00Z'))).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });
});
