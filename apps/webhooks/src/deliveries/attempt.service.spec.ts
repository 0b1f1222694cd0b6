import { nextStep } from './attempt.service';

describe('the step after an attempt', () => {
  it('is delivered when nothing failed, whatever the attempt', () => {
    expect([1, 5].map((attempt) => nextStep(attempt, { errorClass: null }))).toEqual([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  it('waits as long as the schedule says after a failure', () => {
    expect(nextStep(1, { errorClass: 'status' })).toEqual({ state: 'pending', delaySeconds: 5 });
    expect(nextStep(4, { errorClass: 'dns' })).toEqual({ state: 'pending', delaySeconds: 1800 });
  });

  it('is dropped after the fourth failed retry', () => {
    expect(nextStep(5, { errorClass: 'timeout' })).toEqual({ state: 'dropped' });
  });
});
