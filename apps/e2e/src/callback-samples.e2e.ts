import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount, WABA_ID } from './support/account';
import { demo, upstreamAppSecret } from './support/installation';
import { type Listener, listenFor } from './support/webhooks';

/** Number whose messages stay `sent`, so that further statuses come only from the samples. */
const STAYS_SENT = '15005550103';
/** Unused business account, so that its callbacks affect no other test. */
const NOBODYS_WABA = '999000000000001';
/** Fields of a single number. All others concern the whole account. */
const OF_NUMBER = /^(messages|user_preferences|calls|history|smb_|group_)/;

/** Expected events for the messages of the samples. */
const MESSAGES: Record<string, Record<string, unknown>> = {
  text: { from: '15550002222', name: 'Ana Test', type: 'text', text: { body: 'Is it still there?' } },
  'text of a person who hides the number': { from: null, userId: 'US.10000000000000000002', type: 'text' },
  'texts whose writer stands in the contacts alone': {
    from: '15550002223',
    userId: 'US.10000000000000000003',
    type: 'text',
  },
  'text with a parent user id': { from: '15550002222', userId: 'US.10000000000000000001', type: 'text' },
  'answer to a message': { type: 'text', context: { messageId: 'wamid.OUT' } },
  'forwarded text': { type: 'text', context: { forwarded: true } },
  'text that was forwarded many times': { type: 'text', context: { frequentlyForwarded: true } },
  'question about a product': { type: 'text', context: { referredProduct: { productRetailerId: 'di9ozbzfi4' } } },
  'text after an advertisement': { type: 'text', referral: { sourceType: 'ad', ctwaClid: 'Aff-x' } },
  'text after a post': { type: 'text', referral: { sourceType: 'post' } },
  image: { type: 'image', image: { caption: 'Receipt', mimeType: 'image/jpeg' } },
  video: { type: 'video', video: { mimeType: 'video/mp4' } },
  'voice note': { type: 'audio', audio: { voice: true } },
  document: { type: 'document', document: { filename: 'form.pdf' } },
  sticker: { type: 'sticker', sticker: { animated: true } },
  location: { type: 'location', location: { name: 'Cafe' } },
  'location without a name': { type: 'location', location: { latitude: 37.4422 } },
  contacts: { type: 'contacts', contacts: [{ name: { formattedName: 'Bo Li' } }] },
  'button of a template': { type: 'button', button: { payload: 'later' } },
  'reply button': { type: 'interactive', interactive: { buttonReply: { id: 'cancel' } } },
  'choice of a list': { type: 'interactive', interactive: { listReply: { id: 'row1' } } },
  'filled form': { type: 'interactive', interactive: { nfmReply: { name: 'flow' } } },
  'answer to a request for calls': {
    type: 'interactive',
    interactive: { callPermissionReply: { response: 'accept' } },
  },
  reaction: { type: 'reaction', reaction: { messageId: 'wamid.OUT', emoji: '👍' } },
  'reaction that is taken back': { type: 'reaction', reaction: { messageId: 'wamid.OUT', emoji: '' } },
  order: { type: 'order', order: { productItems: [{ quantity: 2 }] } },
  // Types without an equivalent for customers become `unsupported`, so that no message is lost.
  'first visit of the chat': { type: 'unsupported', unsupported: { type: 'request_welcome' } },
  'new number': {
    type: 'unsupported',
    from: '15550002225',
    unsupported: { type: 'system', notice: 'user_changed_number', phone: '15550002226' },
  },
  'new number, as it was written before': {
    type: 'unsupported',
    from: '15550002227',
    unsupported: { type: 'system', notice: 'customer_changed_number', phone: '15550002228' },
  },
  'new identity': { type: 'unsupported', unsupported: { type: 'system' } },
  'kind that the platform does not pass on': {
    type: 'unsupported',
    unsupported: { type: 'poll_creation' },
    errors: [{ code: 131051, title: 'Message type unknown', details: 'Message type is currently not supported.' }],
  },
  'kind that the platform did not know in earlier versions': {
    type: 'unsupported',
    errors: [{ code: 131051, title: 'Unsupported message type', details: 'Message type is not currently supported' }],
  },
  'kind that nobody knows': { type: 'unsupported', unsupported: { type: 'hologram' } },
  'message without a kind': { type: 'unsupported' },
  'file that the platform could not take in': {
    type: 'unsupported',
    errors: [{ code: 131052, title: 'Media download error', details: 'The file is too large' }],
  },
  'message to a group': { type: 'text', from: '15550002224', groupId: 'Y2FwaV9ncm91cDox' },
  'message of years ago': { type: 'text', timestamp: '2017-09-08T20:36:28.000Z' },
  'two messages of two people': { type: 'text', from: '15550002222', text: { body: 'One' } },
};

