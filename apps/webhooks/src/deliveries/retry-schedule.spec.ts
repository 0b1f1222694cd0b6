import { MAX_ATTEMPTS, MAX_EXTENDED_ATTEMPTS, nextStep } from './retry-schedule';

const HOUR = 3_600;
const THREE_DAYS = 72 * HOUR;

describe('nextStep', () => {
  const after = (attempt: number, hasExtendedRetries = false) =>
    nextStep({ attempt, hasExtendedRetries }, { errorClass: 'status' });

  it('ends the delivery after any successful attempt', () => {
    expect([1, 5].map((attempt) => nextStep({ attempt, hasExtendedRetries: false }, { errorClass: null }))).toEqual([
      { state: 'delivered' },
      { state: 'delivered' },
    ]);
  });

  it('retries after 5 s, 30 s, 5 min and 30 min, then drops', () => {
    const steps = [1, 2, 3, 4, 5].map((attempt) => after(attempt));
    expect(steps).toEqual([
      ...[5, 30, 300, 1800].map((delaySeconds) => ({ state: 'pending', delaySeconds })),
      { state: 'dropped' },
    ]);
    expect(MAX_ATTEMPTS).toBe(5);
  });

  it('retries after another 2, 6, 12, 24 and 24 hours with the extended schedule', () => {
    const delays = [5, 30, 300, 1800, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR];
    expect(delays.map((_delay, index) => after(index + 1, true))).toEqual(
      delays.map((delaySeconds) => ({ state: 'pending', delaySeconds })),
    );
    expect(after(MAX_EXTENDED_ATTEMPTS, true)).toEqual({ state: 'dropped' });
    expect([MAX_EXTENDED_ATTEMPTS, delays.reduce((sum, delay) => sum + delay) < THREE_DAYS]).toEqual([10, true]);
  });

  it('drops the delivery if the extended schedule has been removed', () =>
    expect(after(7)).toEqual({ state: 'dropped' }));
});
