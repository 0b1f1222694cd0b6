import { createHmac } from 'node:crypto';
import vectors from '../test/vectors.json';
import type { Schemas } from './types';
import { verifyWebhook, WebhookVerificationError } from './webhooks';

const { now, cases } = vectors.webhooks;
const NOW = new Date(now * 1000);
const [SECRET = ''] = cases[0]?.secrets ?? [];
const BODY = cases[0]?.body ?? '';
const SIGNED = `sha256=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`;

/** Shares its test vectors with the Python client. */
describe('verifyWebhook', () => {
  const verify = ({ body, headers, secrets, ...options }: Omit<(typeof cases)[number], 'title' | 'error'>) =>
    verifyWebhook(body, headers as Record<string, string>, secrets, { now: NOW, ...options });

  it.each(cases.filter(({ error }) => error === undefined))('accepts $title', ({ title: _title, ...given }) => {
    expect(verify(given)).toEqual(JSON.parse(given.body));
  });

  it.each(cases.filter(({ error }) => error !== undefined))('rejects $title', ({ title: _title, error, ...given }) => {
    const isOurs = error !== 'the webhook secret is missing';
    expect(() => verify(given)).toThrow(isOurs ? WebhookVerificationError : TypeError);
    expect(() => verify(given)).toThrow(error);
  });

  it('reads the headers of Node, Express and fetch', () => {
    for (const headers of [{ 'x-service-signature': [SIGNED] }, new Headers({ 'x-service-signature': SIGNED })])
      expect(verifyWebhook(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
  });

  it('returns a typed event', () => {
    const event = verifyWebhook(BODY, { 'x-service-signature': SIGNED }, SECRET);
    expect(event.event === 'message_status' && event.status).toBe('delivered');
  });

  it.each([
    [{ type: 'interactive', interactive: { type: 'button_reply', buttonReply: { id: 'b1', title: 'Yes' } } }, 'b1'],
    [
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfmReply: { responseJson: '{"a":1}', response: { a: 1 } } },
      },
      '{"a":1} with a',
    ],
    [
      { type: 'interactive', interactive: { type: 'nfm_reply', nfmReply: { responseJson: 'x', response: null } } },
      'x with nothing',
    ],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'call_permission_reply',
          callPermissionReply: { response: 'accept', expirationTimestamp: 1_790_416_812 },
        },
      },
      'accept until 1790416812',
    ],
    [{ type: 'button', button: { text: 'Stop promotions' } }, 'Stop promotions'],
    [{ type: 'reaction', reaction: { messageId: 'wamid.1', emoji: '' } }, 'wamid.1 '],
    [{ type: 'location', location: { latitude: 1, longitude: 2 } }, '1,2'],
    [{ type: 'contacts', contacts: [{ phones: [{ waId: '15550003333' }] }] }, '15550003333'],
    [{ type: 'order', order: { catalogId: 'c1', productItems: [{ quantity: 2 }] } }, 'c1: 2'],
    [{ type: 'image', image: { link: 'https://x/v1/media/1' } }, 'https://x/v1/media/1'],
    [{ type: 'text', text: { body: 'Hi' }, referral: { ctwaClid: 'Aff-x' } }, 'Hi, of Aff-x'],
    [{ type: 'unsupported' }, undefined],
  ])('narrows the content of a message by its type (%j)', (message, expected) => {
    const body = JSON.stringify({ event: 'message', ...message });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const event = verifyWebhook(body, { 'x-service-signature': `sha256=${signature}` }, SECRET);
    expect(event.event === 'message' && shown(event)).toBe(expected);
  });

  it('keeps unknown fields of an event', () => {
    const body = JSON.stringify({ ...(JSON.parse(BODY) as object), later: { more: true } });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const event = verifyWebhook(body, { 'x-service-signature': `sha256=${signature}` }, SECRET);
    expect(event).toEqual({ ...(JSON.parse(BODY) as object), later: { more: true } });
  });

  it('narrows the content of an edited message by its type', () => {
    const body = JSON.stringify({ event: 'message_edited', type: 'text', text: { body: 'Hi' } });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const event = verifyWebhook(body, { 'x-service-signature': `sha256=${signature}` }, SECRET);
    expect(event.event === 'message_edited' && event.type === 'text' && event.text.body).toBe('Hi');
  });

  it('verifies the raw bytes of the body', () => {
    const bytes = Buffer.from(`xx${BODY}`).subarray(2);
    expect(verifyWebhook(bytes, { 'x-service-signature': SIGNED }, SECRET)).toMatchObject({ eventId: 'evt_1' });
  });
});

/** Must compile in strict mode: a check of the type narrows the content to the fields of that type. */
function shown(event: Schemas['MessageEvent']): string | undefined {
  switch (event.type) {
    case 'interactive':
      return replied(event.interactive);
    case 'button':
      return event.button.payload ?? event.button.text;
    case 'reaction':
      return `${event.reaction.messageId} ${event.reaction.emoji}`;
    case 'location':
      return [event.location.latitude, event.location.longitude].join();
    case 'contacts':
      return event.contacts[0]?.phones?.[0]?.waId;
    case 'order':
      return `${event.order.catalogId}: ${event.order.productItems.map(({ quantity }) => quantity).join()}`;
    case 'text':
      return `${event.text.body}, of ${event.referral?.ctwaClid}`;
    case 'unsupported':
      return event.unsupported?.type;
    case 'image':
      return event.image.link;
    default:
      return undefined;
  }
}

function replied({
  buttonReply,
  listReply,
  nfmReply,
  callPermissionReply,
}: Schemas['InteractiveReply']): string | undefined {
  if (nfmReply) return `${nfmReply.responseJson} with ${Object.keys(nfmReply.response ?? { nothing: true }).join()}`;
  if (callPermissionReply) return `${callPermissionReply.response} until ${callPermissionReply.expirationTimestamp}`;
  return buttonReply?.id ?? listReply?.id;
}
