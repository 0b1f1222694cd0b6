import { ERRORS } from '@switchboard/contracts';
import { describeUpstreamError, KNOWN_UPSTREAM_CODES } from './errors';

describe('describeUpstreamError', () => {
  it('covers all platform codes seen so far', () => expect(KNOWN_UPSTREAM_CODES.length).toBe(96));

  it.each([
    [0, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [1, 'other', 'UPSTREAM_ERROR', true, 'message', false],
    [2, 'other', 'UPSTREAM_ERROR', true, 'message', false],
    [3, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [4, 'rate_limit', 'UPSTREAM_THROTTLED', true, 'account', false],
    [10, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [33, 'other', 'UPSTREAM_ERROR', false, undefined, true],
    [100, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [104, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [190, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [204, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [368, 'integrity', 'UPSTREAM_ERROR', false, undefined, true],
    [80007, 'rate_limit', 'UPSTREAM_THROTTLED', true, 'account', false],
    [130403, 'undeliverable', 'RECIPIENT_BLOCKED', false, undefined, false],
    [130429, 'rate_limit', 'UPSTREAM_THROTTLED', true, 'number', false],
    [130472, 'undeliverable', 'INVALID_VALUE', false, undefined, false],
    [130497, 'integrity', 'UPSTREAM_ERROR', false, undefined, false],
    [131000, 'other', 'UPSTREAM_ERROR', true, 'message', false],
    [131005, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [131008, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [131009, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [131016, 'other', 'UPSTREAM_ERROR', true, 'message', false],
    [131021, 'undeliverable', 'INVALID_VALUE', false, undefined, false],
    [131026, 'undeliverable', 'INVALID_VALUE', false, undefined, false],
    [131030, 'undeliverable', 'INVALID_PARAMETER', false, undefined, false],
    [131031, 'integrity', 'UPSTREAM_ERROR', false, undefined, true],
    [131036, 'undeliverable', 'INVALID_VALUE', false, undefined, false],
    [131037, 'integrity', 'UPSTREAM_ERROR', false, undefined, true],
    [131042, 'credit', 'UPSTREAM_ERROR', false, undefined, false],
    [131045, 'auth', 'UPSTREAM_ERROR', false, undefined, true],
    [131047, 'window', 'WINDOW_CLOSED', false, undefined, false],
    [131048, 'rate_limit', 'UPSTREAM_THROTTLED', false, undefined, false],
    [131049, 'undeliverable', 'UPSTREAM_THROTTLED', false, undefined, false],
    [131050, 'optout', 'RECIPIENT_OPTED_OUT', false, undefined, false],
    [131051, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [131052, 'media', 'UNSUPPORTED_MEDIA', false, undefined, false],
    [131053, 'media', 'UNSUPPORTED_MEDIA', false, undefined, false],
    [131055, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [131056, 'rate_limit', 'UPSTREAM_THROTTLED', true, 'pair', false],
    [131057, 'other', 'UPSTREAM_ERROR', true, undefined, false],
    [131059, 'other', 'UPSTREAM_ERROR', false, undefined, false],
    [131060, 'other', 'UPSTREAM_ERROR', true, undefined, false],
    [131062, 'other', 'PHONE_REQUIRED', false, undefined, false],
    [131063, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [131064, 'rate_limit', 'UPSTREAM_THROTTLED', false, undefined, false],
    [132000, 'template', 'TEMPLATE_PARAMS_MISMATCH', false, undefined, false],
    [132001, 'template', 'TEMPLATE_NOT_FOUND', false, undefined, false],
    [132005, 'template', 'TEMPLATE_PARAMS_MISMATCH', false, undefined, false],
    [132007, 'template', 'TEMPLATE_PARAMS_MISMATCH', false, undefined, false],
    [132012, 'template', 'TEMPLATE_PARAMS_MISMATCH', false, undefined, false],
    [132015, 'template', 'TEMPLATE_NOT_APPROVED', false, undefined, false],
    [132016, 'template', 'TEMPLATE_NOT_APPROVED', false, undefined, false],
    [132018, 'template', 'TEMPLATE_PARAMS_MISMATCH', false, undefined, false],
    [132068, 'template', 'INVALID_PARAMETER', false, undefined, false],
    [132069, 'rate_limit', 'UPSTREAM_THROTTLED', false, undefined, false],
    [133000, 'other', 'UPSTREAM_ERROR', false, undefined, false],
    [133004, 'other', 'UPSTREAM_ERROR', true, 'message', false],
    [133005, 'other', 'INVALID_VALUE', false, undefined, false],
    [133006, 'other', 'UPSTREAM_ERROR', false, undefined, false],
    [133008, 'rate_limit', 'UPSTREAM_THROTTLED', false, undefined, false],
    [133009, 'rate_limit', 'UPSTREAM_THROTTLED', false, undefined, false],
    [133010, 'other', 'UPSTREAM_ERROR', false, undefined, true],
    [133015, 'other', 'UPSTREAM_ERROR', true, undefined, false],
    [133016, 'rate_limit', 'UPSTREAM_ERROR', false, undefined, false],
    [134011, 'other', 'UPSTREAM_ERROR', false, undefined, false],
    [134100, 'other', 'INVALID_PARAMETER', false, undefined, false],
    [134101, 'template', 'UPSTREAM_ERROR', true, undefined, false],
    [134102, 'template', 'UPSTREAM_ERROR', false, undefined, false],
    [135000, 'other', 'INVALID_PARAMETER', true, 'message', false],
    [137000, 'undeliverable', 'INVALID_VALUE', false, undefined, false],
    [139100, 'other', 'INVALID_VALUE', false, undefined, false],
    [139101, 'other', 'INVALID_VALUE', false, undefined, false],
    [139102, 'other', 'UPSTREAM_ERROR', true, undefined, false],
    [139103, 'other', 'UPSTREAM_ERROR', true, undefined, false],
    [2494100, 'other', 'UPSTREAM_ERROR', true, undefined, false],
    [2593107, 'other', 'INVALID_VALUE', false, undefined, false],
    [2593108, 'other', 'INVALID_VALUE', false, undefined, false],
    [999999, 'other', 'UPSTREAM_ERROR', false, undefined, false],
  ])('maps %i to %s and %s; retriable %s, backoff per %s, stops the number %s', (code, ...expected) => {
    const [category, answer, retriable, scope, stopsNumber] = expected;
    const { backoff, ...description } = describeUpstreamError(code);
    expect(description).toMatchObject({ category, answer, retriable, stopsNumber });
    expect(backoff?.scope).toBe(scope);
  });

  it('backs off exponentially, by a factor of four per number pair', () => {
    expect(describeUpstreamError(131056).backoff).toMatchObject({ firstMs: 1_000, factor: 4 });
    expect(describeUpstreamError(130429).backoff).toMatchObject({ firstMs: 250, factor: 2 });
  });

  it('returns the retry time of long-lasting limits', () => {
    expect(describeUpstreamError(131049).retryAfterSeconds).toBe(86_400);
    expect(describeUpstreamError(131048).retryAfterSeconds).toBe(3_600);
    expect(describeUpstreamError(131056).retryAfterSeconds).toBeUndefined();
  });

  it('reports an unknown object of the account as an auth error', () => {
    expect(describeUpstreamError(100).answer).toBe('INVALID_PARAMETER');
    expect(describeUpstreamError(100, 33)).toMatchObject({
      answer: 'UPSTREAM_ERROR',
      category: 'auth',
      stopsNumber: true,
    });
    expect(describeUpstreamError(100, 2494009)).toMatchObject({
      answer: 'UNSUPPORTED_MEDIA',
      category: 'media',
      stopsNumber: false,
    });
  });

  it.each([
    [2388012, 'other'],
    [2388019, 'template'],
    [2388023, 'template'],
    [2388024, 'template'],
    [2388039, 'template'],
    [2388040, 'template'],
    [2388047, 'template'],
    [2388072, 'template'],
    [2388073, 'template'],
    [2388091, 'other'],
    [2388093, 'other'],
    [2388103, 'other'],
    [2388273, 'template'],
    [2388293, 'template'],
    [2388299, 'template'],
    [2494100, 'other'],
    [2593107, 'other'],
    [2593108, 'other'],
  ])('describes %i as %s, as a code or as a subcode of 100', (number, category) => {
    const description = describeUpstreamError(100, number);
    expect(description).toMatchObject({ category, stopsNumber: false });
    expect(description.title).not.toBe(describeUpstreamError(100).title);
    expect(describeUpstreamError(number)).toEqual(description);
  });

  it('ignores a subcode of any other code', () =>
    expect(describeUpstreamError(131009, 2388040)).toEqual(describeUpstreamError(131009)));

  it('includes an unknown code in its title', () =>
    expect(describeUpstreamError(987654).title).toBe('Unknown upstream error 987654'));

  it('never maps to 401 or 404, and maps account problems to 502', () => {
    for (const code of KNOWN_UPSTREAM_CODES) {
      const { category, answer } = describeUpstreamError(code);
      expect([401, 404]).not.toContain(ERRORS[answer].status);
      if (category === 'auth' || category === 'integrity') expect(ERRORS[answer].status).toBe(502);
    }
  });
});
