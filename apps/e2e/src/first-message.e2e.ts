import { createHmac } from 'node:crypto';
import { type Schemas, type WebhookEvent, verifyWebhook } from '@switchboard/client';
import {
  acceptingChallenge,
  eventually,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '@switchboard/testing';
import { api } from './support/api';
import { eventProblems } from './support/described';
import { demo, ops } from './support/installation';
import { contactWithOpenWindow, freshPhone, receivedUpstream, writeIn } from './support/simulator';

const WAMID = /^wamid\./;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a message end to end', () => {
  let receiver: Receiver;
  let secret: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith(acceptingChallenge('my-token'));
    const set = await ops(
      'webhooks',
      'set',
      '--account',
      demo.accountId,
      '--url',
      `${receiver.url}/hook`,
      '--verify-token',
      'my-token',
    );
    expect(set).toMatchObject({ exitCode: 0, json: { secret: expect.any(String) } });
    secret = String(set.json['secret']);
  });
  afterAll(() => receiver.close());

  const events = () =>
    receiver.received
      .filter(({ method }) => method === 'POST')
      .map((request) => ({ request, event: JSON.parse(request.body.toString()) }));
  /** Verifies a request as a customer would. Throws when its signature is invalid. */
  const verified = ({ body, headers }: ReceivedRequest): WebhookEvent => verifyWebhook(body, headers, secret);
  const eventsOf = (messageId: unknown) => events().filter(({ event }) => event.messageId === messageId);
  const signatureOf = ({ body }: ReceivedRequest) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  it('sends the verification challenge of spec §11.1.2', () => {
    const query = new URL(receiver.received[0]?.path ?? '', receiver.url).searchParams;
    expect(receiver.received[0]?.method).toBe('GET');
    expect(Object.fromEntries(query)).toEqual({
      'hub.mode': 'subscribe',
      'hub.verify_token': 'my-token',
      'hub.challenge': expect.any(String),
    });
  });

  it('stores a text and reports its statuses by signed webhooks in order', async () => {
    const to = await contactWithOpenWindow();
    const sent = await api.sendMessage({
      to,
      type: 'text',
      text: { body: 'Your order has shipped – ünïcödé ✓' },
      clientRef: 'order-7781',
    });
    expect(sent).toMatchObject({ success: true, status: 'accepted', message_id: expect.stringMatching(WAMID) });
    const messageId = sent.message_id;

    await eventually(
      () =>
        expect(eventsOf(messageId).map(({ event }) => event.status)).toEqual(
          expect.arrayContaining(['sent', 'delivered', 'read']),
        ),
      {
        timeoutMs: 60_000,
      },
    );
    expect(eventsOf(messageId)).toHaveLength(3);
    for (const { request, event } of eventsOf(messageId)) {
      expect(request.headers['x-service-signature']).toBe(signatureOf(request));
      expect(verified(request)).toEqual(event);
      expect(await eventProblems(event)).toBe('');
      expect(request.headers['x-service-event-id']).toBe(event.eventId);
      expect(event).toMatchObject({
        event: 'message_status',
        to,
        clientRef: 'order-7781',
        timestamp: expect.stringMatching(UTC),
        eventId: expect.stringMatching(/^evt_/),
      });
    }

    expect(await api.listMessages({ phone: to, direction: 'outbound' })).toMatchObject({
      success: true,
      messages: [
        {
          message_id: messageId,
          messageId,
          direction: 'outbound',
          from: demo.phoneNumber,
          to,
          type: 'text',
          text: { body: 'Your order has shipped – ünïcödé ✓' },
          status: 'read',
          error: null,
          pricing: { category: 'service', billable: false, type: 'free_customer_service', model: 'PMP' },
          clientRef: 'order-7781',
          sentAt: expect.stringMatching(UTC),
          deliveredAt: expect.stringMatching(UTC),
          readAt: expect.stringMatching(UTC),
        },
      ],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false },
    });
    expect(await receivedUpstream(to)).toMatchObject([{ wamid: messageId, count: 1 }]);
  });

  it('delivers a template to a contact with a closed window', async () => {
    const to = freshPhone();
    const components: Schemas['TemplateContent']['components'] = [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'A-17' },
          { type: 'text', text: 'Monday' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
    ];
    const sent = await api.sendMessage({
      to,
      type: 'template',
      template: { name: 'order_update', language: { code: 'en_US' }, components },
    });
    expect(sent).toMatchObject({ success: true, status: 'accepted', message_id: expect.stringMatching(WAMID) });
    await eventually(() => expect(eventsOf(sent.message_id).map(({ event }) => event.status)).toContain('delivered'), {
      timeoutMs: 60_000,
    });
  });

  it('announces an inbound message by a signed webhook', async () => {
    const from = freshPhone();
    const messageId = await writeIn(from, 'Where is my order?', { name: 'Asha R' });
    await eventually(() => expect(eventsOf(messageId)).toHaveLength(1));
    const [{ request, event } = { request: undefined, event: undefined }] = eventsOf(messageId);
    expect(event).toMatchObject({
      event: 'message',
      from,
      name: 'Asha R',
      messageId,
      type: 'text',
      text: { body: 'Where is my order?' },
      to: demo.phoneNumber,
    });
    expect(Object.keys(event).slice(0, 7)).toEqual(['event', 'from', 'name', 'messageId', 'type', 'text', 'timestamp']);
    expect(request && request.headers['x-service-signature']).toBe(request && signatureOf(request));
    expect(await eventProblems(event)).toBe('');
  });

  it('retries a rejected event after 5 seconds with the same bytes', async () => {
    const from = freshPhone();
    let refused = 0;
    receiver.respondWith((request, response) => {
      const first = request.method === 'POST' && request.body.includes(from) && refused === 0;
      if (first) refused += 1;
      response.writeHead(first ? 500 : 200).end();
    });
    const messageId = await writeIn(from, 'again please');
    await eventually(() => expect(eventsOf(messageId)).toHaveLength(2));
    const [first, second] = eventsOf(messageId).map(({ request }) => request);
    if (!first || !second) throw new Error('two attempts were expected');
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-service-signature']).toBe(first.headers['x-service-signature']);
    expect([first, second].map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    expect(second.receivedAt - first.receivedAt).toBeGreaterThanOrEqual(5_000);
    expect(second.receivedAt - first.receivedAt).toBeLessThanOrEqual(5_000 * 1.1 + 1_000);
  });
});
