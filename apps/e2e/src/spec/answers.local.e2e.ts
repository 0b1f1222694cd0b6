import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount, withSlowRateLimit } from '../support/account';
import { call } from '../support/api';
import { fileOf } from '../support/files';
import { control, freshPhone, receivedUpstream, writeIn } from '../support/simulator';
import { type Listener, listenFor } from '../support/webhooks';

const BUTTONS = {
  type: 'button' as const,
  body: { text: 'When shall we deliver?' },
  action: {
    buttons: [
      { type: 'reply' as const, reply: { id: 'today', title: 'Today' } },
      { type: 'reply' as const, reply: { id: 'later', title: 'Later' } },
    ],
  },
};
const LIST = {
  type: 'list' as const,
  body: { text: 'Which way?' },
  action: { button: 'Choose', sections: [{ rows: [{ id: 'express', title: 'Express', description: '1-2 days' }] }] },
};
const LOCATION = { latitude: 37.44, longitude: -122.16, name: 'Café', address: '101 Forest Ave' };

describe('sections 3.10 and 3.11: interactive messages and receipts', () => {
  let account: TestAccount;
  let listener: Listener;
  let to: string;
  let written: string;

  beforeAll(async () => {
    account = await newAccount('Answers');
    listener = await listenFor(account.accountId);
    to = freshPhone();
    written = await writeIn(to, 'Where is it?', { to: account.phoneNumber });
    await eventually(async () => expect(await account.api.getMessage({ id: written })).toBeDefined());
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const ask = (method: string, path: string, body?: object) =>
    call(method, path, { apiKey: account.apiKey, ...(body && { body }) });
  const send = (body: object) => ask('POST', '/messages/send', { to, ...body });
  const accepted = async (body: object): Promise<{ id: string; wamid: string }> => {
    const answer = await send(body);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body).not.toHaveProperty('warnings');
    return { id: String(answer.body['id']), wamid: String(answer.body['message_id']) };
  };
  const onTheWire = async (wamid: string) => (await receivedUpstream(to)).find((each) => each.wamid === wamid)?.body;
  const record = async (id: string) => (await account.api.getMessage({ id })).message;
  const incoming = () => listener.events().filter(({ event }) => event === 'message');

  it('3.10.1 reports which button or list row a customer chose', async () => {
    const [asked, offered] = [
      await accepted({ type: 'interactive', interactive: BUTTONS }),
      await accepted({ type: 'interactive', interactive: LIST }),
    ];
    expect(await onTheWire(asked.wamid)).toMatchObject({ type: 'interactive', interactive: BUTTONS });
    // 3.10.9
    expect(await record(asked.id)).toMatchObject({ type: 'interactive', interactive: BUTTONS });
    expect(await record(offered.id)).toMatchObject({ type: 'interactive', interactive: LIST });
    await control('POST', '/press', { messageId: asked.wamid, id: 'later' });
    await control('POST', '/press', { messageId: offered.wamid, id: 'express' });
    await eventually(() =>
      expect(incoming()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: 'interactive',
            context: expect.objectContaining({ messageId: asked.wamid }) as object,
            interactive: { type: 'button_reply', buttonReply: { id: 'later', title: 'Later' } },
          }),
          expect.objectContaining({
            interactive: {
              type: 'list_reply',
              listReply: { id: 'express', title: 'Express', description: '1-2 days' },
            },
          }),
        ]),
      ),
    );
  });

  it('3.10.4 delivers locations and contact cards, and lists them as requested', async () => {
    const contacts = [{ name: { formattedName: 'Bo Li', firstName: 'Bo' }, phones: [{ phone: '+15550003333' }] }];
    for (const [type, content] of [
      ['location', LOCATION],
      ['contacts', contacts],
    ] as const) {
      const { id, wamid } = await accepted({ type, [type]: content });
      expect(await onTheWire(wamid)).toMatchObject({ type });
      expect(await record(id)).toMatchObject({ type, [type]: content });
      const { messages } = await account.api.listMessages({ type, direction: 'outbound' });
      expect(messages).toMatchObject([{ id, [type]: content }]);
    }
  });

  it('3.10.5 sends a sticker by link and by upload, WebP only', async () => {
    const { id } = await accepted({ type: 'sticker', sticker: { link: 'https://example.com/a.webp' } });
    expect(await record(id)).toMatchObject({ sticker: { link: 'https://example.com/a.webp' } });
    const bytes = fileOf('sticker', 'a.webp');
    const sent = await account.api.sendMessage({ to, type: 'sticker', file: bytes });
    expect(await onTheWire(sent.message_id)).toMatchObject({
      type: 'sticker',
      sticker: { id: expect.any(String) as string },
    });
    await expect(
      account.api.sendMessage({ to, type: 'sticker', file: fileOf('image', 'a.png') }),
    ).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA',
    });
    const large = Buffer.concat([Buffer.from(await bytes.arrayBuffer()), Buffer.alloc(100 * 1_024)]);
    await expect(
      account.api.sendMessage({ to, type: 'sticker', file: new File([large], 'a.webp') }),
    ).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'the file is too large: at most 100 KB for a type sticker that does not move',
    });
  });

  it('3.10.6 sends and removes a reaction to a message of the recipient', async () => {
    const { id, wamid } = await accepted({ type: 'reaction', reaction: { messageId: written, emoji: '👍' } });
    expect(await onTheWire(wamid)).toMatchObject({ reaction: { message_id: written, emoji: '👍' } });
    await eventually(async () => expect(await record(id)).toMatchObject({ status: 'sent', deliveredAt: null }));
    // 3.10.9
    const { id: internalId } = await record(written);
    const again = await accepted({ type: 'reaction', reaction: { messageId: internalId, emoji: '❤' } });
    expect(await record(again.id)).toMatchObject({ type: 'reaction', reaction: { messageId: written, emoji: '❤' } });
    await accepted({ type: 'reaction', reaction: { message_id: written, emoji: '' } });
    const own = await accepted({ type: 'text', text: { body: 'Hello' } });
    for (const messageId of [own.id, id, 'wamid.NOBODY'])
      expect(await send({ type: 'reaction', reaction: { messageId, emoji: '👍' } })).toMatchObject({
        status: 422,
        body: { code: 'INVALID_VALUE' },
      });
  });

  it('3.10.7 quotes only messages of the same conversation', async () => {
    const answer = { type: 'text', text: { body: 'At your door' } };
    const { id, wamid } = await accepted({ ...answer, context: { message_id: written } });
    expect(await onTheWire(wamid)).toMatchObject({ context: { message_id: written } });
    expect(await record(id)).toMatchObject({ context: { messageId: written } });
    const stranger = freshPhone();
    const foreign = await writeIn(stranger, 'Hello', { to: account.phoneNumber });
    await eventually(async () => expect(await account.api.getMessage({ id: foreign })).toBeDefined());
    for (const messageId of [foreign, 'wamid.NOBODY'])
      expect(await send({ ...answer, context: { messageId } })).toMatchObject({
        status: 422,
        body: { code: 'INVALID_VALUE', details: [{ field: 'context.messageId' }] },
      });
  });

  it("3.10.8 accepts the platform's field names without a warning", async () => {
    const { id, wamid } = await accepted({ type: 'text', text: { body: 'https://example.com', preview_url: true } });
    expect(await onTheWire(wamid)).toMatchObject({ text: { preview_url: true } });
    expect(await record(id)).toMatchObject({ text: { body: 'https://example.com', previewUrl: true } });
    const parameters = { display_text: 'Track it', url: 'https://example.com/track' };
    const page = { type: 'cta_url', body: { text: 'Sent' }, action: { name: 'cta_url', parameters } };
    expect(await onTheWire((await accepted({ type: 'interactive', interactive: page })).wamid)).toMatchObject({
      interactive: page,
    });
    const unknown = { ...BUTTONS, action: { ...BUTTONS.action, colour: 'red' } };
    expect((await send({ type: 'interactive', interactive: unknown })).body['warnings']).toEqual([
      expect.objectContaining({ field: 'interactive.action.colour' }),
    ]);
  });

  it('8.1.3 sends choices in bulk, but no reactions or replies', async () => {
    const { jobId } = await account.api.sendBulk({ recipients: [to], type: 'interactive', interactive: BUTTONS });
    await eventually(async () => {
      const { recipients } = await account.api.listJobRecipients({ jobId });
      expect(recipients).toMatchObject([{ phone: to, status: 'read' }]);
    });
    expect((await account.api.listMessages({ jobId })).messages).toMatchObject([{ interactive: BUTTONS, jobId }]);
    const bulk = (body: object) => ask('POST', '/messages/send/bulk', { recipients: [to], ...body });
    const reaction = { messageId: written, emoji: '👍' };
    expect(await bulk({ type: 'reaction', reaction })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARAMETER' },
    });
    const answer = { type: 'text', text: { body: 'Hello' }, context: { messageId: written } };
    const { body: created } = await bulk(answer);
    expect(created['warnings']).toMatchObject([{ field: 'context' }]);
    // Sending counts as a reply to the customer's earlier messages.
    await eventually(async () => {
      const { recipients } = await account.api.listJobRecipients({ jobId: String(created['jobId']) });
      expect(recipients).toMatchObject([{ phone: to, status: 'read' }]);
    });
    const [sent] = await receivedUpstream(to);
    expect(sent?.body).toMatchObject({ type: 'text', text: { body: 'Hello' } });
    expect(sent?.body).not.toHaveProperty('context');
  });

  it('3.11.1 shows and stores a read receipt, and marks older messages as read', async () => {
    const newest = await writeIn(to, 'Hello?', { to: account.phoneNumber });
    const unread = async () => (await account.api.listConversations({ search: to })).conversations[0]?.unreadCount;
    await eventually(async () => expect(await unread()).toBe(1));
    const { status, body } = await ask('POST', `/messages/${newest}/read`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        id: expect.stringMatching(/^msg_/) as string,
        message_id: newest,
        readAt: expect.any(String) as string,
      },
    });
    expect(await unread()).toBe(0);
    expect(await record(newest)).toMatchObject({ readAt: body['readAt'], status: 'received' });
    const { messages } = await control<{ messages: { id: string; readAt?: string }[] }>('GET', `/conversations/${to}`);
    expect(messages.find(({ id }) => id === newest)?.readAt).toBeDefined();
    // 3.11.2
    expect((await ask('POST', `/messages/${String(body['id'])}/read`)).body).toEqual(body);
  });

  it('3.11.3 shows a typing indicator until the next message', async () => {
    const isTyping = async () => (await control<{ isTyping: boolean }>('GET', `/conversations/${to}`)).isTyping;
    expect(await account.api.showTyping({ id: written })).toMatchObject({ message_id: written });
    expect(await isTyping()).toBe(true);
    await accepted({ type: 'text', text: { body: 'Here it is' } });
    expect(await isTyping()).toBe(false);
  });

  it('3.11.4 returns 404 for an unknown message and 400 for an outbound one', async () => {
    const own = await accepted({ type: 'text', text: { body: 'Hello' } });
    for (const [id, status, code] of [
      ['wamid.NOBODY', 404, 'NOT_FOUND'],
      ['nothing', 404, 'NOT_FOUND'],
      [own.id, 400, 'INVALID_PARAMETER'],
      [own.wamid, 400, 'INVALID_PARAMETER'],
    ] as const)
      for (const action of ['read', 'typing'])
        expect(await ask('POST', `/messages/${encodeURIComponent(id)}/${action}`)).toMatchObject({
          status,
          body: { code },
        });
  });

  it('3.11.5 counts a receipt as one request and no message', async () => {
    const { messageCount } = (await account.api.listConversations({ search: to })).conversations[0] ?? {};
    const credits = async () => (await account.api.getMe()).credits;
    const creditsBefore = await credits();
    const before = await withSlowRateLimit(account);
    for (const [index, action] of ['read', 'typing', 'read'].entries()) {
      const { headers } = await ask('POST', `/messages/${written}/${action}`);
      expect(before - Number(headers.get('x-ratelimit-remaining'))).toBe(index + 1);
    }
    expect(await credits()).toEqual(creditsBefore);
    expect((await account.api.listConversations({ search: to })).conversations[0]).toMatchObject({ messageCount });
  });
});
