import vectors from '../test/vectors.json';
import { ApiError, ConnectionError } from './errors';
import { isRetriable, mayTryAgain, retryDelayMs } from './retry';

type Described = { status?: number; code?: string; connection?: boolean };

function errorOf({ status, code, connection }: Described): Error {
  if (status !== undefined) return new ApiError(status, new Headers(), { code });
  return connection ? new ConnectionError('gone') : new TypeError('ours');
}

/** The same vectors as the client for Python has. */
describe('what is tried again', () => {
  it.each(vectors.retriable)('%j', ({ error, repeatable, otherwise }) => {
    const judged = [true, false].map((isRepeatable) => isRetriable(errorOf(error), { repeatable: isRepeatable }));
    expect(judged).toEqual([repeatable, otherwise]);
  });

  it.each(vectors.delays)(
    'waits twice as long each time, up to 8 seconds, and never less than the API asked for: %j',
    ({ retry, retryAfterSeconds, random, seconds }) => {
      expect(retryDelayMs(retry, { retryAfterSeconds, random })).toBe(seconds * 1000);
    },
  );

  it.each(vectors.again)(
    'asks after an attempt that still runs for longer than the service takes to see that it died: %j',
    ({ error, retry, maxRetries, elapsedSeconds, again }) => {
      expect(mayTryAgain(errorOf(error), { retry, maxRetries, elapsedMs: elapsedSeconds * 1000 })).toBe(again);
    },
  );
});
