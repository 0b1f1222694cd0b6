import { MAX_ATTEMPTS, nextStep } from './retry-schedule';


describe('the step after an attempt', () => {
  it('is the end when nothing failed, whatever the attempt', () => {
    expect([1, 5].map((attempt) => nextStep(attempt, { errorClass: null }))).toEqual([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('waits 5 s, 30 s, 5 min and 30 min after failures, and drops the delivery after the fifth attempt', () => {
    const steps = [1, 2, 3, 4, 5].map((attempt) => nextStep(attempt, { errorClass: 'status' }));
    expect(steps).toEqual([...[5, 30, 300, 1800].map((delaySeconds) => ({ state: 'pending', delaySeconds })), { state: 'dropped' }]);
    expect(MAX_ATTEMPTS).toBe(5);
  });
});
