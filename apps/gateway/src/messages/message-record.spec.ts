import { listMessagesV1, type MessageRecord } from '@switchboard/contracts';
import { messageItem } from './message-record';

const [record] = listMessagesV1.sample.response.messages as [MessageRecord];

describe('a message as it is listed', () => {
  it('has exactly the documented fields, in their order', () => {
    expect(JSON.stringify(messageItem(record))).toBe(
      JSON.stringify({
        id: record.id,
        message_id: record.upstreamId,
        messageId: record.upstreamId,
        direction: 'outbound',
        from: '15550783881',
        to: '919812345678',
        name: null,
        type: 'text',
        text: { body: 'Your order has shipped' },
        caption: null,
        status: 'delivered',
        error: null,
        jobId: null,
        clientRef: 'order-7781',
        timestamp: record.timestamp,
        createdAt: record.createdAt,
        sentAt: record.sentAt,
        deliveredAt: record.deliveredAt,
        readAt: null,
        failedAt: null,
      }),
    );
  });

  it.each(['id', 'status', '__proto__', 'constructor'])('keeps its own fields when the upstream type is called %s', (type) => {
    const item = messageItem({ ...record, type, content: { body: 'x' } });
    expect(item).toMatchObject({ id: record.id, status: 'delivered' });
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
  });
});
