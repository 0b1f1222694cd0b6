import { urgencyOf } from './failure-share';

describe('failed messages', () => {
  it.each([
    [24, 391, 'warning'],
    [19, 391, undefined],
    [100, 391, 'bad'],
    [1, 1, 'bad'],
    [0, 0, undefined],
  ])('%d of %d are %s', (failed, sent, urgency) => {
    expect(urgencyOf({ sent, failed })).toBe(urgency);
  });
});
