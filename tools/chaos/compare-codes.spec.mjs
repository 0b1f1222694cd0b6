import { compareCodes } from './compare-codes.mjs';

const code = (n, status = 200) => ({ kind: 'code', n, status });
const verify = (n, status) => ({ kind: 'verify', n, status });
const afterwards = (status) => new Map([[1, status]]);
const CLEAN = { lost: [], doubled: [], untrue: [] };

describe('compareCodes', () => {
  it.each([
    ['a code without an earlier verification', [code(1)], 200],
    ['a code that was used under load', [code(1), verify(1, 200)], 400],
    ['a code whose verification got a 503', [code(1), verify(1, 503)], 200],
    ['a code consumed by an unknown verification', [code(1), verify(1, 504)], 400],
    ['a code not consumed by an unknown verification', [code(1), verify(1, 0)], 200],
    ['a code that was never sent', [code(1, 503)], 400],
  ])('accepts %s', (_, answers, status) => {
    expect(compareCodes(answers, afterwards(status))).toEqual(CLEAN);
  });

  it('reports a code that never verifies as lost', () => {
    expect(compareCodes([code(1)], afterwards(400)).lost).toHaveLength(1);
  });

  it('reports a code that verified twice', () => {
    expect(compareCodes([code(1), verify(1, 200)], afterwards(200)).doubled).toEqual(['code 1 was verified twice']);
  });

  it('reports a 503 that consumed the code', () => {
    expect(compareCodes([code(1), verify(1, 503)], afterwards(400)).untrue).toHaveLength(1);
  });
});
