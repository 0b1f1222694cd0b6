import { describeUpstreamError, UpstreamError } from '@switchboard/upstream';
import {
  errorOfCall,
  errorOfStatus,
  NEVER_REPORTED,
  OUTCOME_UNKNOWN,
  refusalOfCall,
  refusalOfStored,
  withoutDetails,
} from './message-error';

describe('errorOfStatus', () => {
  it("combines upstream's text with the code's internal classification", () => {
    const errors = [
      { code: 131026, title: 'Message undeliverable', message: 'short', error_data: { details: 'long' } },
    ];
    const common = { reason: 'INVALID_VALUE', code: 131026, category: 'undeliverable', retriable: false };
    expect(errorOfStatus(errors)).toEqual({ ...common, title: 'Message undeliverable', message: 'long' });
    expect(errorOfStatus([{ code: 131026 }])).toEqual({
      ...common,
      title: 'Message undeliverable',
      message: 'Message undeliverable',
    });
  });

  it.each([[undefined], [[]], [[{}]], [[{ title: 'x' }]]])('reports that no reason was given for %j', (errors) => {
    expect(errorOfStatus(errors)).toMatchObject({
      reason: 'UPSTREAM_ERROR',
      code: 0,
      category: 'other',
      message: 'the upstream platform gave no reason',
    });
  });
});

describe('message errors', () => {
  const rejected = (code: number) =>
    new UpstreamError({
      ...describeUpstreamError(code),
      kind: 'rejected',
      code,
      title: 'Title',
      details: 'inner words',
    });

  it('contain the upstream title but no internal details', () => {
    expect(refusalOfCall(rejected(190)).message).toBe('the upstream platform failed: Title');
  });

  it('contain the upstream explanation unless the message has a secret', () => {
    const error = rejected(131009);
    for (const refusal of [refusalOfCall(error), refusalOfStored(errorOfCall(error), 'msg_1')])
      expect(refusal.message).toMatch(/: Title: inner words$/);
    for (const refusal of [
      refusalOfCall(error, { isSecret: true }),
      refusalOfStored(withoutDetails(errorOfCall(error)), 'msg_1'),
    ])
      expect(refusal.message).toMatch(/: Title$/);
  });

  it('contain the recorded error and the message id, if any', () => {
    const error = rejected(131031);
    const shown = {
      reason: 'UPSTREAM_ERROR',
      code: 131031,
      title: 'Title',
      message: 'inner words',
      category: 'integrity',
    };
    expect(refusalOfCall(error).extra).toEqual({ error: { ...shown, retriable: false } });
    for (const { extra } of [refusalOfCall(error, { id: 'msg_1' }), refusalOfStored(errorOfCall(error), 'msg_1')])
      expect(extra).toEqual({ id: 'msg_1', error: { ...shown, retriable: false } });
    expect(refusalOfCall(error, { isSecret: true }).extra).toMatchObject({ error: { message: 'Title' } });
    // The platform's text about the access token may quote it.
    expect(refusalOfCall(rejected(190)).extra).toMatchObject({ error: { code: 190, message: 'Title' } });
  });

  it.each([
    ['the stored reason', { reason: 'UNSUPPORTED_MEDIA', code: 100 }, 'UNSUPPORTED_MEDIA'],
    ['the code if no reason was stored', { code: 131009 }, 'INVALID_PARAMETER'],
    ['UPSTREAM_ERROR without reason and code', { code: 0 }, 'UPSTREAM_ERROR'],
    ['UPSTREAM_ERROR if the outcome was never known', OUTCOME_UNKNOWN, 'UPSTREAM_ERROR'],
    ['UPSTREAM_ERROR if nothing was reported', NEVER_REPORTED, 'UPSTREAM_ERROR'],
  ])('use %s when read from the row', (_what, stored, code) => {
    const error = { title: 'T', message: 'm', category: 'other' as const, retriable: false, ...stored };
    expect(refusalOfStored(error, 'msg_1').code).toBe(code);
  });

  it.each([
    [130429, 5],
    [131048, 3_600],
    [132069, 60],
  ])('contain the retry delay for throttling code %i, also when stored', (code, retryAfterSeconds) => {
    const error = rejected(code);
    for (const refusal of [refusalOfCall(error), refusalOfStored(errorOfCall(error), 'msg_1')]) {
      expect(refusal).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds });
    }
  });
});
