import { createHash } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { get } from './support/api';
import { eventProblems } from './support/described';
import { KINDS, OUT } from './support/inbound-kinds';
import { demo } from './support/installation';
import { control, freshPhone, writeInAny } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MEDIA_ID = /^med_[0-9a-z]{26}$/;

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

  it.each(KINDS)('announce %s once and store it', async (_what, message, expected) => {
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

  it('report an undeliverable file as unsupported, with the reason', async () => {
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

  it('belong to one Brazilian contact with and without the ninth digit', async () => {
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
