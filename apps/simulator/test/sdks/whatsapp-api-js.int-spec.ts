import { eventually } from '@switchboard/testing';
import type { UpstreamCallback, UpstreamMessagesValue } from '@switchboard/upstream';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  ActionCTA,
  ActionCatalog,
  ActionList,
  ActionLocation,
  ActionNavigateFlow,
  ActionProduct,
  ActionProductList,
  Audio,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  CatalogProduct,
  Contacts,
  Document,
  Footer,
  Header,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  Phone,
  Product,
  ProductSection,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  URLComponent,
  Video,
} from 'whatsapp-api-js/messages';
import { MEDIA_SAMPLES } from '../../src/media/samples';
import {
  ACCESS_TOKEN,
  APP_SECRET,
  CUSTOMER,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
} from '../start-simulator';
import { wrongRefusal } from './taken';

const to = `+${CUSTOMER}`;
const link = 'https://example.com/file';
const location = { latitude: 1, longitude: 2 };
type Message = Parameters<WhatsAppAPI['sendMessage']>[2];

let simulator: StartedSimulator;
let api: WhatsAppAPI;
let inboundId: string;

beforeAll(async () => {
  simulator = await startSimulator();
  // Redirect calls to the simulator, because the library's host is fixed.
  const toSimulator: typeof fetch = (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    return fetch(address.replace('https://graph.facebook.com', simulator.url), init);
  };
  api = new WhatsAppAPI({
    token: ACCESS_TOKEN,
    appSecret: APP_SECRET,
    webhookVerifyToken: 'verify-me',
    v: 'v24.0',
    ponyfill: { fetch: toSimulator },
  });
  ({ messageId: inboundId } = await simulator.control<{ messageId: string }>('inbound', {
    from: CUSTOMER,
    text: 'Hi',
  }));
});
afterAll(() => simulator.close());

/** Bodies that both upstream and the simulator accept. */
const SENDS: [string, () => Message][] = [
  ['text', () => new Text('Hello https://example.com', true)],
  ['image', () => new Image(link, false, 'Receipt')],
  ['document', () => new Document(link, false, 'The form', 'form.pdf')],
  ['video', () => new Video(link, false, 'Clip')],
  ['audio', () => new Audio(link, false, true)],
  ['template', () => new Template('hello_world', 'en_US')],
  [
    'template',
    () =>
      new Template(
        'verification_code',
        'en_US',
        new BodyComponent(new BodyParameter('482913')),
        new URLComponent('482913'),
      ),
  ],
];

/** Bodies that upstream accepts, and that the simulator accepts once it supports the type. */
const FURTHER_SENDS: [string, () => Message][] = [
  ['sticker', () => new Sticker(link)],
  ['location', () => new Location(2.5, 1.5, 'Shop', '1 Main St')],
  ['contacts', () => new Contacts([new Name('Bo Li', 'Bo'), new Phone('+15550003333', 'WORK')])],
  ['reaction', () => new Reaction(inboundId, '👍')],
  ['reaction that is taken back', () => new Reaction(inboundId)],
  [
    'reply buttons',
    () =>
      new Interactive(
        new ActionButtons(new Button('yes', 'Yes')),
        new Body('Well?'),
        new Header('Head'),
        new Footer('Foot'),
      ),
  ],
  [
    'list',
    () =>
      new Interactive(new ActionList('Open', new ListSection('All', new Row('1', 'One', 'First'))), new Body('Well?')),
  ],
  ['link button', () => new Interactive(new ActionCTA('Open', link), new Body('Well?'))],
  ['request for the location', () => new Interactive(new ActionLocation(), new Body('Where?'))],
  ['flow', () => new Interactive(new ActionNavigateFlow('token', '123', 'Open', 'A'), new Body('Well?'))],
  ['catalog', () => new Interactive(new ActionCatalog(new Product('p')), new Body('All'))],
  ['product', () => new Interactive(new ActionProduct(new CatalogProduct('p', '1')), new Body('One'))],
  [
    'products',
    () =>
      new Interactive(
        new ActionProductList('1', new ProductSection('All', new Product('p'))),
        new Body('All'),
        new Header('Head'),
      ),
  ],
];

const FURTHER_CALLS: [string, () => Promise<unknown>][] = [
  ['create a QR code', () => api.createQR(PHONE_NUMBER_ID, 'Hello')],
  ['read the QR codes', () => api.retrieveQR(PHONE_NUMBER_ID)],
];

