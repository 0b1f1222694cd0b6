import { judgeOutage } from './outage.mjs';

const at = (startedAt, status, durationMs = 10, kind = 'send') => ({ startedAt, status, durationMs, kind });
const OUTAGE = { from: 1000, to: 5000 };

describe('judging an outage', () => {
  it('counts what was refused, and how slowly', () => {
    const answers = [at(0, 200), at(1000, 503, 1500), at(2000, 503, 3), at(3000, 503, 2500), at(5100, 200)];
    expect(judgeOutage(answers, OUTAGE)).toMatchObject({ answered: 3, refused: 3, slowestMs: 2500, late: 1, unclear: [] });
  });

  it('takes the first good send after it as the recovery, not a read, nor one that began before', () => {
    const answers = [at(4900, 200, 500), at(5050, 200, 10, 'read'), at(5200, 503), at(5300, 200, 400), at(5400, 200, 100)];
    expect(judgeOutage(answers, OUTAGE).recoveryMs).toBe(500);
    expect(judgeOutage([at(0, 200)], OUTAGE).recoveryMs).toBe(Infinity);
  });

  it('names answers that are neither success nor clear', () => {
    expect(judgeOutage([at(0, 500), at(2000, 0), at(2000, 504)], OUTAGE).unclear).toEqual(['a send was answered 500', 'a send was answered 0']);
  });
});
