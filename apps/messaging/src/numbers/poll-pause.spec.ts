import { pollPauseSeconds } from './poll-pause';

describe('pollPauseSeconds', () => {
  it('doubles with every failure in a row', () => {
    expect([0, 1, 2, 3].map((failures) => pollPauseSeconds(300, failures))).toEqual([600, 1_200, 2_400, 4_800]);
  });

  it('never exceeds six hours, nor falls below the interval', () => {
    expect(pollPauseSeconds(300, 50)).toBe(21_600);
    expect(pollPauseSeconds(86_400, 0)).toBe(86_400);
  });
});
