import { createHash } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import {
  ACCESS_TOKEN,
  callbacksOf,
  CUSTOMER,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
  text,
} from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const values = () => callbacksOf(simulator.receiver).flatMap(({ messages }) => messages.map(({ value }) => value));
const received = () => values().flatMap(({ messages }) => messages ?? []);
const USER_ID = 'IN.10000000919812345678';

async function writeIn(body: object): Promise<Record<string, unknown>> {
  const { messageId } = await simulator.control<{ messageId: string }>('inbound', { from: CUSTOMER, ...body });
  await eventually(() => expect(received().map(({ id }) => id)).toContain(messageId));
  return received().find(({ id }) => id === messageId)!;
}

describe('inbound messages', () => {
  it.each(['image', 'document', 'video', 'audio', 'sticker'])(
    'deliver a file of kind %s, whose bytes need the token',
    async (type) => {
      const message = await writeIn({ type });
      const media = message[type] as { id: string; url: string; sha256: string; mime_type: string };
      const answer = await fetch(media.url, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, media.mime_type]);
      expect(createHash('sha256').update(bytes).digest('base64')).toBe(media.sha256);
      expect((await simulator.graph('GET', media.id)).body).toMatchObject({
        mime_type: media.mime_type,
        file_size: String(bytes.length),
      });
    },
  );

  it('deliver a given file, of a given size, or without a URL', async () => {
    const own = (
      await writeIn({
        type: 'image',
        image: { data: Buffer.from('own').toString('base64'), mime_type: 'image/png', caption: 'Mine', url: false },
      })
    ).image;
    expect(own).toEqual({
      caption: 'Mine',
      mime_type: 'image/png',
      id: expect.any(String),
      sha256: createHash('sha256').update('own').digest('base64'),
    });
    const large = (await writeIn({ type: 'document', document: { byteLength: 3_000_000, filename: 'large.pdf' } }))
      .document as { id: string };
    expect(large).toMatchObject({ filename: 'large.pdf' });
    expect((await simulator.graph('GET', large.id)).body.file_size).toBe('3000000');
  });

  it('deliver a file that no longer exists when it is fetched', async () => {
    const { image } = await writeIn({ type: 'image' });
    const { id, url } = image as { id: string; url: string };
    await simulator.control('faults', { mediaGone: 1 });
    expect((await fetch(url, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } })).status).toBe(404);
    await simulator.control(`media/${id}/expire`, {});
    expect(await simulator.graph('GET', id)).toMatchObject({ status: 400, body: { error: { error_subcode: 33 } } });
  });

  it('deliver errors and unsupported types', async () => {
    expect(await writeIn({ type: 'video', error: 131052 })).toMatchObject({
      type: 'unsupported',
      errors: [{ code: 131052, title: 'Media download error', error_data: { details: expect.any(String) } }],
    });
    expect(await writeIn({ type: 'unsupported', unsupported: { type: 'edit' } })).toMatchObject({
      errors: [{ code: 131051 }],
      unsupported: { type: 'edit' },
    });
  });

  it.each([
    ['location', { latitude: 1, longitude: 2 }],
    ['contacts', [{ name: { formatted_name: 'Bo Li' } }]],
    ['button', { payload: 'STOP', text: 'Stop' }],
    ['interactive', { type: 'list_reply', list_reply: { id: 'row1', title: 'Express' } }],
    ['reaction', { message_id: 'wamid.OUT', emoji: '👍' }],
    ['order', { catalog_id: '1', product_items: [] }],
  ])('deliver type %s', async (type, content) => {
    expect(await writeIn({ type, [type]: content, context: { id: 'wamid.OUT', from: '15550783881' } })).toEqual({
      from: CUSTOMER,
      from_user_id: USER_ID,
      id: expect.stringMatching(/^wamid\./),
      timestamp: expect.stringMatching(/^\d{10}$/),
      type,
      [type]: content,
      context: { id: 'wamid.OUT', from: '15550783881' },
    });
  });

  it('deliver an advertisement, a forward and an older message', async () => {
    const message = await writeIn({
      text: 'More info?',
      referral: { source_type: 'ad' },
      context: { forwarded: true },
      timestamp: 1_790_000_000,
    });
    expect(message).toMatchObject({
      referral: { source_type: 'ad' },
      context: { forwarded: true },
      timestamp: '1790000000',
    });
  });

  it('deliver system messages without contacts', async () => {
    await writeIn({ type: 'system', system: { type: 'user_changed_number', wa_id: '15550004444', body: 'changed' } });
    expect(values()[0]).not.toHaveProperty('contacts');
    // A new number implies a new user id.
    expect(received()[0]).toMatchObject({
      system: { previous_user_id: USER_ID, user_id: 'US.10000000015550004444' },
    });
  });

  it('open no window for changes of a message or group messages', async () => {
    const original_message_id = 'wamid.FIRST';
    const message = { type: 'text', text: { body: 'Changed' } };
    expect(await writeIn({ type: 'edit', edit: { original_message_id, message } })).toMatchObject({
      type: 'edit',
      edit: { original_message_id, message },
    });
    expect(await writeIn({ type: 'revoke', revoke: { original_message_id } })).toMatchObject({
      revoke: { original_message_id },
    });
    expect(await writeIn({ text: 'Hello all', groupId: 'Y2FwaV9ncm91cDox' })).toMatchObject({
      group_id: 'Y2FwaV9ncm91cDox',
      from: CUSTOMER,
    });
    const wamid = await simulator.send(text);
    await eventually(() => {
      expect(simulator.statuses().filter(({ id }) => id === wamid)).toMatchObject([
        { status: 'failed', errors: [{ code: 131047 }] },
      ]);
    });
  });

  it('open the window for a call', async () => {
    const { callId } = await simulator.control<{ callId: string }>('calls', { from: CUSTOMER, name: 'Asha' });
    await eventually(() =>
      expect(values().flatMap(({ calls = [] }) => calls)).toMatchObject([
        { id: callId, from: CUSTOMER, event: 'connect', direction: 'USER_INITIATED', timestamp: expect.any(String) },
      ]),
    );
    const wamid = await simulator.send(text);
    await eventually(() => {
      expect(
        simulator
          .statuses()
          .filter(({ id }) => id === wamid)
          .map(({ status }) => status),
      ).toContain('sent');
    });
    expect(await simulator.control('conversations', undefined)).toMatchObject({
      conversations: [{ customer: CUSTOMER }],
    });
  });
});

