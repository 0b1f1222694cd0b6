import { labelsOf, listMessagesV1, type MessageRecord } from '@switchboard/contracts';
import { messageItem } from './message-record';

const BASE_URL = 'https://api.example.com';
const [record] = listMessagesV1.sample.response.messages as [MessageRecord];

describe('message in a list', () => {
  it('has exactly the documented fields', () => {
    expect(messageItem(record, BASE_URL)).toStrictEqual({
      id: record.id,
      message_id: record.upstreamId,
      messageId: record.upstreamId,
      direction: 'outbound',
      from: '15550783881',
      userId: null,
      username: null,
      to: '919812345678',
      name: null,
      type: 'text',
      text: { body: 'Your order has shipped' },
      caption: null,
      status: 'delivered',
      error: null,
      pricing: { category: 'service', billable: false, type: 'free_customer_service', model: 'PMP' },
      held: false,
      jobId: null,
      ...labelsOf(record),
      timestamp: record.timestamp,
      createdAt: record.createdAt,
      sentAt: record.sentAt,
      deliveredAt: record.deliveredAt,
      readAt: null,
      failedAt: null,
      origin: 'api',
      parentUserId: null,
    });
  });

  it('omits fields added by a later version of messaging', () => {
    expect(messageItem({ ...record, internalNote: 'x' } as MessageRecord, BASE_URL)).not.toHaveProperty('internalNote');
  });

  it('has the fields of the event for a phone app message', () => {
    const image = { ...record, type: 'image', content: { id: 'med_1', mime_type: 'image/jpeg' } };
    for (const origin of ['business_app', 'history'] as const)
      expect(messageItem({ ...image, origin }, BASE_URL)).toMatchObject({
        origin,
        direction: 'outbound',
        type: 'image',
        image: { id: 'med_1', link: `${BASE_URL}/v1/media/med_1`, mimeType: 'image/jpeg' },
      });
    expect(messageItem({ ...image, origin: 'history', direction: 'inbound' }, BASE_URL)).toMatchObject({
      origin: 'history',
      direction: 'inbound',
      image: { id: 'med_1', link: `${BASE_URL}/v1/media/med_1`, mimeType: 'image/jpeg' },
    });
    for (const direction of ['inbound', 'outbound'] as const) {
      const placeholder = { ...image, direction, type: 'media_placeholder', origin: 'history' as const };
      const { type, unsupported } = messageItem(placeholder, BASE_URL);
      expect({ type, unsupported }).toEqual({ type: 'unsupported', unsupported: { type: 'media_placeholder' } });
    }
  });

  it('has the fields of the event for an inbound message', () => {
    const inbound = {
      ...record,
      direction: 'inbound' as const,
      type: 'image',
      content: { id: 'med_1', mime_type: 'image/jpeg' },
    };
    expect(messageItem(inbound, BASE_URL)).toMatchObject({
      type: 'image',
      image: { id: 'med_1', link: `${BASE_URL}/v1/media/med_1`, mimeType: 'image/jpeg' },
    });
    const unknown = messageItem({ ...inbound, type: 'system', content: { body: 'x' } }, BASE_URL);
    expect(unknown).toMatchObject({ type: 'unsupported', unsupported: { type: 'system' } });
    expect(unknown).not.toHaveProperty('errors');
    expect(Object.keys(unknown)).not.toContain('system');
  });

  it('has the referral of the event, or omits the field', () => {
    const referral = {
      source_url: 'https://fb.me/x',
      source_id: '1202',
      ctwa_clid: 'Aff-x',
      welcome_message: { text: 'Hi' },
    };
    const inbound = { ...record, direction: 'inbound' as const };
    expect(messageItem({ ...inbound, referral }, BASE_URL).referral).toEqual({
      sourceUrl: 'https://fb.me/x',
      sourceId: '1202',
      ctwaClid: 'Aff-x',
      welcomeMessage: { text: 'Hi' },
    });
    expect(messageItem({ ...inbound, referral: null }, BASE_URL)).not.toHaveProperty('referral');
  });

  it('has the upstream errors of an unsupported message', () => {
    const errors = [{ code: 131052, title: 'Media download error', error_data: { details: 'too large' } }];
    const item = messageItem({ ...record, direction: 'inbound', type: 'unsupported', content: null, errors }, BASE_URL);
    expect(item.errors).toEqual([{ code: 131052, title: 'Media download error', details: 'too large' }]);
    expect(item).not.toHaveProperty('unsupported');
  });

  it('has a complete error even if stored without a reason', () => {
    const error = {
      code: 131047,
      title: 'Re-engagement message',
      message: 'too late',
      category: 'window' as const,
      retriable: false,
    };
    expect(messageItem({ ...record, status: 'failed', error }, BASE_URL)['error']).toEqual({
      reason: 'WINDOW_CLOSED',
      ...error,
    });
  });

  it.each(['id', 'status', '__proto__', 'constructor'])('keeps its own fields if the upstream type is %s', (type) => {
    const item = messageItem({ ...record, type, content: { body: 'x' } }, BASE_URL);
    expect(item).toMatchObject({ id: record.id, status: 'delivered' });
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
  });
});
