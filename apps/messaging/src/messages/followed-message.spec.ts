import { type FollowedRow, toFollowedMessage } from './followed-message';

const createdAt = new Date('2026-03-02T10:15:00.400Z');
const row: FollowedRow = {
  id: 'msg_01jd0000000000000000000000',
  accountId: 'acc_01jd0000000000000000000000',
  upstreamId: 'wamid.OUT',
  direction: 'outbound',
  origin: 'api',
  numberId: 'num_01jd0000000000000000000000',
  sender: '15550783881',
  recipient: '919812345678',
  type: 'template',
  templateName: 'order_update',
  templateLanguage: 'en',
  state: 'failed',
  error: { code: 131047, title: 'Words', message: 'Quoted words', category: 'window', retriable: false },
  heldReason: null,
  jobId: null,
  clientRef: null,
  sendAttempts: 1,
  sendTrace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  createdAt,
  received: null,
  accepted: new Date('2026-03-02T10:15:00.580Z'),
  sent: null,
  delivered: null,
  read: null,
  failed: new Date('2026-03-02T10:15:01.000Z'),
  edited: null,
  deleted: null,
};

describe('toFollowedMessage', () => {
  it('masks phone numbers and omits quoted text', () => {
    const shown = JSON.stringify(toFollowedMessage(row));
    expect(shown).toContain('"from":"…3881","to":"…5678"');
    expect(shown).not.toMatch(/words/i);
    expect(shown).not.toContain('98123');
  });

  it('shows the time and latency of each status', () => {
    expect(toFollowedMessage(row).statuses).toEqual([
      { status: 'accepted', at: '2026-03-02T10:15:00.580Z', afterMs: 180 },
      { status: 'failed', at: '2026-03-02T10:15:01.000Z', afterMs: 600 },
    ]);
  });

  it('orders statuses by time, then by progress', () => {
    const at = new Date('2026-03-02T10:15:02.000Z');
    const { statuses } = toFollowedMessage({ ...row, failed: null, delivered: at, sent: at });
    expect(statuses.map(({ status }) => status)).toEqual(['accepted', 'sent', 'delivered']);
  });

  it('contains the trace of the send', () => {
    expect(toFollowedMessage(row).traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(toFollowedMessage({ ...row, sendTrace: null }).traceId).toBeNull();
  });
});
