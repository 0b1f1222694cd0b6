import { speedOf } from './job-speed';

describe('job speed', () => {
  const seen = (...done: [at: number, done: number][]) => done.map(([at, of]) => ({ jobId: 'job_1', at, done: of }));

  it('shows the rate and the remaining time', () => {
    expect(speedOf(seen([0, 0], [10_000, 420]), 2_520)).toBe('42 per second, about 1 min left');
    expect(speedOf(seen([0, 0], [10_000, 420]), 42)).toBe('42 per second, less than a minute left');
    expect(speedOf(seen([0, 0], [10_000, 5]), 600)).toBe('Less than 1 per second, about 20 min left');
  });

  it('shows the estimate of the service until there is enough data', () => {
    expect(speedOf(seen([0, 4]), 10, 90)).toBe('about 2 min left');
    expect(speedOf(seen([0, 4]), 0, 0)).toBeUndefined();
  });

  it('includes waits for the messaging limit', () =>
    expect(speedOf(seen([0, 0], [10_000, 420]), 42, 86_401)).toBe('42 per second, about 24 h left'));

  it('shows nothing without enough data', () => {
    for (const little of [seen(), seen([0, 4]), seen([0, 0], [2_000, 50]), seen([0, 50], [10_000, 50])])
      expect(speedOf(little, 10)).toBeUndefined();
  });
});
