import { advancePace, carryOver, windowOf } from './pace';

const base = { rate: 80, carry: 0, throughput: 80, elapsedMs: 250, slowedMs: null };

describe('job pace', () => {
  it('allows recipients for the elapsed time and carries over fractions', () => {
    const first = advancePace({ ...base, elapsedMs: 30 }, 1_000);
    expect([first.allowed, first.carry]).toEqual([2, expect.closeTo(0.4)]);
    expect(advancePace({ ...base, carry: first.carry, elapsedMs: 30 }, 1_000).allowed).toBe(2);
    expect(advancePace({ ...base, carry: 0.8, elapsedMs: 30 }, 1_000).allowed).toBe(3);
  });

  it('saves an allowance of at most one second', () =>
    expect(advancePace({ ...base, elapsedMs: 3_600_000 }, 1_000).allowed).toBe(80));

  it('is limited by the number’s throughput and the setting', () => {
    expect(advancePace({ ...base, throughput: 1_000, elapsedMs: 1_000 }, 300).allowed).toBe(300);
    expect(advancePace({ ...base, throughput: 1_000, elapsedMs: 1_000 }, 5_000).allowed).toBe(1_000);
  });

  it('applies an increased throughput immediately', () =>
    expect(advancePace({ ...base, throughput: 1_000 }, 1_000).rate).toBe(1_000));

  it('is limited only by throttling if no rate is configured', () =>
    expect(advancePace({ ...base, elapsedMs: 1_000 }, 0).allowed).toBe(100_000));

  it('stays at the throttled rate, then recovers evenly', () => {
    expect(advancePace({ ...base, rate: 40, slowedMs: 1_000 }, 1_000).rate).toBe(40);
    let pace = { rate: 40, carry: 0 };
    for (let second = 0; second < 10; second += 1)
      pace = advancePace({ ...base, ...pace, elapsedMs: 1_000, slowedMs: 3_000 + second * 1_000 }, 1_000);
    expect(pace.rate).toBeCloseTo(56);
    for (let second = 0; second < 60; second += 1)
      pace = advancePace({ ...base, ...pace, elapsedMs: 1_000, slowedMs: 60_000 }, 1_000);
    expect(pace.rate).toBe(80);
  });

  it('keeps the unused allowance of up to a second', () => {
    expect(carryOver({ rate: 80, carry: 0.5 }, 10)).toBe(10.5);
    expect(carryOver({ rate: 80, carry: 0 }, 500)).toBe(80);
  });
});

it('limits recipients without a result to a few seconds’ worth', () => {
  expect([windowOf(80, 1_000), windowOf(1, 1_000), windowOf(100_000, 1_000)]).toEqual([400, 20, 1_000]);
});
