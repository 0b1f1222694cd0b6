import { deadlineOf, failuresOf, headersToCarryOn } from './wire';

describe('message headers', () => {
  it('are republished without broker and dead-letter headers', () => {
    const headers = {
      traceparent: '00-a-b-01',
      'x-failures': 3,
      'x-death': [],
      'x-first-death-queue': 'q',
      'x-last-death-reason': 'expired',
      'x-delivery-count': 2,
      'x-reason': 'poison',
      'x-failed-at': '2026-01-01',
      'x-original-exchange': 'sb.webhooks',
      CC: ['elsewhere'],
      BCC: ['elsewhere'],
    };
    expect(headersToCarryOn(headers)).toEqual({ traceparent: '00-a-b-01', 'x-failures': 3 });
    expect(headersToCarryOn(undefined)).toEqual({});
  });

  it.each([[undefined], ['3'], [-1], [1.5], [Number.NaN], [{}]])(
    'count zero failures when the header is %p',
    (value) => {
      expect(failuresOf({ 'x-failures': value })).toBe(0);
    },
  );

  it('contain the failure count and the deadline', () => {
    expect(failuresOf({ 'x-failures': 4 })).toBe(4);
    expect((deadlineOf({ 'x-time-limit-ms': 1_000 }) ?? 0) - performance.now()).toBeCloseTo(1_000, -2);
    expect(deadlineOf({})).toBeUndefined();
  });
});
