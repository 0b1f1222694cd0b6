import { MAX_ATTEMPTS, nextStep } from './retry-schedule';

const failed = (retryAfterSeconds: number | null = null) => ({ errorClass: 'status' as const, retryAfterSeconds });

describe('the step after an attempt', () => {
  it('is the end when nothing failed, whatever the attempt', () => {
    expect([1, 5].map((attempt) => nextStep(attempt, { errorClass: null, retryAfterSeconds: 60 }))).toEqual([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('waits 5 s, 30 s, 5 min and 30 min after failures, and drops the delivery after the fifth attempt', () => {
    const steps = [1, 2, 3, 4, 5].map((attempt) => nextStep(attempt, failed()));
    expect(steps).toEqual([...[5, 30, 300, 1800].map((delaySeconds) => ({ state: 'pending', delaySeconds })), { state: 'dropped' }]);
    expect(MAX_ATTEMPTS).toBe(5);
  });

  it.each([
    [1, 0, 5],
    [1, 4, 5],
    [1, 7, 7],
    [1, 10, 10],
    [1, 3600, 10],
    [4, 3600, 3600],
    [4, 1e9, 3600],
  ])('after attempt %i with Retry-After %i is %i seconds later: never sooner than the schedule, never later than twice its step', (attempt, asked, delaySeconds) => {
    expect(nextStep(attempt, failed(asked))).toEqual({ state: 'pending', delaySeconds });
  });
});
