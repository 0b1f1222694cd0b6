import { idOf } from '@switchboard/contracts';
import { type CountedOutcome, usageOf } from './count-usage';

const outcome = (more: Partial<CountedOutcome> = {}): CountedOutcome => ({
  id: idOf('msg', Date.parse('2026-10-31T23:59:59.999Z'), Buffer.alloc(16)),
  accountId: 'acc_1',
  recipient: '919812345678',
  jobId: null,
  template: null,
  pricing: { category: 'service', billable: true, type: 'regular', model: 'PMP' },
  wasPriced: false,
  before: 'accepted',
  after: 'delivered',
  ...more,
});
const row = {
  accountId: 'acc_1',
  day: '2026-10-31',
  category: 'service',
  type: 'regular',
  billable: 'true',
  country: 'IN',
  template: '',
  jobId: '',
};

describe('usageOf', () => {
  it('counts equal messages together', () => {
    const others = { template: 'order_update', jobId: 'job_1' };
    expect(usageOf([outcome(), outcome({ after: 'read' }), outcome(others)])).toEqual([
      { ...row, delivered: '2' },
      { ...row, ...others, delivered: '1' },
    ]);
  });

  it.each<[string, Partial<CountedOutcome>, number]>([
    ['is delivered with its first pricing', { before: 'accepted', after: 'delivered' }, 1],
    ['is delivered after its pricing', { before: 'sent', after: 'delivered', wasPriced: true }, 1],
    ['gets its pricing after its delivery', { before: 'delivered', after: 'read', wasPriced: false }, 1],
    ['is read after its delivery', { before: 'delivered', after: 'read', wasPriced: true }, 0],
    ['is sent only', { before: 'accepted', after: 'sent' }, 0],
    ['fails', { before: 'sent', after: 'failed', wasPriced: true }, 0],
    ['has no pricing', { pricing: null }, 0],
  ])('decides whether to count a message that %s', (_what, more, count) => {
    expect(usageOf([outcome(more)])).toHaveLength(count);
  });

  it('uses empty strings for unknown values', () => {
    const pricing = { category: null, billable: null, type: 'regular', model: null };
    expect(usageOf([outcome({ pricing, recipient: '99999999' })])).toEqual([
      { ...row, category: '', billable: '', country: '', delivered: '1' },
    ]);
  });
});