describe('SDK whatsapp-api-js', () => {
  it.each(SENDS)('sends %s', async (type, message) => {
    const answer = await api.sendMessage(PHONE_NUMBER_ID, to, message(), undefined, 'mine');
    const id = 'messages' in answer ? answer.messages[0].id : JSON.stringify(answer);
    const { messages: received } = await simulator.control<{
      messages: { wamid: string; type: string; opaque: string }[];
    }>('messages');
    expect(received.find(({ wamid }) => wamid === id)).toMatchObject({ type, opaque: 'mine' });
  });

  it.each(FURTHER_SENDS)('sends %s without a body error', async (_what, message) => {
    expect(wrongRefusal(problemOf(await api.sendMessage(PHONE_NUMBER_ID, to, message())))).toBeUndefined();
  });
  it.each(FURTHER_CALLS)('calls %s without a body error', async (_what, call) => {
    expect(wrongRefusal(problemOf(await call()))).toBeUndefined();
  });

  it('replies to a message', async () => {
    expect(problemOf(await api.sendMessage(PHONE_NUMBER_ID, to, new Text('Yes'), inboundId))).toBeUndefined();
  });

  it('marks a message as read, with a typing indicator', async () => {
    expect(await api.markAsRead(PHONE_NUMBER_ID, inboundId)).toEqual({ success: true });
    expect(await api.markAsRead(PHONE_NUMBER_ID, inboundId, 'text')).toEqual({ success: true });
  });

  it('uploads, reads, downloads and deletes a file', async () => {
    const form = new FormData();
    const { bytes, mimeType } = MEDIA_SAMPLES['image']!;
    form.set('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), 'receipt.jpg');
    const uploaded = await api.uploadMedia(PHONE_NUMBER_ID, form);
    const id = 'id' in uploaded ? uploaded.id : JSON.stringify(uploaded);
    expect(problemOf(await api.sendMessage(PHONE_NUMBER_ID, to, new Image(id, true)))).toBeUndefined();
    const media = await api.retrieveMedia(id, PHONE_NUMBER_ID);
    expect(media).toMatchObject({ id, mime_type: 'image/jpeg', file_size: String(bytes.length) });
    const file = await api.fetchMedia('url' in media ? media.url : '');
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
    expect(await api.deleteMedia(id)).toEqual({ success: true });
    expect(problemOf(await api.retrieveMedia(id))).toContain('does not exist');
  });

  it('blocks and unblocks a user by paths without a version', async () => {
    const other = '4915112345678';
    await simulator.control('inbound', { from: other, text: 'Spam' });
    expect(await api.blockUser(PHONE_NUMBER_ID, `+${other}`)).toEqual({
      messaging_product: 'whatsapp',
      block_users: { added_users: [{ input: `+${other}`, wa_id: other }] },
    });
    expect(await api.unblockUser(PHONE_NUMBER_ID, other)).toEqual({
      messaging_product: 'whatsapp',
      block_users: { removed_users: [{ input: other, wa_id: other }] },
    });
    expect(problemOf(await api.blockUser(PHONE_NUMBER_ID, '+4915100000000'))).toContain('139100');
  });

  it('verifies the challenge, and the signature, messages and statuses of callbacks', async () => {
    const seen: string[] = [];
    api.on.message = ({ message, name }) => void seen.push(`${name}: ${message.type}`);
    api.on.status = ({ status, id }) => void seen.push(`${id} ${status}`);
    await simulator.control('inbound', { from: CUSTOMER, name: 'Asha R', type: 'location', location });
    const answer = await api.sendMessage(PHONE_NUMBER_ID, to, new Text('Followed'));
    const id = 'messages' in answer ? answer.messages[0].id : '';
    const read = { id, status: 'read' };
    await eventually(() => expect(simulator.statuses()).toContainEqual(expect.objectContaining(read)));
    const callbacks = simulator.receiver.received.filter(({ method }) => method === 'POST');
    for (const { body, headers } of callbacks) {
      const text = body.toString();
      await api.post(JSON.parse(text), text, String(headers['x-hub-signature-256']));
    }
    expect(seen).toEqual(callbacks.map(({ body }) => firstUpdateOf(body)));
    const challenge = { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify-me', 'hub.challenge': '11' } as const;
    expect(api.get(challenge)).toBe('11');
  });
});

/**
 * Returns the first update of a callback, because the library reads no more. The platform and the simulator may batch
 * several.
 */
function firstUpdateOf(body: Buffer): string {
  const { value } = (JSON.parse(body.toString()) as UpstreamCallback).entry[0]!.changes[0]!;
  const { contacts, messages, statuses } = value as UpstreamMessagesValue;
  const [message, status] = [messages?.[0], statuses?.[0]];
  return message ? `${contacts?.[0]?.profile?.name}: ${message.type}` : `${status?.id} ${status?.status}`;
}

/** Returns the error in a response, which the library passes through. */
function problemOf(answer: unknown): string | undefined {
  const { error } = answer as { error?: { message: string } };
  return error?.message;
}
