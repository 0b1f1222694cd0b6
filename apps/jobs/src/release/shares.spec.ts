import fc from 'fast-check';
import { sharesOf } from './shares';

const jobs = [
  { id: 'a', pending: 1_000 },
  { id: 'b', pending: 1_000 },
  { id: 'c', pending: 4 },
];
const plain = (allowance: number, turn: string | null): [string, number][] =>
  sharesOf(jobs, allowance, turn).map(({ job, share }) => [job.id, share]);

describe('sharesOf', () => {
  it('splits the allowance evenly and redistributes unused shares', () => {
    expect(plain(100, null)).toEqual([
      ['a', 48],
      ['b', 48],
      ['c', 4],
    ]);
  });

  it('alternates between jobs when the allowance is small', () => {
    expect([plain(1, null), plain(1, 'a'), plain(1, 'b'), plain(1, 'c')]).toEqual([
      [['a', 1]],
      [['b', 1]],
      [['c', 1]],
      [['a', 1]],
    ]);
  });

  it('uses the whole allowance while jobs need more', () => {
    const asking = fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1, maxLength: 3 }), pending: fc.nat(50) }), {
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(
        asking,
        fc.nat(200),
        fc.option(fc.string({ maxLength: 3 }), { nil: null }),
        (all, allowance, turn) => {
          const sorted = [...all].sort((one, other) => (one.id < other.id ? -1 : 1));
          const shares = sharesOf(sorted, allowance, turn);
          const needed = sorted.reduce((sum, { pending }) => sum + pending, 0);
          expect(shares.reduce((sum, { share }) => sum + share, 0)).toBe(Math.min(allowance, needed));
          for (const { job, share } of shares) expect(share).toBeLessThanOrEqual(job.pending);
        },
      ),
    );
  });
});
