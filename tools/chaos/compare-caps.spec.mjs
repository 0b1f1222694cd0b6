// @ts-check
import { compareCaps } from './compare-caps.mjs';

const PRICE = 14;
const sound = {
  taken: [
    { opaque: 'a', status: 'read' },
    { opaque: 'b', status: 'failed' },
    { opaque: 'c', status: 'sent' },
  ],
  rows: [
    { id: 'a', state: 'read', job_id: 'job' },
    { id: 'b', state: 'failed', job_id: 'job' },
    { id: 'c', state: 'sent', job_id: null },
  ],
  reserved: [{ id: 'c' }],
  totals: [
    { job_id: '', reserved: PRICE, settled: PRICE },
    { job_id: 'job', reserved: 0, settled: PRICE },
  ],
  notices: [{ percent: '80' }, { percent: '100' }],
  recipients: [{ job_id: 'job', status: 'read', count: 1 }],
  cap: 2 * PRICE,
  jobCaps: new Map([['job', PRICE]]),
  price: PRICE,
};

describe('compareCaps', () => {
  it('accepts charges within the caps', () => {
    expect(compareCaps(sound)).toMatchObject({ charged: 2 * PRICE, settled: PRICE, inFlight: 1, unexpected: [] });
  });

  it.each([
    ['charges above the cap of the account', { cap: PRICE }, '28 was charged, the cap is 14'],
    ['charges above the cap of a job', { jobCaps: new Map([['job', 0]]) }, 'job was charged 14, its cap is 0'],
    ['a lost reservation', { reserved: [] }, '14 is reserved for 0 messages'],
    ['a reservation of a failed message', { reserved: [{ id: 'b' }] }, 'b is reserved and failed'],
    [
      'a repeated notice',
      { notices: [{ percent: '80' }, { percent: '80' }] },
      'the notice of 80 % was sent more than once',
    ],
    [
      'a charge that was not counted',
      { totals: [{ job_id: '', reserved: PRICE, settled: 0 }] },
      '28 was charged, only 0 + 14 counted',
    ],
    [
      'a lost recipient',
      { recipients: [{ job_id: 'job', status: 'released', count: 2 }] },
      '2 recipients of job are released',
    ],
  ])('reports %s', (_what, more, fault) => {
    expect(compareCaps({ ...sound, ...more }).unexpected).toContain(fault);
  });
});
