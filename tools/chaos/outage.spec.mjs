import { judgeOutage, unknownDuring } from './outage.mjs';

const at = (startedAt, status, durationMs = 10, kind = 'send') => ({ startedAt, status, durationMs, kind });
const OUTAGE = { from: 1000, returning: 4500, to: 5000 };

describe('judgeOutage', () => {
  it('reports the number and latency of rejected requests', () => {
    const answers = [at(0, 200), at(1000, 503, 1500), at(2000, 503, 3), at(3000, 503, 2500), at(5100, 200)];
    expect(judgeOutage(answers, OUTAGE)).toMatchObject({
      answered: 3,
      refused: 3,
      slowestMs: 2500,
      late: 1,
      unclear: [],
    });
  });

  it('measures recovery by the first send started after the outage', () => {
    const answers = [
      at(4900, 200, 500),
      at(5050, 200, 10, 'read'),
      at(5200, 503),
      at(5300, 200, 400),
      at(5400, 200, 100),
    ];
    expect(judgeOutage(answers, OUTAGE).recoveryMs).toBe(500);
    expect(judgeOutage([at(0, 200)], OUTAGE).recoveryMs).toBe(Infinity);
  });

  it('reports statuses other than success, 503 and 504', () => {
    expect(judgeOutage([at(0, 500), at(2000, 0), at(2000, 504)], OUTAGE).unclear).toEqual([
      'a send was answered 500',
      'a send was answered 0',
    ]);
  });

  it('reports any 200 started and completed during the outage', () => {
    const answers = [
      at(900, 200, 200),
      at(1000, 200, 5),
      at(2000, 200, 2500, 'read'),
      at(4400, 200, 101),
      at(4600, 200),
      at(5000, 200),
    ];
    expect(judgeOutage(answers, OUTAGE)).toMatchObject({
      falselyGood: ['a send was answered 200 5 ms into it', 'a read was answered 200 3500 ms into it'],
      goodOnReturn: 2,
      answered: 4,
      refused: 0,
    });
  });

  it('accepts a 504, but reports one started during the outage', () => {
    const answers = [at(900, 504, 300), at(1200, 504), at(4400, 504, 101), at(2000, 503)];
    expect(judgeOutage(answers, OUTAGE).unclear).toEqual([]);
    expect(unknownDuring(answers, OUTAGE)).toEqual(['a send that began 200 ms into it was answered 504']);
  });
});
