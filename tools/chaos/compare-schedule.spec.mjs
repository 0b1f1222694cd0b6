// @ts-check
import { gapsBetween, judgeGaps } from './compare-schedule.mjs';

const at = (/** @type {number} */ attempt, /** @type {number} */ cameAt) => ({
  eventId: 'a',
  attempt,
  cameAt,
  answeredAt: cameAt + 10,
});

describe('retry schedule gaps', () => {
  it('run from a response to the next attempt of the same event', () => {
    const attempts = [at(1, 0), { ...at(2, 100), eventId: 'b' }, at(2, 5_110)];
    expect(gapsBetween(attempts)).toEqual([{ attempt: 1, seconds: 5.1 }]);
  });

  it('may be late by 10 % plus 1 s, but never early', () => {
    const gaps = [4.999, 5, 6.5, 6.501].map((seconds) => ({ attempt: 1, seconds }));
    expect(judgeGaps([...gaps, { attempt: 4, seconds: 1_981 }])).toMatchObject([
      { delaySeconds: 5, count: 4, early: 1, late: 1, earliestSeconds: 4.999, latestSeconds: 6.501 },
      { delaySeconds: 30, count: 0 },
      { delaySeconds: 300, count: 0 },
      { delaySeconds: 1_800, count: 1, early: 0, late: 0 },
    ]);
  });
});
