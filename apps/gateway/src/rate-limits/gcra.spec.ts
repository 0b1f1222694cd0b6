import fc from 'fast-check';
import { type Rate, remainingOf, take, waitMsOf } from './gcra';

/** Simulates requests at the given times. @returns the times of the admitted ones */
function admittedOf(rate: Rate, times: readonly number[]): number[] {
  let emptyAt = 0;
  return times.filter((now) => {
    const { admitted, debtMs } = take(rate, emptyAt - now);
    emptyAt = now + debtMs;
    return admitted;
  });
}

const rates = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  windowMs: fc.integer({ min: 1_000, max: 60_000 }),
  burst: fc.integer({ min: 1, max: 200 }),
});

describe('GCRA', () => {
  it('admits a burst, then requests at the refill rate', () => {
    const rate = { limit: 60, windowMs: 60_000, burst: 5 };
    expect(
      admittedOf(
        rate,
        Array.from({ length: 10 }, () => 0),
      ),
    ).toHaveLength(5);
    expect(admittedOf(rate, [...Array.from({ length: 10 }, () => 0), 999, 1_000, 1_001, 2_000])).toEqual([
      0, 0, 0, 0, 0, 1_000, 2_000,
    ]);
  });

  it('never admits more than burst plus refill in any interval', () => {
    fc.assert(
      fc.property(rates, fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 300 }), (rate, gaps) => {
        let now = 0;
        const times = gaps.map((gap) => (now += gap));
        const admitted = admittedOf(rate, times);
        for (const [index, from] of admitted.entries()) {
          const span = (admitted.at(-1) ?? from) - from;
          expect(admitted.length - index).toBeLessThanOrEqual(rate.burst + (span * rate.limit) / rate.windowMs + 1e-6);
        }
      }),
    );
  });

  it('reports the remaining requests and the time of the next', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 300 }), (rate, before) => {
        let debt = 0;
        for (let made = 0; made < before; made += 1) debt = take(rate, debt).debtMs;
        const remaining = remainingOf(rate, debt);
        for (let more = 0; more < remaining; more += 1) {
          const { admitted, debtMs } = take(rate, debt);
          expect(admitted).toBe(true);
          debt = debtMs;
        }
        expect(take(rate, debt).admitted).toBe(false);
        expect(take(rate, debt - waitMsOf(rate, debt)).admitted).toBe(true);
        expect(take(rate, debt - waitMsOf(rate, debt) + 0.01).admitted).toBe(false);
      }),
    );
  });

  it('limits old debt to one burst after a plan change', () => {
    expect(
      waitMsOf({ limit: 1, windowMs: 1_000, burst: 1 }, take({ limit: 1, windowMs: 1_000, burst: 1 }, 60_000).debtMs),
    ).toBe(1_000);
  });
});
