import { describeUpstreamError, UpstreamError, type UpstreamErrorFields } from '@switchboard/upstream';
import { outcomeOfCall, outcomeOfMismatch, outcomeOfRefusal, throttled } from './job-outcome';

const rejected = (code: number, more: Partial<UpstreamErrorFields> = {}): UpstreamError =>
  new UpstreamError({ ...describeUpstreamError(code), kind: 'rejected', code, httpStatus: 400, ...more });
const unavailable = new UpstreamError({
  kind: 'unavailable',
  title: 'Away',
  retriable: true,
  category: 'other',
  answer: 'UPSTREAM_ERROR',
});
const silent = new UpstreamError({
  kind: 'unknown-outcome',
  title: 'No answer',
  retriable: false,
  category: 'other',
  answer: 'UPSTREAM_TIMEOUT',
});

describe('outcomeOfCall', () => {
  it('is accepted with the upstream id', () => {
    expect(outcomeOfCall({ messageId: 'wamid.1' }, undefined)).toEqual({ kind: 'accepted', upstreamId: 'wamid.1' });
    expect(outcomeOfCall({ messageId: 'wamid.1', messageStatus: 'paused' }, undefined)).toEqual({
      kind: 'accepted',
      upstreamId: 'wamid.1',
      heldBack: 'paused',
    });
  });

  it('is unknown without a usable response, even while the number is throttled', () => {
    expect(outcomeOfCall(silent, { ms: 5_000, cause: unavailable })).toEqual({ kind: 'unknown', wasReceived: false });
  });

  it('is unknown and unrepeatable if an error response confirms receipt', () => {
    const answered = new UpstreamError({ ...silent, httpStatus: 502 });
    expect(outcomeOfCall(answered, undefined)).toEqual({ kind: 'unknown', wasReceived: true });
  });

  it.each([
    [130429, 250, 'number'],
    [131056, 1_000, 'recipient'],
    [80007, 2_000, 'number'],
    [4, 2_000, 'number'],
    [131048, 3_600_000, 'number'],
    [132069, 60_000, 'number'],
    [131057, 5_000, 'number'],
    [134101, 60_000, 'number'],
  ])('is throttled by code %i for %i ms, scope %s', (code, retryAfterMs, scope) => {
    const error = rejected(code);
    const pause = error.backoff && { ms: error.backoff.firstMs, cause: error };
    expect(outcomeOfCall(error, pause)).toEqual({ kind: 'throttled', retryAfterMs, scope });
  });

  it("is throttled for the rest of the number's pause", () => {
    expect(outcomeOfCall(rejected(130429), { ms: 1_234.5, cause: rejected(80007) })).toEqual({
      kind: 'throttled',
      retryAfterMs: 1_235,
      scope: 'number',
    });
  });

  it.each([
    ['is unreachable', unavailable],
    ['returns 503', rejected(131016, { httpStatus: 503 })],
  ])('is throttled when upstream %s and nothing was sent', (_title, error) => {
    expect(outcomeOfCall(error, undefined)).toMatchObject({ kind: 'throttled', scope: 'number' });
  });

  it.each([190, 0, 10, 131031, 133010])('holds the job when code %i stops the number', (code) => {
    expect(outcomeOfCall(rejected(code), undefined)).toEqual({ kind: 'held', reason: 'NUMBER_STOPPED' });
  });

  it.each([132001, 132015, 132016])('holds the job when code %i rejects the template', (code) => {
    expect(outcomeOfCall(rejected(code), undefined)).toEqual({ kind: 'held', reason: 'TEMPLATE_NOT_APPROVED' });
  });

  it.each([131026, 131042, 131047, 131050, 132000, 100, 131049, 131000])(
    'fails with code %i and its reason',
    (code) => {
      expect(outcomeOfCall(rejected(code), undefined)).toMatchObject({
        kind: 'failed',
        error: { code, title: describeUpstreamError(code).title },
      });
    },
  );
});

describe('outcome without a call', () => {
  it.each([
    ['blocked', 'RECIPIENT_OPTED_OUT', 'optout'],
    ['blocked-upstream', 'RECIPIENT_BLOCKED', 'undeliverable'],
    ['opted-out', 'RECIPIENT_OPTED_OUT', 'optout'],
    ['window-closed', 'WINDOW_CLOSED', 'window'],
  ] as const)('fails for %s with an internal reason and no upstream code', (refusal, reason, category) => {
    expect(outcomeOfRefusal(refusal)).toMatchObject({
      kind: 'failed',
      error: { reason, code: 0, category, retriable: false },
    });
  });

  it('reports that the account blocked the recipient', () => {
    expect(outcomeOfRefusal('blocked')).toMatchObject({
      error: { message: 'your account has blocked this recipient' },
    });
  });

  it.each(['no-number', 'number-stopped'] as const)('is held for %s', (refusal) => {
    expect(outcomeOfRefusal(refusal)).toEqual({ kind: 'held', reason: 'NUMBER_STOPPED' });
  });

  it('fails with the message about the mismatch', () => {
    expect(outcomeOfMismatch('the body expects 2, 1 given')).toMatchObject({
      kind: 'failed',
      error: {
        reason: 'TEMPLATE_PARAMS_MISMATCH',
        code: 0,
        category: 'template',
        message: 'the body expects 2, 1 given',
      },
    });
  });

  it('is throttled for the duration of the pause', () => {
    expect(throttled({ ms: 1.2, cause: rejected(131056) })).toEqual({
      kind: 'throttled',
      retryAfterMs: 2,
      scope: 'recipient',
    });
  });
});
