import vectors from '../test/vectors.json';
import { ApiError, ConnectionError } from './errors';
import { isRetriable, mayTryAgain, retryDelayMs } from './retry';

type Described = { status?: number; code?: string; connection?: boolean };

function errorOf({ status, code, connection }: Described): Error {
  if (status !== undefined) return new ApiError(status, new Headers(), { code });
  return connection ? new ConnectionError('gone') : new TypeError('ours');
}

/** Shares its test vectors with the Python client. */
describe('retry rules', () => {
  it.each(vectors.retriable)('decides whether to retry the error in %j', ({ error, repeatable, otherwise }) => {
    const judged = [true, false].map((isRepeatable) => isRetriable(errorOf(error), { repeatable: isRepeatable }));
    expect(judged).toEqual([repeatable, otherwise]);
  });

  it.each(vectors.delays)(
    'doubles the delay up to 8 s and adds Retry-After: %j',
    ({ retry, retryAfterSeconds, random, seconds }) => {
      expect(retryDelayMs(retry, { retryAfterSeconds, random })).toBe(seconds * 1000);
    },
  );

  it.each(vectors.again)(
    'polls a running attempt until the service detects a crash: %j',
    ({ error, retry, maxRetries, elapsedSeconds, again }) => {
      expect(mayTryAgain(errorOf(error), { retry, maxRetries, elapsedMs: elapsedSeconds * 1000 })).toBe(again);
    },
  );
});
