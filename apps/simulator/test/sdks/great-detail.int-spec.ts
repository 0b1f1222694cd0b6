import Client from '@great-detail/whatsapp';
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

const phoneNumberID = PHONE_NUMBER_ID;
const to = `+${CUSTOMER}`;
const link = 'https://example.com/file';

let simulator: StartedSimulator;
let client: Client;
let inboundId: string;
const request = { headers: { authorization: `Bearer ${ACCESS_TOKEN}` }, retry: 0 };

beforeAll(async () => {
  simulator = await startSimulator();
  client = new Client({ prefixUrl: simulator.url, graphVersion: 'v24.0', request });
  ({ messageId: inboundId } = await simulator.control<{ messageId: string }>('inbound', {
    from: CUSTOMER,
    text: 'Hi',
  }));
});
afterAll(() => simulator.close());

/** Bodies that both upstream and the simulator accept. */
const SENDS: [string, object][] = [
  ['text', { body: 'Hello', preview_url: true }],
  ['image', { link, caption: 'Receipt' }],
  ['document', { link, caption: 'The form', filename: 'form.pdf' }],
  ['video', { link, caption: 'Clip' }],
  ['audio', { link }],
  ['template', { name: 'hello_world', language: { code: 'en_US' } }],
];

/** Bodies that upstream accepts, and that the simulator accepts once it supports the type. */
const FURTHER_SENDS: [string, object][] = [
  ['sticker', { link }],
  ['location', { latitude: 1.5, longitude: 2.5, name: 'Shop', address: '1 Main St' }],
  ['contacts', [{ name: { formatted_name: 'Bo Li', first_name: 'Bo' }, phones: [{ phone: '+15550003333' }] }]],
  [
    'interactive',
    {
      type: 'button',
      body: { text: 'Well?' },
      action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
    },
  ],
];

const FURTHER_CALLS: [string, () => Promise<unknown>][] = [
  ['read the profile', async () => client.businessProfile.getBusinessProfile({ phoneNumberID, fields: ['about'] })],
  ['change the profile', async () => client.businessProfile.updateBusinessProfile({ phoneNumberID, about: 'Shop' })],
  [
    'change the name of a number',
    async () => client.phoneNumbers.updatePhoneNumber({ phoneNumberID, new_display_name: 'Shop' }),
  ],
  ['subscribe', async () => client.subscribedApps.createSubscription({ businessAccountID: WABA_ID })],
  ['read the subscriptions', async () => client.subscribedApps.listSubscriptions({ businessAccountID: WABA_ID })],
];

const send = (type: string, content: object) =>
  // The SDK's types expect one kind of content per type, but here both come from a list.
  client.message.createMessage({ phoneNumberID, to, type, [type]: content } as never);

describe('SDK @great-detail/whatsapp', () => {
  it.each(SENDS)('sends %s', async (type, content) => {
    const { messages } = await send(type, content).json();
    const { messages: received } = await simulator.control<{ messages: { wamid: string; type: string }[] }>('messages');
    expect(received.find(({ wamid }) => wamid === messages[0]?.id)).toMatchObject({ type });
  });

  it.each(FURTHER_SENDS)('sends %s without a body error', async (type, content) => {
    expect(wrongRefusal(await problemOf(send(type, content)))).toBeUndefined();
  });
  it.each(FURTHER_CALLS)('calls %s without a body error', async (_what, call) => {
    expect(wrongRefusal(await problemOf(call()))).toBeUndefined();
  });

  it('marks a message as read', async () => {
    const read = client.message.createStatus({ phoneNumberID, status: 'read', message_id: inboundId });
    expect(await read.json()).toEqual({ success: true });
  });

  it('uploads, reads, downloads and deletes a file', async () => {
    const { bytes, mimeType } = MEDIA_SAMPLES['image']!;
    const file = new Blob([new Uint8Array(bytes)], { type: mimeType });
    const uploaded = client.media.upload({ phoneNumberID, file, filename: 'receipt.jpg', mimeType });
    const { id } = await uploaded.json();
    const { url } = await client.media.getURL({ mediaID: id, phoneNumberID }).json();
    const downloaded = await client.media.download({ mediaURL: url, request });
    expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(bytes);
    // The call declares JSON and sends no body.
    expect(await client.media.delete({ mediaID: id }).json()).toEqual({ success: true });
    expect(await problemOf(client.media.getURL({ mediaID: id }))).toContain('does not exist');
  });

  it('reads numbers with nested fields, and the business account', async () => {
    const { data } = await client.phoneNumbers.listPhoneNumbers({ businessAccountID: WABA_ID }).json();
    expect(data).toMatchObject([{ id: phoneNumberID, quality_rating: 'GREEN' }]);
    const fields = ['verified_name', ['throughput', ['level']]] as never;
    expect(await client.phoneNumbers.getPhoneNumber({ phoneNumberID, fields }).json()).toEqual({
      id: phoneNumberID,
      verified_name: 'Switchboard Demo',
      throughput: { level: 'STANDARD' },
    });
    expect(await client.whatsappBusinessAccount.get(WABA_ID).json()).toMatchObject({ id: WABA_ID });
  });

  it('creates, reads, changes, lists and deletes a template', async () => {
    const body = (text: string) => [{ type: 'BODY', text }];
    const created = await client.template
      .create(WABA_ID, {
        name: 'great_order',
        language: 'en_US',
        category: 'UTILITY',
        components: body('It ships today.'),
      } as never)
      .json();
    expect(created).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
    await simulator.control('templates/great_order/status', { language: 'en_US', event: 'REJECTED', reason: 'NONE' });
    expect(await client.template.update(created.id, { components: body('It ships now.') } as never).json()).toEqual({
      success: true,
    });
    expect(await client.template.get(created.id, { fields: ['name', 'status'] }).json()).toMatchObject({
      name: 'great_order',
    });
    const found = async (query: object) =>
      (await client.template.list(WABA_ID, query).json()).data.map(({ name }) => name);
    expect(await found({ name_or_content: 'ships now', category: ['UTILITY', 'MARKETING'] })).toEqual(['great_order']);
    expect(await found({ name_or_content: 'great_', language: 'de' })).toEqual([]);
    expect(await client.template.delete(WABA_ID, { name: 'great_order' } as never).json()).toEqual({ success: true });
    expect(await found({ name_or_content: 'great_order' })).toEqual([]);
  });

  it('verifies the challenge, and the signature and content of callbacks', async () => {
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': '11', 'hub.verify_token': 'verify-me' };
    const registration = await client.webhook.register({ method: 'GET', query, headers: {} });
    expect([registration.verifyToken, registration.accept()]).toEqual(['verify-me', '11']);
    await eventually(() => expect(simulator.receiver.received.some(({ method }) => method === 'POST')).toBe(true));
    const { body, headers } = simulator.receiver.received.find(({ method }) => method === 'POST')!;
    const signature = { 'x-hub-signature-256': String(headers['x-hub-signature-256']) };
    const event = await client.webhook.eventNotification({
      method: 'POST',
      query: {},
      headers: signature,
      body: body.toString(),
    });
    await event.verifySignature(APP_SECRET);
    await expect(event.verifySignature('another')).rejects.toThrow('match');
    expect(event.eventNotification.entry[0]).toMatchObject({ id: WABA_ID });
  });
});

async function problemOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    const { response } = error as { response?: Response };
    if (!response) throw error;
    return response.text();
  }
}
