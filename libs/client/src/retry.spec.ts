import { ApiError, ConnectionError } from './errors';
import { isRetriable, mayTryAgain, retryDelayMs } from './retry';

const api = (status: number, code = 'INTERNAL'): ApiError => new ApiError(status, new Headers(), { code });

describe('what is tried again', () => {
  it.each([
    [api(429), true, true],
    [api(500), true, false],
    [api(502), true, false],
    [api(503), true, false],
    [api(504), true, false],
    [api(409, 'IDEMPOTENCY_IN_PROGRESS'), true, false],
    [new ConnectionError('gone'), true, false],
    [api(400), false, false],
    [api(422), false, false],
    [new TypeError('ours'), false, false],
  ])('%s: %s when it can be repeated, %s when not', (error, ifRepeatable, otherwise) => {
    expect([isRetriable(error, { repeatable: true }), isRetriable(error, { repeatable: false })]).toEqual([
      ifRepeatable,
      otherwise,
    ]);
  });

  it('waits twice as long each time, up to 8 seconds, between a half and the whole of it', () => {
    const delays = (random: number) => [1, 2, 3, 4, 5, 6, 7, 8].map((retry) => retryDelayMs(retry, { random }));
    expect(delays(1)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(delays(0)).toEqual([125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  it('never comes back before the time the API named', () => {
    expect(retryDelayMs(1, { retryAfterSeconds: 3, random: 0 })).toBe(3000);
    expect(retryDelayMs(1, { retryAfterSeconds: 3, random: 1 })).toBe(3125);
  });

  it('asks after an attempt that still runs for longer than the service takes to see that it died', () => {
    const running = api(409, 'IDEMPOTENCY_IN_PROGRESS');
    const tries = (error: unknown, maxRetries: number) =>
      [1_000, 10_500, 14_900, 15_000].map((elapsedMs) => mayTryAgain(error, { retry: 4, maxRetries, elapsedMs }));
    expect(tries(running, 3)).toEqual([true, true, true, false]);
    expect(tries(api(503), 3)).toEqual([false, false, false, false]);
    expect(tries(running, 0)).toEqual([false, false, false, false]);
    expect(mayTryAgain(api(503), { retry: 3, maxRetries: 3, elapsedMs: 60_000 })).toBe(true);
  });
});
