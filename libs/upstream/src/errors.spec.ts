import { ERRORS } from '@switchboard/contracts';
import { describeUpstreamError, KNOWN_UPSTREAM_CODES } from './errors';

describe('describeUpstreamError', () => {
  it('knows every code of the platform that we met', () => expect(KNOWN_UPSTREAM_CODES.length).toBe(58));

  it.each([
    [190, 'auth', 'UPSTREAM_ERROR', false],
    [130429, 'rate_limit', 'UPSTREAM_THROTTLED', true],
    [131056, 'rate_limit', 'UPSTREAM_THROTTLED', true],
    [131048, 'rate_limit', 'UPSTREAM_THROTTLED', false],
    [131047, 'window', 'WINDOW_CLOSED', false],
    [131026, 'undeliverable', 'INVALID_VALUE', false],
    [131050, 'optout', 'RECIPIENT_OPTED_OUT', false],
    [131042, 'credit', 'UPSTREAM_ERROR', false],
    [132001, 'template', 'TEMPLATE_NOT_FOUND', false],
    [132015, 'template', 'TEMPLATE_NOT_APPROVED', false],
    [131053, 'media', 'UNSUPPORTED_MEDIA', false],
    [131000, 'other', 'UPSTREAM_ERROR', true],
    [204, 'auth', 'UPSTREAM_ERROR', false],
    [999999, 'other', 'UPSTREAM_ERROR', false],
  ])('%i is %s, answered as %s', (code, category, answer, retriable) => {
    expect(describeUpstreamError(code)).toMatchObject({ category, answer, retriable });
  });

  it('takes an id of ours that upstream does not know for our fault, not the caller’s', () => {
    expect(describeUpstreamError(100).answer).toBe('INVALID_PARAMETER');
    expect(describeUpstreamError(100, 33)).toMatchObject({ answer: 'UPSTREAM_ERROR', category: 'auth' });
  });

  it('never answers 401 or 404, and 5xx for every fault of the account', () => {
    for (const code of KNOWN_UPSTREAM_CODES) {
      const { category, answer } = describeUpstreamError(code);
      expect([401, 404]).not.toContain(ERRORS[answer].status);
      if (category === 'auth' || category === 'integrity') expect(ERRORS[answer].status).toBe(502);
    }
  });
});