describe('a customer with a hidden phone number', () => {
  it('is known only by the user id', async () => {
    expect(await writeIn({ text: 'Hi', hidePhone: true, username: '@asha', name: 'Asha' })).not.toHaveProperty('from');
    expect(values()[0]?.contacts).toEqual([{ profile: { name: 'Asha', username: '@asha' }, user_id: USER_ID }]);
    expect(await writeIn({ from: USER_ID, text: 'Hi again' })).toMatchObject({ from_user_id: USER_ID });
  });

  it('can receive messages by user id, but no one-time code', async () => {
    await writeIn({ from: USER_ID, text: 'Hi' });
    const send = (body: object) =>
      simulator.graph('POST', `${PHONE_NUMBER_ID}/messages`, {
        messaging_product: 'whatsapp',
        recipient: USER_ID,
        ...body,
      });
    const { body } = await send({ type: 'text', text: { body: 'Hello' } });
    expect(body.contacts).toEqual([{ input: USER_ID, user_id: USER_ID }]);
    await eventually(() =>
      expect(simulator.statuses().map(({ status }) => status)).toEqual(['sent', 'delivered', 'read']),
    );
    expect(simulator.statuses()[0]).toMatchObject({ recipient_user_id: USER_ID });
    expect(simulator.statuses()[0]).not.toHaveProperty('recipient_id');
    const code = (value: string) => ({ type: 'text', text: value });
    const components = [
      { type: 'body', parameters: [code('1')] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [code('1')] },
    ];
    expect(
      await send({
        type: 'template',
        template: { name: 'verification_code', language: { code: 'en_US' }, components },
      }),
    ).toMatchObject({ status: 400, body: { error: { code: 131062 } } });
    expect(await send({ recipient: 'US.9', type: 'text', text: { body: 'x' } })).toMatchObject({
      body: { error: { code: 131009 } },
    });
  });
});

it('resolves a Brazilian number to its id and the window of that id', async () => {
  await simulator.control('inbound', { from: '5531988887777', text: 'Oi' });
  const wamid = await simulator.send({ ...text, template: undefined, to: '5531988887777' });
  await eventually(() =>
    expect(simulator.statuses()).toMatchObject([{ id: wamid, recipient_id: '553188887777', status: 'sent' }, {}, {}]),
  );
});

it('reports opt-outs from marketing, after which sends fail with 131050', async () => {
  await simulator.control('templates/spring_sale/status', { event: 'APPROVED' });
  const send = () =>
    simulator.send({
      template: {
        name: 'spring_sale',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
      },
    });
  const outcome = (wamid: string) =>
    simulator
      .statuses()
      .filter(({ id }) => id === wamid)
      .map(({ status, errors }) => errors?.[0]?.code ?? status);
  await simulator.control('preferences', { from: CUSTOMER, value: 'stop' });
  await eventually(() =>
    expect(simulator.changes('user_preferences')).toMatchObject([
      {
        user_preferences: [
          { wa_id: CUSTOMER, category: 'marketing_messages', value: 'stop', timestamp: expect.any(Number) },
        ],
      },
    ]),
  );
  const refused = await send();
  await eventually(() => expect(outcome(refused)).toEqual([131050]));
  await simulator.control('preferences', { from: CUSTOMER, value: 'resume' });
  const taken = await send();
  await eventually(() => expect(outcome(taken)).toEqual(['sent', 'delivered', 'read']));
});

it('shows both directions of a conversation, oldest first', async () => {
  await simulator.control('inbound', { from: CUSTOMER, name: 'Asha R', text: 'Hello' });
  await simulator.send({ ...text, template: undefined });
  await simulator.control('inbound', { from: '15550002222', text: 'Other' });
  const { messages } = await simulator.control<{ messages: object[] }>(`conversations/${CUSTOMER}`);
  expect(messages).toMatchObject([
    { direction: 'inbound', name: 'Asha R', type: 'text' },
    { direction: 'outbound', type: 'text' },
  ]);
  const { conversations } = await simulator.control<{ conversations: object[] }>('conversations');
  expect(conversations).toMatchObject([
    { customer: '15550002222', messages: 1 },
    { customer: CUSTOMER, name: 'Asha R', messages: 2 },
  ]);
});
