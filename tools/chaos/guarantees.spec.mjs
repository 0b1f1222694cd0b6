import {
  judgeFailover,
  judgeMajorityLoss,
  judgeNodeLoss,
  judgePartition,
  judgeRolling,
  measure,
} from './guarantees.mjs';

const send = (startedAt, status = 200, durationMs = 10) => ({ kind: 'send', status, startedAt, durationMs });
const UNTAKEN = 'messaging.send-message.v1: it was not answered in time';
const unknown = (startedAt, durationMs = 10, reason = UNTAKEN) => ({ ...send(startedAt, 504, durationMs), reason });
const loss = (from, to = from) => ({ name: 'a node is killed', kind: 'loss', from, to });
const back = (from, to = from) => ({ name: 'a node is back', kind: 'return', from, to });
/** Returns successful sends, one every 100 ms. */
const good = (from, until) => Array.from({ length: (until - from) / 100 }, (_, index) => send(from + index * 100));
const incidents = [loss(1_000, 1_020), back(8_000, 9_000)];
const calm = [...good(0, 1_000), ...good(2_000, 12_000)];

describe('measure', () => {
  it('counts statuses by kind', () => {
    const { counts, requests, failed } = measure([send(0), send(1, 503), send(2, 504), send(3, 0)], []);
    expect([...counts]).toEqual([['send', { good: 1, unavailable: 1, unknown: 1, other: 1 }]]);
    expect({ requests, failed }).toEqual({ requests: 4, failed: 3 });
  });

  it('reports the longest time between successful sends as the outage', () => {
    expect(measure([send(0), send(100), send(200, 503), send(3_100), send(3_200)], []).outageMs).toBe(3_000);
  });

  it('counts an outage that never ends', () => {
    expect(measure([send(0), ...Array.from({ length: 9 }, (_, n) => send(1_000 * n, 503))], []).outageMs).toBe(7_990);
  });

  it('measures failing sends from each incident to the next one', () => {
    const responses = [send(900, 503), send(1_500, 503), send(8_100, 503), { ...send(9_500, 503), kind: 'read' }];
    expect(measure(responses, incidents).incidents).toMatchObject([
      { failingMs: 500, recoveryMs: 480 },
      { failingMs: 100, recoveryMs: 500 },
    ]);
  });
});

describe('judgePartition', () => {
  const judge = (responses) => judgePartition(measure(responses, incidents));

  it('allows failing and waiting sends until the node is down', () => {
    expect(judge([...calm, send(8_900, 503, 7_900)])).toEqual([]);
  });

  it('reports sends that fail or wait for too long', () => {
    expect(judge([...calm, send(1_100, 503, 8_001)])).toEqual(['a send was answered 503 after 8001 ms']);
    expect(judge([...good(0, 1_000), ...good(9_100, 12_000)])).toEqual(['no send succeeded for 8200 ms']);
  });
});

describe('judgeNodeLoss', () => {
  const judge = (responses, options) => judgeNodeLoss(measure(responses, incidents), options);

  it('allows brief send failures', () => {
    expect(judge([...calm, send(1_100, 503)])).toEqual([]);
  });

  it('allows unknown outcomes of requests in flight', () => {
    expect(judge([...calm, unknown(990, 15_000)])).toEqual([]);
  });

  it('allows unknown outcomes after a service received the command', () => {
    expect(judge([...calm, unknown(1_100, 10, `${UNTAKEN}, after it was taken`)])).toEqual([]);
    expect(judge([...calm, unknown(1_100, 10, 'the outcome is unknown')])).toEqual([]);
  });

  it('allows unknown outcomes without a broker confirm', () => {
    expect(judge([...calm, unknown(1_100, 1_750, 'messaging.send-message.v1: the broker did not confirm it')])).toEqual(
      [],
    );
  });

  it('reports an unknown outcome of a command that no consumer received', () => {
    expect(judge([...calm, unknown(1_100, 16_700)])).toEqual([`a send was answered 504 after 16700 ms (${UNTAKEN})`]);
    expect(judge([...calm, unknown(8_100)])).toHaveLength(1);
  });

  it('reports a slow 503', () => {
    expect(judge([...calm, send(1_100, 503, 2_001)])).toEqual(['a send was answered 503 after 2001 ms']);
  });

  it('reports sends that fail for too long', () => {
    expect(judge([...calm, send(6_001, 503)])).toEqual(['sends failed for 5001 ms after: a node is killed']);
  });

  it('reports a gap without successful sends', () => {
    expect(judge([...good(0, 1_000), ...good(6_000, 9_000)])).toEqual(['no send succeeded for 5100 ms']);
  });

  it('reports any other status', () => {
    expect(judge([...calm, send(1_100, 500), send(1_100, 0), send(1_100, 429)])).toHaveLength(3);
  });

  it('ignores failures of the upstream platform', () => {
    const responses = [...calm, { ...send(7_000, 504), code: 'UPSTREAM_TIMEOUT' }];
    expect(judge(responses)).toEqual([]);
    expect(measure(responses, incidents).failed).toBe(0);
  });

  it('allows a 429 for a read', () => {
    expect(judge([...calm, { ...send(1_100, 429), kind: 'read' }])).toEqual([]);
  });

  it('scales time limits but never allows unknown outcomes', () => {
    expect(judge([...calm, send(1_100, 503, 4_000)], { room: 2 })).toEqual([]);
    expect(judge([...calm, unknown(1_100)], { room: 2 })).toHaveLength(1);
  });
});

describe('judgeRolling', () => {
  it('allows one failed request in a hundred', () => {
    const responses = good(0, 20_000);
    const judge = (failed) => judgeRolling(measure([...responses, ...failed], [loss(1_000, 5_000)]));
    expect(judge([send(1_000, 503), send(1_100, 503)])).toEqual([]);
    expect(judge([send(1_000, 503), send(1_100, 503), send(1_200, 503)])).toEqual(['3 of 203 requests failed']);
  });
});

describe('judgeMajorityLoss', () => {
  const judge = (responses) => judgeMajorityLoss(measure(responses, incidents));

  it('allows failures until the majority is restored', () => {
    expect(judge([send(0), send(1_500, 503), send(8_500, 503), send(18_000, 503), send(19_500)])).toEqual([]);
  });

  it('limits recovery to ten seconds', () => {
    expect(judge([send(0), send(19_100, 503)])).toEqual(['requests failed until 10100 ms after: a node is back']);
  });

  it('reports unknown outcomes of requests started during the loss', () => {
    const judgeUnknown = (at) => judge([send(0), send(1_500, 503), unknown(at, 10, 'not confirmed'), send(19_500)]);
    expect(judgeUnknown(3_000)).toEqual([]);
    expect(judgeUnknown(7_900)).toEqual([expect.stringContaining('started while nothing could')]);
  });

  it('reports a loss that hit no request', () => {
    expect(judge(calm)).toEqual(['no request met it']);
  });
});

describe('judgeFailover', () => {
  it('limits recovery to two seconds after the promotion', () => {
    const judge = (at) => judgeFailover(measure([...calm, send(1_500, 503), send(at, 503)], incidents));
    expect(judge(10_900)).toEqual([]);
    expect(judge(11_100)).toEqual(['requests failed until 2100 ms after: a node is back']);
  });

  it('reports unknown outcomes of requests started before the promotion', () => {
    const responses = [...calm, send(1_500, 503), unknown(1_600, 10, 'the outcome is unknown')];
    expect(judgeFailover(measure(responses, incidents))).toHaveLength(1);
  });
});