/** Expected events for changes of messages that are not stored. */
const CHANGES: Record<string, Record<string, unknown>> = {
  edit: { event: 'message_edited', id: null, type: 'text', text: { body: 'Is it there?' }, from: '15550002222' },
  deletion: { event: 'message_deleted', id: null, from: '15550002222' },
};

/** Expected other events of the samples, each of them once. */
const OTHERS: Record<string, unknown>[] = [
  { event: 'contact_changed', previousPhone: '15550002225', phone: '15550002226', moved: true },
  { event: 'contact_changed', previousPhone: '15550002227', phone: '15550002228', moved: true },
  { event: 'call', callId: 'wacid.A', from: '15550002222', name: 'Ana Test' },
  { event: 'message_echo', action: 'sent', to: '15550002222', type: 'text', text: { body: 'From the app' } },
];

/** Expected events for statuses, or null where an event must not be sent. */
const STATUSES: Record<string, Record<string, unknown> | null> = {
  'delivered, of a person who hides the number': { status: 'delivered', to: STAYS_SENT, error: null },
  'read, with the conversation of earlier versions': { status: 'read', to: STAYS_SENT },
  failed: { status: 'failed', error: { code: 131026 } },
  played: null,
  deleted: null,
  'read by one of a group': null,
  'of a message that somebody else sent': null,
  'trouble of the number itself': null,
};

interface Change {
  field: string;
  value: Record<string, unknown> & { messages?: { id: string }[]; statuses?: { id: string }[] };
}

const FOLDER = resolve(import.meta.dirname, 'samples');

