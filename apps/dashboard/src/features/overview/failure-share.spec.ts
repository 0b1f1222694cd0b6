import { urgencyOf } from './failure-share';

describe('failure share', () => {
  it.each([
    [24, 391, 'warning'],
    [19, 391, undefined],
    [100, 391, 'bad'],
    [1, 1, 'bad'],
    [0, 0, undefined],
  ])('rates %d failures of %d as %s', (failed, sent, urgency) => {
    expect(urgencyOf({ sent, failed })).toBe(urgency);
  });
});
