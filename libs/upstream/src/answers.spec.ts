import { readAs } from './answers';
import type { Answer } from './exchange';
import { UpstreamError } from './upstream-error';

const HTML = '<html><body>A page of a proxy</body></html>';

/** What a send is told by an answer without a message id. */
function errorOf(answer: Answer): UpstreamError {
  try {
    readAs<{ id: string }>(answer, ({ id }) => typeof id === 'string');
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
  throw new Error('an error was expected');
}

it('gives a 2xx of the wanted shape', () =>
  expect(readAs<{ id: string }>({ httpStatus: 201, text: '{"id":"1"}' }, ({ id }) => id === '1')).toEqual({ id: '1' }));

describe('an answer that is neither the wanted one nor an envelope', () => {
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
  ])(
    'leaves the outcome unknown with HTTP %i %s: the call was received, and must not be repeated',
    (httpStatus, text) =>
      expect(errorOf({ httpStatus, text })).toMatchObject({
        kind: 'unknown-outcome',
        httpStatus,
        answer: 'UPSTREAM_TIMEOUT',
        retriable: false,
        wasReceived: true,
      }),
  );

  it.each([302, 407, 408, 425])('says with HTTP %i that nothing was done, and that it will pass', (httpStatus) =>
    expect(errorOf({ httpStatus, text: HTML })).toMatchObject({
      kind: 'unavailable',
      retriable: true,
      wasReceived: false,
    }),
  );

  it.each([400, 403, 404, 413])('says with HTTP %i that nothing was done', (httpStatus) =>
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

describe('an answer 429', () => {
  it.each([HTML, '', '{"error":"slow down"}', '{"error":{"code":987654}}'])(
    'is throttling, whatever its body: %s',
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

  it('keeps the meaning of a code that is known', () =>
    expect(errorOf({ httpStatus: 429, text: '{"error":{"code":131056}}', retryAfter: '7' })).toMatchObject({
      code: 131056,
      backoff: { scope: 'pair', firstMs: 1_000 },
    }));

  it.each([
    ['7', 7],
    ['0', 1],
    ['999999', 600],
    [new Date(0).toUTCString(), 1],
  ])('tells when to come back: Retry-After %s', (retryAfter, retryAfterSeconds) =>
    expect(errorOf({ httpStatus: 429, text: HTML, retryAfter })).toMatchObject({
      retryAfterSeconds,
      backoff: { firstMs: retryAfterSeconds * 1_000, factor: 1 },
    }),
  );

  it('may give a date', () => {
    const retryAfter = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterSeconds } = errorOf({ httpStatus: 429, text: HTML, retryAfter });
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('is throttling without a time when the header makes no sense', () =>
    expect(errorOf({ httpStatus: 429, text: HTML, retryAfter: 'soon' }).retryAfterSeconds).toBeUndefined());
});

describe('an envelope', () => {
  it.each([200, 400, 404, 429, 500, 502])('is a refusal with any status: HTTP %i', (httpStatus) =>
    expect(errorOf({ httpStatus, text: '{"error":{"code":131009,"message":"m"}}' })).toMatchObject({
      kind: 'rejected',
      code: 131009,
      answer: 'INVALID_PARAMETER',
    }),
  );

  it.each([
    ['API calls from the server require an appsecret_proof argument', 'The app requires a proof by its app secret'],
    ['Invalid appsecret_proof provided in the API argument', 'The proof by the app secret is not valid'],
  ])('about the proof by the app secret is no parameter of the caller: %s', (message, title) =>
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
