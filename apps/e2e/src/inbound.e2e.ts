import { createHash } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { get } from './support/api';
import { eventProblems } from './support/described';
import { demo } from './support/installation';
import { control, freshPhone, writeInAny } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MEDIA_ID = /^med_[0-9a-z]{26}$/;
const OUT = 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD';

const location = {
  latitude: 37.44221496582,
  longitude: -122.16165924072,
  name: 'Cafe',
  address: '101 Forest Ave',
  url: 'https://example.com/',
};
const contacts = [
  {
    name: { first_name: 'Bo', formatted_name: 'Bo Li' },
    org: { company: 'Demo' },
    phones: [{ phone: '+1 (555) 000-3333', wa_id: '15550003333', type: 'MOBILE' }],
  },
];
const order = {
  catalog_id: '1948',
  text: 'Love these',
  product_items: [{ product_retailer_id: 'di9', quantity: 2, item_price: 30, currency: 'USD' }],
};

/** Messages of a customer, with the type-specific fields of their events. */
const kinds: [string, Record<string, unknown> & { type: string }, Record<string, unknown>][] = [
  ['text', { type: 'text', text: { body: 'Hello ✓' } }, { text: { body: 'Hello ✓' } }],
  [
    'an answer to a message',
    { type: 'text', text: { body: 'yes' }, context: { from: '15550783881', id: OUT } },
    { text: { body: 'yes' }, context: { messageId: OUT, from: '15550783881' } },
  ],
  [
    'a forwarded text',
    { type: 'text', text: { body: 'look' }, context: { forwarded: true } },
    { text: { body: 'look' }, context: { forwarded: true } },
  ],
  [
    'a text after an advertisement',
    {
      type: 'text',
      text: { body: 'More?' },
      referral: {
        source_url: 'https://fb.me/x',
        source_id: '12',
        source_type: 'ad',
        headline: 'Chat with us',
        body: 'Our spring sale',
        media_type: 'image',
        image_url: 'https://example.com/ad.jpg',
        ctwa_clid: 'Aff-x',
        welcome_message: { text: 'Hi' },
      },
    },
    {
      text: { body: 'More?' },
      referral: {
        sourceUrl: 'https://fb.me/x',
        sourceId: '12',
        sourceType: 'ad',
        headline: 'Chat with us',
        body: 'Our spring sale',
        mediaType: 'image',
        imageUrl: 'https://example.com/ad.jpg',
        ctwaClid: 'Aff-x',
        welcomeMessage: { text: 'Hi' },
      },
    },
  ],
  [
    'a text after a post with a video',
    {
      type: 'text',
      text: { body: 'More?' },
      referral: {
        source_type: 'post',
        media_type: 'video',
        video_url: 'https://example.com/post.mp4',
        thumbnail_url: 'https://example.com/post.jpg',
      },
    },
    {
      text: { body: 'More?' },
      referral: {
        sourceType: 'post',
        mediaType: 'video',
        videoUrl: 'https://example.com/post.mp4',
        thumbnailUrl: 'https://example.com/post.jpg',
      },
    },
  ],
  [
    'a text after a post',
    {
      type: 'text',
      text: { body: 'Still there?' },
      referral: { source_url: 'https://fb.me/y', source_id: '13', source_type: 'post', headline: 'New in' },
    },
    {
      text: { body: 'Still there?' },
      referral: { sourceUrl: 'https://fb.me/y', sourceId: '13', sourceType: 'post', headline: 'New in' },
    },
  ],
  ['location', { type: 'location', location }, { location }],
  [
    'contacts',
    { type: 'contacts', contacts },
    {
      contacts: [
        {
          name: { firstName: 'Bo', formattedName: 'Bo Li' },
          org: { company: 'Demo' },
          phones: [{ phone: '+1 (555) 000-3333', waId: '15550003333', type: 'MOBILE' }],
        },
      ],
    },
  ],
  [
    'button',
    { type: 'button', button: { payload: 'later', text: 'Not now' }, context: { id: OUT } },
    { button: { payload: 'later', text: 'Not now' }, context: { messageId: OUT } },
  ],
  [
    'a choice of a list',
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'row1', title: 'Express', description: '1-2 days' } },
    },
    { interactive: { type: 'list_reply', listReply: { id: 'row1', title: 'Express', description: '1-2 days' } } },
  ],
  [
    'a choice of a list without a description',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'row2', title: 'Normal' } } },
    { interactive: { type: 'list_reply', listReply: { id: 'row2', title: 'Normal' } } },
  ],
  [
    'a choice of a button',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'cancel', title: 'Cancel' } } },
    { interactive: { type: 'button_reply', buttonReply: { id: 'cancel', title: 'Cancel' } } },
  ],
  [
    'a filled form',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"x"}' },
      },
    },
    {
      interactive: {
        type: 'nfm_reply',
        nfmReply: { name: 'flow', body: 'Sent', responseJson: '{"flow_token":"x"}', response: { flow_token: 'x' } },
      },
    },
  ],
  [
    'a filled form without a name',
    { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{"a":1}' } } },
    { interactive: { type: 'nfm_reply', nfmReply: { responseJson: '{"a":1}', response: { a: 1 } } } },
  ],
  [
    'a permission for calls',
    {
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: { response: 'accept', is_permanent: false, expiration_timestamp: '1790416812' },
      },
    },
    {
      interactive: {
        type: 'call_permission_reply',
        callPermissionReply: { response: 'accept', isPermanent: false, expirationTimestamp: 1_790_416_812 },
      },
    },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: OUT, emoji: '👍' } },
    { reaction: { messageId: OUT, emoji: '👍' } },
  ],
  [
    'a reaction that is taken back',
    { type: 'reaction', reaction: { message_id: OUT } },
    { reaction: { messageId: OUT, emoji: '' } },
  ],
  [
    'a reaction that is taken back by an empty emoji',
    { type: 'reaction', reaction: { message_id: OUT, emoji: '' } },
    { reaction: { messageId: OUT, emoji: '' } },
  ],
  [
    'a button of a template',
    { type: 'button', button: { payload: 'x7', text: 'Tell me more' } },
    { button: { payload: 'x7', text: 'Tell me more' } },
  ],
  [
    'order',
    { type: 'order', order },
    {
      order: {
        catalogId: '1948',
        text: 'Love these',
        productItems: [{ productRetailerId: 'di9', quantity: 2, itemPrice: 30, currency: 'USD' }],
      },
    },
  ],
  [
    'what the platform does not support',
    { type: 'unsupported', unsupported: { type: 'poll_creation' } },
    {
      unsupported: { type: 'poll_creation' },
      errors: [{ code: 131051, title: 'Message type unknown', details: 'Message type is currently not supported.' }],
    },
  ],
  [
    'a kind nobody knows yet',
    { type: 'hologram', hologram: { depth: 3 } },
    { type: 'unsupported', unsupported: { type: 'hologram' } },
  ],
];

