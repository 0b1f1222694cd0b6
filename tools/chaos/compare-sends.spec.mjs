import { compareSends } from './compare-sends.mjs';

const answer = (n, fields = {}) => ({ n, status: 200, id: `msg_${n}`, upstreamId: `wamid.${n}`, ...fields });
const row = (n, fields = {}) => ({
  id: `msg_${n}`,
  client_ref: `fault-${n}`,
  state: 'read',
  upstream_id: `wamid.${n}`,
  send_attempts: 1,
  ...fields,
});
const taken = (n, fields = {}) => ({ opaque: `msg_${n}`, wamid: `wamid.${n}`, status: 'read', ...fields });

describe('compareSends', () => {
  it('reports nothing when all three sources agree', () => {
    const facts = {
      answers: [answer(1), { n: 2, status: 504 }],
      rows: [row(1), row(2, { send_attempts: 2 })],
      taken: [taken(1), taken(2)],
    };
    expect(compareSends(facts)).toEqual({
      accepted: 1,
      answeredOtherwise: 1,
      settled: 1,
      resent: 1,
      lost: [],
      doubled: [],
      unexpected: [],
      untrue: [],
    });
  });

  it('tolerates lost callbacks and a gateway that died before responding', () => {
    const facts = {
      answers: [answer(1), { n: 2, status: 0 }],
      rows: [row(1, { state: 'sent' }), row(2)],
      taken: [taken(1), taken(2)],
    };
    expect(compareSends(facts)).toMatchObject({ lost: [], doubled: [], unexpected: [] });
  });

  it('accepts a definite error that had no effect', () => {
    const facts = {
      answers: [
        { n: 1, status: 503 },
        { n: 2, status: 502 },
      ],
      rows: [row(2, { state: 'failed', upstream_id: null })],
      taken: [],
    };
    expect(compareSends(facts)).toMatchObject({ answeredOtherwise: 2, unexpected: [] });
  });

  it('reports an accepted message that was never sent or stored', () => {
    const facts = { answers: [answer(1), answer(2)], rows: [row(1)], taken: [taken(2)] };
    expect(compareSends(facts).lost).toEqual(['msg_1', 'msg_2']);
  });

  it('reports a message that upstream accepted twice', () => {
    const facts = { answers: [answer(1)], rows: [row(1)], taken: [taken(1), taken(1, { wamid: 'wamid.again' })] };
    expect(compareSends(facts).doubled).toEqual(['msg_1']);
  });

  it.each([
    ['an internal error', { answers: [{ n: 1, status: 500 }], rows: [], taken: [] }],
    ['an unexplained 400', { answers: [{ n: 1, status: 400 }], rows: [], taken: [] }],
    ['a 503 that had an effect', { answers: [{ n: 1, status: 503 }], rows: [row(1)], taken: [taken(1)] }],
    ['a 503 that left a row', { answers: [{ n: 1, status: 503 }], rows: [row(1, { state: 'failed' })], taken: [] }],
    ['a 502 that had an effect', { answers: [{ n: 1, status: 502 }], rows: [row(1)], taken: [taken(1)] }],
    [
      'a row that is ahead of upstream',
      { answers: [answer(1)], rows: [row(1)], taken: [taken(1, { status: 'sent' })] },
    ],
    ['a row that was never settled', { answers: [], rows: [row(1, { state: 'unknown' })], taken: [] }],
    ['a failed row that upstream accepted', { answers: [], rows: [row(1, { state: 'failed' })], taken: [taken(1)] }],
    ['an upstream send without a row', { answers: [], rows: [], taken: [taken(1)] }],
    [
      'a response with a wrong upstream id',
      { answers: [answer(1, { upstreamId: 'wamid.x' })], rows: [row(1)], taken: [taken(1)] },
    ],
    [
      'two messages for one request',
      { answers: [answer(1)], rows: [row(1), row(2, { client_ref: 'fault-1' })], taken: [taken(1), taken(2)] },
    ],
  ])('reports %s', (_what, facts) => {
    expect(compareSends(facts).unexpected).toHaveLength(1);
  });
});
