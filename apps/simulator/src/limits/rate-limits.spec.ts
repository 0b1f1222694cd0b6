import { NumberStore } from '../numbers/number-store';
import { RateLimits } from './rate-limits';

const number = new NumberStore().all()[0]!;
const NOW_MS = 1_000_000;

/** Counts the accepted sends and returns the code of the first rejection. */
function takeAll(
  limits: RateLimits,
  sends: number,
  { waIdOf = () => '919812345678' as string, nowMs = NOW_MS }: { waIdOf?: (n: number) => string; nowMs?: number } = {},
): { passed: number; code?: number } {
  for (let n = 0; n < sends; n += 1) {
    try {
      limits.take(number, waIdOf(n), nowMs);
    } catch (error) {
      return { passed: n, code: (error as { code: number }).code };
    }
  }
  return { passed: sends };
}

describe('RateLimits', () => {
  it('enforces nothing when disabled', () => {
    expect(takeAll(new RateLimits({ pair: false, throughput: false }), 10_000)).toEqual({ passed: 10_000 });
  });

  it('allows a burst of 45 messages per user, then one per six seconds', () => {
    const limits = new RateLimits({ pair: true, throughput: false });
    expect(takeAll(limits, 60)).toEqual({ passed: 45, code: 131056 });
    expect(takeAll(limits, 1, { nowMs: NOW_MS + 5_900 })).toEqual({ passed: 0, code: 131056 });
    expect(takeAll(limits, 2, { nowMs: NOW_MS + 6_100 })).toEqual({ passed: 1, code: 131056 });
    expect(takeAll(limits, 1, { waIdOf: () => '15550002222' })).toEqual({ passed: 1 });
  });

  it('allows 80 messages per second per number, or 1,000 at high throughput', () => {
    const limits = new RateLimits({ pair: false, throughput: true });
    expect(takeAll(limits, 2_000)).toEqual({ passed: 80, code: 130429 });
    expect(takeAll(limits, 2_000, { nowMs: NOW_MS + 500 })).toEqual({ passed: 40, code: 130429 });
    limits.reset();
    number.graph.throughput = { level: 'HIGH' };
    expect(takeAll(limits, 2_000)).toEqual({ passed: 1_000, code: 130429 });
  });

  it('restores the configuration on reset', () => {
    const limits = new RateLimits({ pair: false, throughput: false });
    limits.enforced = { pair: true, throughput: true };
    limits.reset();
    expect(limits.enforced).toEqual({ pair: false, throughput: false });
  });
});
