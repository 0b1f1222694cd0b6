import { describeUpstreamError, UpstreamError } from '@switchboard/upstream';
import { errorOfCall, errorOfStatus, refusalOfCall, refusalOfStored, withoutDetails } from './message-error';

describe('errorOfStatus', () => {
  it("takes the upstream's words and our judgement of the code", () => {
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

  it.each([[undefined], [[]], [[{}]], [[{ title: 'x' }]]])('says that there is no reason for %j', (errors) => {
    expect(errorOfStatus(errors)).toMatchObject({
      reason: 'UPSTREAM_ERROR',
      code: 0,
      category: 'other',
      message: 'the upstream platform gave no reason',
    });
  });
});

describe('refusals', () => {
  const rejected = (code: number) =>
    new UpstreamError({
      ...describeUpstreamError(code),
      kind: 'rejected',
      code,
      title: 'Title',
      details: 'inner words',
    });

  it("name the upstream's title after our fixed text, and nothing internal", () => {
    expect(refusalOfCall(rejected(190)).message).toBe('the upstream platform failed: Title');
  });

  it("pass on the upstream's explanation of what the caller can mend, also from the row, but not of a message with a secret", () => {
    const error = rejected(131009);
    for (const refusal of [refusalOfCall(error), refusalOfStored(errorOfCall(error))])
      expect(refusal.message).toMatch(/: Title: inner words$/);
    for (const refusal of [
      refusalOfCall(error, { isSecret: true }),
      refusalOfStored(withoutDetails(errorOfCall(error))),
    ])
      expect(refusal.message).toMatch(/: Title$/);
  });

  it.each([
    [130429, 5],
    [131048, 3_600],
    [132069, 60],
  ])(
    'tell when to come back when the upstream platform throttles with %i, also when they are repeated from the row',
    (code, retryAfterSeconds) => {
      const error = rejected(code);
      for (const refusal of [refusalOfCall(error), refusalOfStored(errorOfCall(error))]) {
        expect(refusal).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds });
      }
    },
  );
});