/** Expected files. The simulator sends a real sample of each kind. */
const files: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['image', { caption: 'my receipt' }, { mimeType: 'image/jpeg', caption: 'my receipt' }],
  [
    'document',
    { caption: 'the form', filename: 'Form 7.pdf' },
    { mimeType: 'application/pdf', caption: 'the form', filename: 'Form 7.pdf' },
  ],
  ['document', { filename: 'Orçamento março.pdf' }, { mimeType: 'application/pdf', filename: 'Orçamento março.pdf' }],
  ['video', {}, { mimeType: 'video/mp4' }],
  ['audio', {}, { mimeType: 'audio/ogg; codecs=opus', voice: true }],
  ['sticker', {}, { mimeType: 'image/webp', animated: false }],
];

/** Expected header by file name. A name with non-ASCII characters appears in both forms. */
const dispositions: Record<string, string> = {
  'Form 7.pdf': 'attachment; filename="Form 7.pdf"',
  'Orçamento março.pdf': `attachment; filename="Orcamento marco.pdf"; filename*=UTF-8''Or%C3%A7amento%20mar%C3%A7o.pdf`,
};

describe('inbound messages', () => {
  let account: TestAccount;
  let listener: Listener;

  beforeAll(async () => {
    account = await newAccount('Inbound');
    listener = await listenFor(account.accountId);
  }, 60_000);
  afterAll(() => listener.receiver.close());

  /** Sends a message of a new customer. Returns its event and the fields common to all events. */
  async function announced(message: Record<string, unknown> & { type: string }, { from = freshPhone() } = {}) {
    const messageId = await writeInAny({ from, name: 'Asha R', to: account.phoneNumber, ...message });
    const event = await eventually(() => {
      const [first, ...more] = listener.about(messageId);
      expect(more).toEqual([]);
      if (!first) throw new Error(`no event about ${messageId}`);
      return first;
    });
    const common = {
      event: 'message',
      from,
      name: 'Asha R',
      messageId,
      type: message.type,
      timestamp: expect.stringMatching(UTC),
      to: account.phoneNumber,
      id: expect.stringMatching(/^msg_/),
      userId: expect.any(String),
      username: null,
      eventId: expect.stringMatching(/^evt_/),
    };
    return { from, messageId, event, common };
  }

  const records = async (phone: string) => (await account.api.listMessages({ phone })).messages;

  it.each(kinds)('announce %s once and store it', async (_what, message, expected) => {
    const { event, common, from, messageId } = await announced(message);
    expect(event).toEqual({ ...common, ...expected });
    expect(Object.keys(event).slice(0, 5)).toEqual(['event', 'from', 'name', 'messageId', 'type']);
    expect(await eventProblems(event)).toBe('');
    const shown = event as Record<string, unknown> & { type: string };
    expect(await records(from)).toMatchObject([
      {
        id: expect.stringMatching(/^msg_/),
        message_id: messageId,
        messageId,
        direction: 'inbound',
        status: 'received',
        from,
        to: account.phoneNumber,
        name: 'Asha R',
        type: shown.type,
      },
    ]);
    const own = { apiKey: account.apiKey };
    const [found] = (await get(`/messages?type=${shown.type}&phone=${from}`, own)).body['messages'] as object[];
    expect(found).toMatchObject({ messageId });
    expect((await get(`/conversations?search=${from}`, own)).body).toMatchObject({
      conversations: [{ lastMessage: { type: shown.type } }],
    });
    // The list shows the same values as the webhook.
    const [record] = (await records(from)).map((found) => ({ ...found }) as Record<string, unknown>);
    expect(record?.[shown.type]).toEqual(shown[shown.type]);
    expect(record?.['errors']).toEqual(shown['errors']);
    expect(record?.['referral']).toEqual(shown['referral']);
    expect(record?.['context']).toEqual(shown['context']);
    expect((await account.api.getMessage({ id: messageId })).message).toEqual(record);
  });

  it.each(files)('announce a file (%s) with a link readable by this account only', async (type, fields, expected) => {
    const { event, common, from, messageId } = await announced({ type, [type]: fields });
    const content = (event as Record<string, unknown>)[type] as { id: string; link: string; sha256: string };
    expect(event).toEqual({
      ...common,
      [type]: {
        id: expect.stringMatching(MEDIA_ID),
        link: `${demo.baseUrl}/media/${content.id}`,
        sha256: expect.any(String),
        ...expected,
      },
    });
    expect(await eventProblems(event)).toBe('');
    expect(await records(from)).toMatchObject([{ message_id: messageId, type, [type]: content }]);

    const own = { headers: { authorization: `Bearer ${account.apiKey}` } };
    const response = await eventually(async () => {
      const answer = await fetch(content.link, own);
      expect(answer.status).toBe(200);
      return answer;
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('base64')).toBe(content.sha256);
    const etag = `"${Buffer.from(content.sha256, 'base64').toString('hex')}"`;
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag,
      'content-type': expected['mimeType'],
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('private'),
      'content-disposition': dispositions[String(expected['filename'])] ?? 'attachment',
    });
    expect((await fetch(content.link, { headers: { ...own.headers, 'if-none-match': etag } })).status).toBe(304);
    const part = await fetch(content.link, { headers: { ...own.headers, range: 'bytes=2-9' } });
    expect({ status: part.status, range: part.headers.get('content-range') }).toEqual({
      status: 206,
      range: `bytes 2-9/${bytes.length}`,
    });
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 10));
    expect((await fetch(content.link, { headers: { ...own.headers, range: `bytes=${bytes.length}-` } })).status).toBe(
      416,
    );
    expect(await get(`/media/${content.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: expect.stringMatching(/^not found: no such /) },
    });
    expect(await get(`/media/${content.id}`, { apiKey: null })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  });

  it('remove a reaction without changing unread count and last message', async () => {
    const from = freshPhone();
    await announced({ type: 'text', text: { body: 'Hello' } }, { from });
    await announced({ type: 'reaction', reaction: { message_id: OUT, emoji: '👍' } }, { from });
    const conversation = async () => (await account.api.listConversations({ search: from })).conversations[0];
    const before = await conversation();
    expect(before).toMatchObject({ unreadCount: 2, lastMessage: { type: 'reaction', preview: '👍' } });
    const { event } = await announced({ type: 'reaction', reaction: { message_id: OUT } }, { from });
    expect(event).toMatchObject({ reaction: { messageId: OUT, emoji: '' } });
    const { lastMessage, unreadCount } = before ?? {};
    expect(await conversation()).toMatchObject({ lastMessage, unreadCount, messageCount: 3 });
  });

  it('announce a file that failed at the platform as unsupported, with the reason', async () => {
    const { event, from } = await announced({ type: 'image', error: 131052 });
    const errors = [{ code: 131052, title: expect.any(String), details: 'image could not be received.' }];
    expect(event).toMatchObject({ event: 'message', type: 'unsupported', errors });
    expect(await eventProblems(event)).toBe('');
    expect(await records(from)).toMatchObject([{ type: 'unsupported', errors }]);
  });

  it('identify a contact with a hidden number by user id', async () => {
    const from = freshPhone();
    const messageId = await writeInAny({
      from,
      name: 'Hidden',
      type: 'text',
      text: { body: 'hi' },
      hidePhone: true,
      to: account.phoneNumber,
    });
    const event = await eventually(() => {
      const [first] = listener.about(messageId);
      if (first?.event !== 'message') throw new Error('no event yet');
      return first;
    });
    expect(event).toMatchObject({ from: null, userId: expect.any(String), name: 'Hidden', text: { body: 'hi' } });
    const { contacts: found } = await account.api.searchContacts({ q: 'Hidden' });
    expect(found).toMatchObject([{ phone: null, userId: event.userId, profileName: 'Hidden' }]);
  });

  it('treat a Brazilian contact with and without the ninth digit as one', async () => {
    const eight = `5531${freshPhone().slice(-8).replace(/^./, '8')}`;
    const nine = `${eight.slice(0, 4)}9${eight.slice(4)}`;
    const first = await announced({ type: 'text', text: { body: 'oi' } }, { from: eight });
    await account.api.sendMessage({ to: nine, type: 'text', text: { body: 'olá' } });
    expect(
      (await account.api.listConversationMessages({ phone: nine })).messages.map(({ direction }) => direction),
    ).toEqual(['outbound', 'inbound']);
    expect(first.event).toMatchObject({ from: eight });
  });

  it('accept a change in an unknown field', async () => {
    await control('POST', '/callbacks', { field: 'things_to_come', value: { new: true } });
    const { event } = await announced({ type: 'text', text: { body: 'still here' } });
    expect(event).toMatchObject({ text: { body: 'still here' } });
  });
});
