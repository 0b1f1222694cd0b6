import { GraphApiError, TemplateDefinition, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { eventually } from '@switchboard/testing';
import { MEDIA_SAMPLES } from '../../src/media/samples';
import {
  ACCESS_TOKEN,
  APP_SECRET,
  CUSTOMER,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
  WABA_ID,
} from '../start-simulator';
import { wrongRefusal } from './taken';

const phoneNumberId = PHONE_NUMBER_ID;
const to = `+${CUSTOMER}`;
const link = 'https://example.com/file';

let simulator: StartedSimulator;
let client: WhatsAppClient;
let inboundId: string;
let mediaId: string;

/**
 * Parses in this context, because the SDK checks the prototype of parsed values and Jest's context has its own Object.
 */
const parsedHere: typeof fetch = async (...call) => {
  const response = await fetch(...call);
  return Object.assign(response, { json: async () => JSON.parse(await response.text()) as unknown });
};

beforeAll(async () => {
  simulator = await startSimulator();
  client = new WhatsAppClient({
    baseUrl: simulator.url,
    accessToken: ACCESS_TOKEN,
    graphVersion: 'v24.0',
    fetch: parsedHere,
  });
  ({ messageId: inboundId } = await simulator.control<{ messageId: string }>('inbound', {
    from: CUSTOMER,
    text: 'Hi',
  }));
  ({ id: mediaId } = await client.media.upload({
    phoneNumberId,
    type: 'image/jpeg',
    file: new Blob([MEDIA_SAMPLES.image!.bytes], { type: 'image/jpeg' }),
    fileName: 'receipt.jpg',
  }));
});
afterAll(() => simulator.close());

type Sent = Promise<{ messages: { id: string }[] }>;
const header = { type: 'text', text: 'Head' } as const;
const common = { phoneNumberId, to, bodyText: 'Choose', footerText: 'Foot' };

/** Bodies that both upstream and the simulator accept. */
const SENDS: [string, () => Sent][] = [
  ['text', () => client.messages.sendText({ phoneNumberId, to, body: 'Hello https://example.com', previewUrl: true })],
  [
    'text',
    () =>
      client.messages.sendText({
        phoneNumberId,
        to,
        body: 'Yes',
        contextMessageId: inboundId,
        bizOpaqueCallbackData: 'mine',
      }),
  ],
  ['image', () => client.messages.sendImage({ phoneNumberId, to, image: { id: mediaId, caption: 'Receipt' } })],
  ['image', () => client.messages.sendImage({ phoneNumberId, to, image: { link } })],
  [
    'document',
    () => client.messages.sendDocument({ phoneNumberId, to, document: { link, filename: 'a.pdf', caption: 'A' } }),
  ],
  ['video', () => client.messages.sendVideo({ phoneNumberId, to, video: { link, caption: 'Clip' } })],
  ['audio', () => client.messages.sendAudio({ phoneNumberId, to, audio: { link, voice: true } })],
  [
    'template',
    () =>
      client.messages.sendTemplate({
        phoneNumberId,
        to,
        template: { name: 'hello_world', language: { code: 'en_US' } },
      }),
  ],
  [
    'text',
    () =>
      client.messages.sendRaw({
        phoneNumberId,
        payload: { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Raw' } },
      }),
  ],
];

/** Bodies that upstream accepts, and that the simulator accepts once it supports the type. */
const FURTHER_SENDS: [string, () => Sent][] = [
  ['sticker', () => client.messages.sendSticker({ phoneNumberId, to, sticker: { link } })],
  [
    'location',
    () =>
      client.messages.sendLocation({
        phoneNumberId,
        to,
        location: { latitude: 1.5, longitude: 2.5, name: 'Shop', address: '1 Main St' },
      }),
  ],
  [
    'contacts',
    () =>
      client.messages.sendContacts({
        phoneNumberId,
        to,
        contacts: [
          { name: { formattedName: 'Bo Li', firstName: 'Bo' }, phones: [{ phone: '+15550003333', type: 'WORK' }] },
        ],
      }),
  ],
  [
    'reaction',
    () => client.messages.sendReaction({ phoneNumberId, to, reaction: { messageId: inboundId, emoji: '👍' } }),
  ],
  [
    'reply buttons',
    () => client.messages.sendInteractiveButtons({ ...common, header, buttons: [{ id: 'yes', title: 'Yes' }] }),
  ],
  [
    'list',
    () =>
      client.messages.sendInteractiveList({
        ...common,
        header,
        buttonText: 'Open',
        sections: [{ title: 'All', rows: [{ id: '1', title: 'One', description: 'First' }] }],
      }),
  ],
  [
    'link button',
    () => client.messages.sendInteractiveCtaUrl({ ...common, header, parameters: { displayText: 'Open', url: link } }),
  ],
  [
    'request for the location',
    () =>
      client.messages.sendInteractiveLocationRequest({
        phoneNumberId,
        to,
        bodyText: 'Where?',
        parameters: { requestMessage: 'Where?' },
      }),
  ],
  [
    'flow',
    () =>
      client.messages.sendInteractiveFlow({
        ...common,
        header,
        parameters: {
          flowId: '123',
          flowCta: 'Open',
          flowToken: 't',
          flowAction: 'navigate',
          flowActionPayload: { screen: 'A' },
        },
      }),
  ],
  [
    'catalog',
    () =>
      client.messages.sendInteractiveCatalogMessage({
        phoneNumberId,
        to,
        bodyText: 'All',
        parameters: { thumbnailProductRetailerId: 'p' },
      }),
  ],
  [
    'product',
    () =>
      client.messages.sendInteractiveProduct({
        phoneNumberId,
        to,
        bodyText: 'One',
        catalogId: '1',
        productRetailerId: 'p',
      }),
  ],
  [
    'products',
    () =>
      client.messages.sendInteractiveProductList({
        ...common,
        header,
        catalogId: '1',
        sections: [{ title: 'All', productItems: [{ productRetailerId: 'p' }] }],
      }),
  ],
];

const FURTHER_CALLS: [string, () => Promise<unknown>][] = [
  ['deregister', () => client.phoneNumbers.deregister({ phoneNumberId })],
  ['register', () => client.phoneNumbers.register({ phoneNumberId, pin: '123456' })],
  ['request a code', () => client.phoneNumbers.requestCode({ phoneNumberId, codeMethod: 'SMS', language: 'en_US' })],
  ['verify a code', () => client.phoneNumbers.verifyCode({ phoneNumberId, code: '123456' })],
  ['read the profile', () => client.phoneNumbers.businessProfile.get({ phoneNumberId })],
  ['change the profile', () => client.phoneNumbers.businessProfile.update({ phoneNumberId, about: 'Shop' })],
  ['read the settings', () => client.phoneNumbers.settings.get({ phoneNumberId })],
];

describe('SDK @kapso/whatsapp-cloud-api', () => {
  it.each(SENDS)('sends %s', async (type, send) => {
    const { messages } = await send();
    const { messages: received } = await simulator.control<{
      messages: { wamid: string; type: string; misrouted: boolean }[];
    }>('messages');
    expect(received.find(({ wamid }) => wamid === messages[0]?.id)).toMatchObject({ type, misrouted: false });
  });

  it.each([...FURTHER_SENDS, ...FURTHER_CALLS])('sends %s without a body error', async (_what, call) => {
    expect(wrongRefusal(await problemOf(call()))).toBeUndefined();
  });

  it('marks a message as read, with a typing indicator', async () => {
    expect(await client.messages.markRead({ phoneNumberId, messageId: inboundId })).toEqual({ success: true });
    const typing = { phoneNumberId, messageId: inboundId, typingIndicator: { type: 'text' } } as const;
    expect(await client.messages.markRead(typing)).toEqual({ success: true });
  });

  it('uploads, reads, downloads and deletes a file', async () => {
    const { id } = await client.media.upload({
      phoneNumberId,
      type: 'image/jpeg',
      file: new Blob([MEDIA_SAMPLES.image!.bytes], { type: 'image/jpeg' }),
    });
    expect(await client.media.get({ mediaId: id, phoneNumberId })).toMatchObject({ mimeType: 'image/jpeg', id });
    const bytes = await client.media.download({ mediaId: id, auth: 'always' });
    expect(Buffer.from(bytes as ArrayBuffer)).toEqual(MEDIA_SAMPLES.image!.bytes);
    expect(await client.media.delete({ mediaId: id })).toEqual({ success: true });
    expect(await problemOf(client.media.get({ mediaId: id }))).toContain('does not exist');
  });

  it('creates, lists and deletes a template', async () => {
    const definition = TemplateDefinition.buildTemplateDefinition({
      name: 'kapso_order',
      language: 'en_US',
      category: 'UTILITY',
      parameterFormat: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Thank you, {{customer}}! Your order ships today.',
          example: { bodyTextNamedParams: [{ paramName: 'customer', example: 'Ana' }] },
        },
      ],
    });
    expect(await client.templates.create({ businessAccountId: WABA_ID, ...definition })).toMatchObject({
      status: 'PENDING',
    });
    const list = (query: object) => client.templates.list({ businessAccountId: WABA_ID, ...query });
    expect((await list({ name: 'kapso_order' })).data).toMatchObject([{ name: 'kapso_order', category: 'UTILITY' }]);
    const first = await list({ limit: 1, status: 'APPROVED' });
    expect((await list({ limit: 1, status: 'APPROVED', after: first.paging.cursors?.after })).data).toHaveLength(1);
    expect(await client.templates.delete({ businessAccountId: WABA_ID, name: 'kapso_order' })).toEqual({
      success: true,
    });
    expect((await list({ name: 'kapso_order' })).data).toEqual([]);
  });

  it('parses an error response', async () => {
    const refused = client.messages.sendText({ phoneNumberId, to: '+15005550129', body: 'x' });
    await expect(refused).rejects.toMatchObject({ code: 130429, category: 'throttling' });
  });

  it('verifies the signature and parses the messages and statuses of callbacks', async () => {
    const { messages } = await client.messages.sendText({ phoneNumberId, to, body: 'Followed' });
    const { messageId } = await simulator.control<{ messageId: string }>('inbound', { from: CUSTOMER, text: 'Back' });
    await eventually(() => {
      const seen = simulator.receiver.received
        .filter(({ method }) => method === 'POST')
        .map(({ body, headers }) => {
          const signatureHeader = String(headers['x-hub-signature-256']);
          expect(verifySignature({ appSecret: APP_SECRET, rawBody: body, signatureHeader })).toBe(true);
          expect(verifySignature({ appSecret: 'another', rawBody: body, signatureHeader })).toBe(false);
          return normalizeWebhook(JSON.parse(body.toString()));
        });
      const statuses = seen.flatMap((one) => one.statuses).filter(({ id }) => id === messages[0]?.id);
      expect(statuses.map(({ status }) => status)).toEqual(['sent', 'delivered', 'read']);
      expect(seen.flatMap((one) => one.messages)).toContainEqual(
        expect.objectContaining({ id: messageId, text: { body: 'Back' } }),
      );
      expect(seen[0]?.phoneNumberId).toBe(PHONE_NUMBER_ID);
    });
  });
});

async function problemOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof GraphApiError) return error.message;
    throw error;
  }
}
