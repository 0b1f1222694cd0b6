import { pollPauseSeconds } from './poll-pause';

describe('pollPauseSeconds', () => {
  it('doubles with every consecutive failure', () => {
    expect([0, 1, 2, 3].map((failures) => pollPauseSeconds(300, failures))).toEqual([600, 1_200, 2_400, 4_800]);
  });

  it('is never longer than six hours nor shorter than the interval', () => {
    expect(pollPauseSeconds(300, 50)).toBe(21_600);
    expect(pollPauseSeconds(86_400, 0)).toBe(86_400);
  });
});
