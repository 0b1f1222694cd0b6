import { describeUpstreamError, UpstreamError } from '@switchboard/upstream';
import { SendGate } from './send-gate';

const route = { wabaId: 'waba', phoneNumberId: '1', recipient: '919812345678' };
const samePair = route;
const otherRecipient = { ...route, recipient: '919812345679' };
const otherNumber = { ...route, phoneNumberId: '2' };
const otherAccount = { ...otherNumber, wabaId: 'other' };

const rejected = (code: number, httpStatus = 400): UpstreamError =>
  new UpstreamError({ ...describeUpstreamError(code), kind: 'rejected', code, httpStatus });
const unreachable = new UpstreamError({
  kind: 'unavailable',
  title: 'refused',
  retriable: true,
  category: 'other',
  answer: 'UPSTREAM_ERROR',
});
const silent = new UpstreamError({
  kind: 'unknown-outcome',
  title: 'No answer in time',
  retriable: false,
  category: 'other',
  answer: 'UPSTREAM_TIMEOUT',
});

const garbled = new UpstreamError({
  kind: 'unknown-outcome',
  title: 'HTTP 502 without an answer',
  httpStatus: 502,
  retriable: false,
  category: 'other',
  answer: 'UPSTREAM_TIMEOUT',
});

const waits = (gate: SendGate, now: number) =>
  [samePair, otherRecipient, otherNumber, otherAccount].map((each) => gate.throttled(each, now)?.waitMs ?? 0);

describe('SendGate throttling', () => {
  it.each([
    [131056, [1_000, 0, 0, 0]],
    [130429, [250, 250, 0, 0]],
    [80007, [2_000, 2_000, 2_000, 0]],
    [4, [2_000, 2_000, 2_000, 0]],
    [131048, [0, 0, 0, 0]],
    [131000, [0, 0, 0, 0]],
  ])('for code %i delays [pair, number, account, others] by %j ms', (code, expected) => {
    const gate = new SendGate();
    gate.learn(route, rejected(code), 0);
    expect(waits(gate, 0)).toEqual(expected);
  });

  it("quadruples a pair's delay per rejection until a send succeeds", () => {
    const gate = new SendGate();
    gate.learn(route, rejected(131056), 0);
    gate.learn(route, rejected(131056), 1_000);
    expect(gate.throttled(route, 1_000)?.waitMs).toBe(4_000);
    gate.learn(route, rejected(131056), 5_000);
    expect(gate.throttled(route, 5_000)?.waitMs).toBe(16_000);
    gate.learn(route, undefined, 21_000);
    gate.learn(route, rejected(131056), 21_000);
    expect(gate.throttled(route, 21_000)?.waitMs).toBe(1_000);
  });

  it('counts concurrent rejections once and expires', () => {
    const gate = new SendGate();
    for (let call = 0; call < 50; call += 1) gate.learn(route, rejected(130429), call);
    expect(gate.throttled(route, 100)?.waitMs).toBe(150);
    expect(gate.throttled(route, 250)).toBeUndefined();
  });
});

describe('SendGate circuit breaker', () => {
  let calls = 0;
  /** Fails the given number of sends, each to another recipient. */
  const failing = (gate: SendGate, times: number, outcome = unreachable, now = 0): void => {
    for (let call = 0; call < times; call += 1)
      gate.learn({ ...route, recipient: String(91_980_000_000 + (calls += 1)) }, outcome, now);
  };

  it.each([
    ['failed connections', unreachable],
    ['platform errors', rejected(131000, 500)],
    ['missing responses', silent],
    ['unusable responses', garbled],
  ])('opens for one number after five consecutive %s', (_title, outcome) => {
    const gate = new SendGate();
    failing(gate, 4, outcome);
    expect(gate.broken(route, 0)).toBeUndefined();
    failing(gate, 1, outcome);
    expect(gate.broken(route, 0)).toMatchObject({
      kind: 'unavailable',
      answer: 'UPSTREAM_ERROR',
      retryAfterSeconds: 1,
    });
    expect(gate.broken(otherNumber, 0)).toBeUndefined();
  });

  it('stays closed after message rejections', () => {
    const gate = new SendGate();
    failing(gate, 20, rejected(131026));
    expect(gate.broken(route, 0)).toBeUndefined();
  });

  it('stays closed when one slow message is retried', () => {
    const gate = new SendGate();
    for (let call = 0; call < 20; call += 1) gate.learn(route, silent, 0);
    expect(gate.broken(route, 0)).toBeUndefined();
  });

  it.each([
    ['an accepted send', undefined],
    ['a rejection', rejected(131026)],
  ])('stays closed when %s interrupts missing responses', (_title, answer) => {
    const gate = new SendGate();
    for (let round = 0; round < 5; round += 1) {
      failing(gate, 4, silent);
      gate.learn(route, answer, 0);
    }
    expect(gate.broken(route, 0)).toBeUndefined();
  });

  it.each([
    ['is unreachable', unreachable],
    ['hangs', silent],
  ])('probes with one send while upstream %s, and closes on success', (_title, outcome) => {
    const gate = new SendGate();
    failing(gate, 5, outcome);
    expect(gate.broken(route, 1_000)).toBeUndefined();
    gate.tryOut(route, 11_000);
    expect(gate.broken(route, 10_999)).toBeInstanceOf(UpstreamError);
    gate.learn(route, outcome, 11_000);
    expect(gate.broken(route, 12_999)).toMatchObject({ retryAfterSeconds: 1 });
    expect(gate.broken(route, 13_000)).toBeUndefined();
    gate.tryOut(route, 23_000);
    gate.learn(route, undefined, 13_100);
    expect(gate.broken(route, 13_100)).toBeUndefined();
  });

  it('counts sends that were in flight when it opened as one failure', () => {
    const gate = new SendGate();
    failing(gate, 60, silent);
    expect(gate.broken(route, 999)).toBeInstanceOf(UpstreamError);
    expect(gate.broken(route, 1_000)).toBeUndefined();
  });

  it('stays open for at most 30 seconds', () => {
    const gate = new SendGate();
    failing(gate, 5);
    const last = 20 * 30_000;
    for (let now = 30_000; now <= last; now += 30_000) {
      gate.tryOut(route, now + 10_000);
      gate.learn(route, unreachable, now);
    }
    expect(gate.broken(route, last + 29_999)).toBeInstanceOf(UpstreamError);
    expect(gate.broken(route, last + 30_000)).toBeUndefined();
  });
});
