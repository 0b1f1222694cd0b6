import { addNumberV1, getMessageV1, newId, type SendMessageRequest, templateSample } from '@switchboard/contracts';
import {
  ACCESS_TOKEN,
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  sealed,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

const OTHER_CUSTOMER = '919812345679';
const BUTTONS = {
  type: 'button' as const,
  header: { type: 'text' as const, text: 'Delivery' },
  body: { text: 'When?' },
  footer: { text: 'Acme' },
  action: { buttons: [{ type: 'reply' as const, reply: { id: 'today', title: 'Today' } }] },
};
const LIST = {
  type: 'list' as const,
  header: { type: 'text' as const, text: 'Delivery' },
  body: { text: 'Which way?' },
  footer: { text: 'Acme' },
  action: { button: 'Choose', sections: [{ rows: [{ id: 'express', title: 'Express', description: '1-2 days' }] }] },
};
const PAGE = (displayText: object) => ({
  type: 'cta_url' as const,
  header: { type: 'image' as const, image: { link: 'https://example.com/a.png' } },
  body: { text: 'It is on its way' },
  footer: { text: 'Acme' },
  action: { name: 'cta_url' as const, parameters: { ...displayText, url: 'https://example.com/track' } },
});
const FLOW = (parameters: object) => ({
  type: 'flow' as const,
  body: { text: 'Book your visit' },
  action: { name: 'flow' as const, parameters },
});
const START = { screen: 'A', data: { firstName: 'Asha', last_name: 'R' } };
const PRODUCTS = (sections: object, catalog: object) => ({
  type: 'product_list' as const,
  header: { type: 'text' as const, text: 'New' },
  body: { text: 'Fresh today' },
  action: { ...catalog, sections: [sections] },
});
const QUESTION = (type: string, name: string) => ({ type, body: { text: 'May we?' }, action: { name } });
const CARD = {
  name: { formattedName: 'Bo Li', firstName: 'Bo' },
  phones: [{ phone: '+1 555', waId: '1555' }],
  emails: [{ email: 'bo@example.com', type: 'WORK' }],
  urls: [{ url: 'https://example.com' }],
  addresses: [{ street: 'Main St 1', countryCode: 'us' }],
  org: { company: 'Demo', title: 'Lead' },
  birthday: '1999-01-23',
};
const CARD_ON_THE_WIRE = {
  ...CARD,
  name: { formatted_name: 'Bo Li', first_name: 'Bo' },
  phones: [{ phone: '+1 555', wa_id: '1555' }],
  addresses: [{ street: 'Main St 1', country_code: 'us' }],
};

describe('replies and reactions', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let received: { id: string; upstreamId: string };

  beforeAll(async () => {
    messaging = await startMessaging();
    account = await messaging.addAccount();
    received = await writeIn(account);
  });
  afterAll(() => messaging.stop());

  /** Stores an inbound message. */
  async function writeIn(to: TestAccount, from = CUSTOMER): Promise<{ id: string; upstreamId: string }> {
    const message = inboundText({ from });
    await messaging.callback(to.phoneNumberId, { messages: [message] });
    await messaging.settled();
    const { id } = (await messaging.list(to.accountId, { upstreamId: message.id })).messages[0] ?? { id: '' };
    return { id, upstreamId: message.id };
  }

  const wireOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id).map(({ body }) => body);
  const send = async (message: object, id = newId('msg')): Promise<string> => {
    await messaging.send(account.accountId, message as Partial<SendMessageRequest>, id);
    return id;
  };
  const recordOf = async (id: string) =>
    (await messaging.gateway.request(getMessageV1, { accountId: account.accountId, id })).message;
  const refusalOf = async (message: object): Promise<[string, string]> => {
    const id = newId('msg');
    const error = await send(message, id).then(
      () => new Error('it was sent'),
      (refused: Error & { code?: string }) => refused,
    );
    expect(wireOf(id)).toEqual([]);
    return [(error as { code?: string }).code ?? '', error.message];
  };

  it.each<[string, object, object, object]>([
    ['interactive', BUTTONS, BUTTONS, BUTTONS],
    ['interactive', LIST, LIST, LIST],
    ['interactive', PAGE({ displayText: 'Track' }), PAGE({ display_text: 'Track' }), PAGE({ displayText: 'Track' })],
    [
      'interactive',
      FLOW({ flowId: '11', flowCta: 'Book', flowActionPayload: START }),
      FLOW({ flow_message_version: '3', flow_id: '11', flow_cta: 'Book', flow_action_payload: START }),
      FLOW({ flowId: '11', flowCta: 'Book', flowActionPayload: START }),
    ],
    [
      'interactive',
      PRODUCTS({ productItems: [{ productRetailerId: 'SKU-17' }] }, { catalogId: '1948' }),
      PRODUCTS({ product_items: [{ product_retailer_id: 'SKU-17' }] }, { catalog_id: '1948' }),
      PRODUCTS({ productItems: [{ productRetailerId: 'SKU-17' }] }, { catalogId: '1948' }),
    ],
    [
      'interactive',
      { type: 'product', action: { catalogId: '1948', productRetailerId: 'SKU-17' } },
      { type: 'product', action: { catalog_id: '1948', product_retailer_id: 'SKU-17' } },
      { type: 'product', action: { catalogId: '1948', productRetailerId: 'SKU-17' } },
    ],
    ...['send_location', 'call_permission_request'].map((name): [string, object, object, object] => {
      const asked = QUESTION(name === 'send_location' ? 'location_request_message' : name, name);
      return ['interactive', asked, asked, asked];
    }),
    [
      'location',
      { latitude: 37.44, longitude: -122.16, name: 'Café', address: '101 Forest Ave' },
      { latitude: 37.44, longitude: -122.16, name: 'Café', address: '101 Forest Ave' },
      { latitude: 37.44, longitude: -122.16, name: 'Café', address: '101 Forest Ave' },
    ],
    ['contacts', [CARD], [CARD_ON_THE_WIRE], [CARD]],
    [
      'sticker',
      { link: 'https://example.com/a.webp' },
      { link: 'https://example.com/a.webp' },
      { link: 'https://example.com/a.webp' },
    ],
    [
      'text',
      { body: 'https://example.com', previewUrl: true },
      { body: 'https://example.com', preview_url: true },
      { body: 'https://example.com', previewUrl: true },
    ],
  ])('are sent in upstream format and shown unchanged: type %s (%#)', async (type, asked, wire, shown) => {
    const id = await send({ type, [type]: asked });
    expect(wireOf(id)).toMatchObject([{ to: `+${CUSTOMER}`, type, [type]: wire }]);
    expect(await recordOf(id)).toMatchObject({ type, content: shown, status: 'accepted' });
  });

  it('use the upstream id of the message in replies', async () => {
    const ownId = await send({ type: 'text', text: { body: 'Do you want it?' } });
    const { upstreamId: own } = await recordOf(ownId);
    for (const [messageId, named] of [
      [received.id, received.upstreamId],
      [received.upstreamId, received.upstreamId],
      [ownId, own],
      [own, own],
    ]) {
      const id = await send({ type: 'text', text: { body: 'Yes' }, context: { messageId } });
      expect(wireOf(id)).toMatchObject([{ context: { message_id: named } }]);
      expect(await recordOf(id)).toMatchObject({ context: { messageId: named } });
    }
    const plain = await send({ type: 'text', text: { body: 'Yes' } });
    expect(wireOf(plain)[0]).not.toHaveProperty('context');
    expect(await recordOf(plain)).toMatchObject({ context: null });
  });

  it('are rejected for messages outside the conversation', async () => {
    const neighbour = await messaging.addAccount();
    const second = { ...account, phoneNumber: '15550799999', phoneNumberId: '200000000099999' };
    await messaging.gateway.request(addNumberV1, {
      accountId: account.accountId,
      phoneNumber: second.phoneNumber,
      phoneNumberId: second.phoneNumberId,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, account.accountId),
    });
    const foreign = [
      (await writeIn(account, OTHER_CUSTOMER)).id,
      (await writeIn(neighbour)).upstreamId,
      (await writeIn(second)).id,
      newId('msg'),
      'wamid.NOBODY',
    ];
    for (const messageId of foreign) {
      expect(await refusalOf({ type: 'text', text: { body: 'Yes' }, context: { messageId } })).toEqual([
        'INVALID_VALUE',
        'context.messageId names no message between this number of yours and the recipient',
      ]);
      expect(await refusalOf({ type: 'reaction', reaction: { messageId, emoji: '👍' } })).toMatchObject([
        'INVALID_VALUE',
        expect.stringContaining('reaction.messageId names no message') as string,
      ]);
    }
  });

  it('use the upstream id in reactions, which can be removed', async () => {
    for (const emoji of ['👍', '❤', '👩‍🔧', '']) {
      const id = await send({ type: 'reaction', reaction: { messageId: received.id, emoji } });
      expect(wireOf(id)).toMatchObject([{ type: 'reaction', reaction: { message_id: received.upstreamId, emoji } }]);
      expect(await recordOf(id)).toMatchObject({ content: { messageId: received.upstreamId, emoji } });
    }
  });

  it('are rejected for reactions to outbound, old or reaction messages', async () => {
    const react = (messageId: string) => refusalOf({ type: 'reaction', reaction: { messageId, emoji: '👍' } });
    const own = await send({ type: 'text', text: { body: 'Hello' } });
    expect(await react(own)).toEqual([
      'INVALID_VALUE',
      'reaction.messageId names a message of yours: react to one that the recipient wrote',
    ]);
    const sql = (text: string, id: string) => messaging.dataSource.query(text, [id]);
    const theirs = await writeIn(account);
    await sql("UPDATE messages SET type = 'reaction' WHERE id = $1", theirs.id);
    expect((await react(theirs.id))[1]).toContain('names a reaction');
    const old = await writeIn(account);
    await sql("UPDATE messages SET received_at = now() - interval '31 days' WHERE id = $1", old.id);
    expect(await react(old.id)).toEqual(['INVALID_VALUE', expect.stringContaining('older than 30 days')]);
    expect((await react('wamid.NOBODY'))[1]).toContain('names no message');
    await sql("UPDATE messages SET received_at = now() - interval '29 days' WHERE id = $1", old.id);
    await send({ type: 'reaction', reaction: { messageId: old.id, emoji: '👍' } });
  });

  // Keep this test last: the window stays closed.
  it('require an open window', async () => {
    await messaging.dataSource.query("UPDATE service_windows SET last_inbound_at = now() - interval '25 hours'");
    const link = 'https://example.com/a';
    const contents = {
      text: { body: 'Hello' },
      ...Object.fromEntries(['image', 'document', 'video', 'audio', 'sticker'].map((type) => [type, { link }])),
      interactive: BUTTONS,
      location: { latitude: 1, longitude: 2 },
      contacts: [CARD],
      reaction: { messageId: received.id, emoji: '👍' },
    };
    for (const [type, content] of Object.entries(contents))
      expect([type, (await refusalOf({ type, [type]: content }))[0]]).toEqual([type, 'WINDOW_CLOSED']);
    messaging.templates.set('hello', { ...templateSample, name: 'hello', components: [{ type: 'BODY', text: 'Hi' }] });
    const id = await send({ type: 'template', template: { name: 'hello', language: { code: 'en_US' } } });
    expect(wireOf(id)).toHaveLength(1);
  });
});
