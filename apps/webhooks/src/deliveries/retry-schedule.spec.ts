import { delayAfterFailure, MAX_ATTEMPTS } from './retry-schedule';

describe('the retry schedule', () => {
  it('is the one customers are promised: 5 s, 30 s, 5 min, 30 min, then the delivery is dropped', () => {
    expect([1, 2, 3, 4, 5].map(delayAfterFailure)).toEqual([5, 30, 300, 1800, undefined]);
  });

  it('makes five attempts in all', () => {
    expect(MAX_ATTEMPTS).toBe(5);
  });
});
