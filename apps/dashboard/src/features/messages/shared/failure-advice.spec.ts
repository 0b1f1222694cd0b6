import { adviceOf } from './failure-advice';

describe('advice on a failed message', () => {
  const error = {
    reason: 'UPSTREAM_THROTTLED',
    code: 131049,
    title: 'Not delivered',
    message: 'Not delivered',
  } as const;

  it.each([
    [true, /^A retry may succeed\. The platform cannot reach the number/],
    [false, /^The platform cannot reach the number/],
  ])('says whether a retry may help (%s)', (retriable, words) => {
    expect(adviceOf({ ...error, category: 'undeliverable', retriable })).toMatch(words);
  });
});
