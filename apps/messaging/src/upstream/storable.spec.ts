import { storable } from './storable';

describe('storable', () => {
  it('replaces only what PostgreSQL cannot store, at any depth', () => {
    const given = { text: { body: 'a\u0000b\uD83D' }, list: ['\uDE00', '😀', 7, null, true], '\u0000': 1 };
    expect(storable(given)).toEqual({
      text: { body: 'a\uFFFDb\uFFFD' },
      list: ['\uFFFD', '😀', 7, null, true],
      '\uFFFD': 1,
    });
  });
});
