import { readAs } from './responses';
import type { Answer } from './exchange';
import { UpstreamError } from './upstream-error';

const HTML = '<html><body>A page of a proxy</body></html>';

function errorOf(answer: Answer): UpstreamError {
  try {
    readAs<{ id: string }>(answer, ({ id }) => typeof id === 'string');
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
  throw new Error('an error was expected');
}

it('readAs returns a 2xx body of the expected shape', () =>
  expect(readAs<{ id: string }>({ httpStatus: 201, text: '{"id":"1"}' }, ({ id }) => id === '1')).toEqual({ id: '1' }));

describe('a response without the expected body or an error envelope', () => {
  it.each([
    [200, '{"messages":[]}'],
    [200, 'OK'],
    [200, 'null'],
    [202, HTML],
    [500, ''],
    [502, HTML],
    [502, '{"message":"no envelope"}'],
    [503, HTML],
    [504, HTML],
  ])('has an unknown outcome for HTTP %i %s and is not retried', (httpStatus, text) =>
    expect(errorOf({ httpStatus, text })).toMatchObject({
      kind: 'unknown-outcome',
      httpStatus,
      answer: 'UPSTREAM_TIMEOUT',
      retriable: false,
      wasReceived: true,
    }),
  );

  it.each([302, 407, 408, 425])('is unavailable and retriable for HTTP %i', (httpStatus) =>
    expect(errorOf({ httpStatus, text: HTML })).toMatchObject({
      kind: 'unavailable',
      retriable: true,
      wasReceived: false,
    }),
  );

  it.each([400, 403, 404, 413])('is rejected for HTTP %i', (httpStatus) =>
    expect(errorOf({ httpStatus, text: HTML })).toMatchObject({
      kind: 'rejected',
      code: undefined,
      httpStatus,
      details: `HTTP ${httpStatus} without an error of the platform`,
      answer: 'UPSTREAM_ERROR',
      retriable: false,
      stopsNumber: false,
      wasReceived: false,
    }),
  );
});

describe('a 429 response', () => {
  it.each([HTML, '', '{"error":"slow down"}', '{"error":{"code":987654}}'])(
    'means throttling with any response body: %s',
    (text) =>
      expect(errorOf({ httpStatus: 429, text })).toMatchObject({
        kind: 'rejected',
        category: 'rate_limit',
        answer: 'UPSTREAM_THROTTLED',
        retriable: true,
        backoff: { scope: 'account', firstMs: 2_000, factor: 2 },
        retryAfterSeconds: undefined,
      }),
  );

  it('uses the description of a known code', () =>
    expect(errorOf({ httpStatus: 429, text: '{"error":{"code":131056}}', retryAfter: '7' })).toMatchObject({
      code: 131056,
      backoff: { scope: 'pair', firstMs: 1_000 },
    }));

  it.each([
    ['7', 7],
    ['0', 1],
    ['999999', 600],
    [new Date(0).toUTCString(), 1],
  ])('reports the retry time for Retry-After %s', (retryAfter, retryAfterSeconds) =>
    expect(errorOf({ httpStatus: 429, text: HTML, retryAfter })).toMatchObject({
      retryAfterSeconds,
      backoff: { firstMs: retryAfterSeconds * 1_000, factor: 1 },
    }),
  );

  it('accepts a date in Retry-After', () => {
    const retryAfter = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterSeconds } = errorOf({ httpStatus: 429, text: HTML, retryAfter });
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('has no retry time for an invalid Retry-After', () =>
    expect(errorOf({ httpStatus: 429, text: HTML, retryAfter: 'soon' }).retryAfterSeconds).toBeUndefined());
});

describe('an error envelope', () => {
  it.each([200, 400, 404, 429, 500, 502])('is a rejection with any status: HTTP %i', (httpStatus) =>
    expect(errorOf({ httpStatus, text: '{"error":{"code":131009,"message":"m"}}' })).toMatchObject({
      kind: 'rejected',
      code: 131009,
      answer: 'INVALID_PARAMETER',
    }),
  );

  it.each([
    ['API calls from the server require an appsecret_proof argument', 'The app requires a proof by its app secret'],
    ['Invalid appsecret_proof provided in the API argument', 'The proof by the app secret is not valid'],
  ])('reports a missing or invalid app secret proof as an auth error: %s', (message, title) =>
    expect(errorOf({ httpStatus: 400, text: JSON.stringify({ error: { code: 100, message } }) })).toMatchObject({
      code: 100,
      title: expect.stringContaining(title) as string,
      category: 'auth',
      answer: 'UPSTREAM_ERROR',
      retriable: true,
      stopsNumber: false,
    }),
  );
});