describe('upstream callback samples', () => {
  const run = randomUUID();
  let account: TestAccount;
  let listener: Listener;
  let messages: Record<string, Change>;
  let statuses: Record<string, Change>;
  let changes: Record<string, Change>;
  const answers = new Map<string, number>();

  /** Returns the samples of a file, for the account's number. */
  function samplesOf(file: string, ids: Record<string, string>): Record<string, Change> {
    const words = { run, now: String(Math.floor(Date.now() / 1_000)), display: account.phoneNumber, ...ids };
    const text = readFileSync(resolve(FOLDER, file), 'utf8');
    const filled = Object.entries(words).reduce((whole, [word, value]) => whole.replaceAll(`{{${word}}}`, value), text);
    const samples = JSON.parse(filled) as Record<string, Partial<Change>>;
    return Object.fromEntries(
      Object.entries(samples).map(([name, { field = 'messages', value, ...lists }]) => [
        name,
        { field, value: { ...(OF_NUMBER.test(field) && ofNumber()), ...(value ?? lists) } },
      ]),
    );
  }
  const ofNumber = () => ({
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: account.phoneNumber, phone_number_id: account.phoneNumberId },
  });

  async function post(body: string): Promise<number> {
    const signature = `sha256=${createHmac('sha256', upstreamAppSecret).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
    const answer = await fetch(new URL('/callbacks/upstream', demo.baseUrl), { method: 'POST', headers, body });
    await answer.text();
    return answer.status;
  }
  async function postAll(samples: Record<string, Change>, wabaId = WABA_ID): Promise<void> {
    for (const [name, change] of Object.entries(samples)) {
      const time = OF_NUMBER.test(change.field) ? {} : { time: Math.floor(Date.now() / 1_000) };
      const entry = { id: wabaId, ...time, changes: [change] };
      answers.set(name, await post(JSON.stringify({ object: 'whatsapp_business_account', entry: [entry] })));
    }
  }
  async function send(): Promise<string> {
    const sent = await account.api.sendMessage({
      to: STAYS_SENT,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    return String(sent.message_id);
  }

  beforeAll(async () => {
    account = await newAccount('Callback samples');
    listener = await listenFor(account.accountId);
    const [sent, failing] = [await send(), await send()];
    messages = samplesOf('messages.json', {});
    statuses = samplesOf('statuses.json', { sent, failing });
    changes = samplesOf('changes.json', {});
    await postAll(messages);
    await postAll(statuses);
    await postAll(changes, NOBODYS_WABA);
  }, 120_000);
  afterAll(() => listener.receiver.close());

  const told = (id: string | undefined, event: string) => listener.about(id).filter((one) => one.event === event);

  it('are all known to this test', () => {
    expect(Object.keys(statuses)).toEqual(Object.keys(STATUSES));
    expect(Object.keys({ ...MESSAGES, ...CHANGES }).toSorted()).toEqual(Object.keys(messages).toSorted());
  });

  it('all get a 200', () => {
    expect([...answers].filter(([, status]) => status !== 200)).toEqual([]);
    expect(answers.size).toBe([messages, statuses, changes].flatMap((file) => Object.keys(file)).length);
  });

  it.each(Object.entries(MESSAGES))('report %s once', async (name, expected) => {
    const id = messages[name]?.value.messages?.[0]?.id;
    const events = await eventually(() => {
      const found = told(id, 'message');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(events).toMatchObject([expected]);
  });

  it.each(Object.entries(STATUSES).filter(([, expected]) => expected !== null))(
    'report the status %s',
    async (name, expected) => {
      const id = statuses[name]?.value.statuses?.[0]?.id;
      await eventually(() => {
        const found = told(id, 'message_status').filter(
          (event) => 'status' in event && event.status === expected?.['status'],
        );
        expect(found).toMatchObject([expected]);
      });
    },
  );

  it.each(Object.entries(CHANGES))('report %s once and not as a message', async (name, expected) => {
    const changed = { edit: `wamid.${run}.edited`, deletion: `wamid.${run}.deleted` }[name];
    await eventually(() => expect(listener.about(changed)).toMatchObject([expected]));
    expect(listener.about(messages[name]?.value.messages?.[0]?.id)).toEqual([]);
  });

  it.each(OTHERS)('report $event once', async (expected) => {
    const found = () => listener.events().filter((event) => expect.objectContaining(expected).asymmetricMatch(event));
    await eventually(() => expect(found()).toHaveLength(1));
  });

  it('store every message and every call', async () => {
    const ids = Object.entries(messages)
      .filter(([name]) => !(name in CHANGES))
      .flatMap(([, { value }]) => value.messages?.map(({ id }) => id) ?? []);
    await eventually(async () => {
      const { messages: all } = await account.api.listMessages({ direction: 'inbound', limit: 100 });
      const records = all.filter(({ origin }) => origin === 'api');
      expect(records.map(({ messageId }) => messageId).toSorted()).toEqual([...ids, 'wacid.A'].toSorted());
    });
  });

  it('store echoes, history and contacts of the phone app', async () => {
    const recordOf = async (id: string) =>
      (await account.api.listMessages({ messageId: `wamid.${run}.${id}` })).messages;
    await eventually(async () => {
      expect(await recordOf('echo')).toMatchObject([
        { origin: 'business_app', direction: 'outbound', status: 'sent', text: { body: 'From the app' } },
      ]);
      expect(await recordOf('history')).toMatchObject([
        { origin: 'history', direction: 'inbound', from: '15550002222', text: { body: 'Long ago' } },
      ]);
      const { contacts } = await account.api.searchContacts({ q: '15550002222' });
      expect(contacts).toMatchObject([{ appName: 'Ana Test' }]);
    });
  });

  it('follow contacts who changed their number or opted out', async () => {
    const contact = async (phone: string) => (await account.api.searchContacts({ q: phone })).contacts;
    for (const [before, after] of [
      ['15550002225', '15550002226'],
      ['15550002227', '15550002228'],
    ] as const) {
      await eventually(async () => expect(await contact(after)).toMatchObject([{ phone: after }]));
      expect(await contact(before)).toEqual([]);
    }
    await eventually(async () => expect(await contact('15550002222')).toMatchObject([{ marketingOptOut: true }]));
  });

  it('cause no event if they are of any other kind', async () => {
    // Everything posted earlier is applied before this message.
    const id = `wamid.${run}.last`;
    const last = { from: '15550002222', id, timestamp: '1790416802', type: 'text', text: { body: 'last' } };
    const change = { field: 'messages', value: { ...ofNumber(), messages: [last] } };
    expect(await post(JSON.stringify({ entry: [{ id: WABA_ID, changes: [change] }] }))).toBe(200);
    await eventually(() => expect(told(id, 'message')).toHaveLength(1));
    const statusesTold = Object.values(STATUSES).filter((expected) => expected !== null).length;
    const messagesTold = Object.values(messages).flatMap(({ value }) => value.messages ?? []).length;
    // Other tests change templates of the same business concurrently.
    const isOfAnother = (event: object): boolean =>
      'templateName' in event && !String(event.templateName).startsWith('nobodys_');
    const own = listener
      .events()
      .filter((event) => !('status' in event && ['sent', 'accepted'].includes(String(event.status))))
      .filter((event) => !isOfAnother(event));
    expect(own).toHaveLength(messagesTold + statusesTold + OTHERS.length + 1);
  });

  it.each([
    'null',
    '[]',
    '{}',
    '{"entry":null}',
    '{"object":"whatsapp_business_account","entry":[{"id":1,"changes":[null,{"field":"messages","value":null}]}]}',
    '{"entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[null,{"id":1}],"statuses":"x"}}]}]}',
    'no JSON at all',
  ])('get a 200 even when malformed, to prevent retries: %s', async (body) => {
    expect(await post(body)).toBe(200);
  });
});
