import type { ReferredMessage } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { readFileSync } from 'node:fs';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

interface GivenMessage extends Record<string, unknown> {
  id: string;
  type: string;
  from: string;
}

/** Messages of every type, in upstream format. */
const FIXTURES = JSON.parse(
  readFileSync(new URL('../../../libs/upstream/test/fixtures/inbound-messages.json', import.meta.url), 'utf8'),
) as GivenMessage[];
const CONTEXTS: Record<string, ReferredMessage> = {
  'wamid.B': { messageId: 'wamid.OUT', from: '15550001111' },
  'wamid.Q': { messageId: 'wamid.OUT', from: '15550001111' },
  'wamid.F': { forwarded: true },
};

/** Media have an internal id and no upstream URL. */
const withoutAddress = (content: object): object =>
  Object.fromEntries(Object.entries(content).filter(([name]) => name !== 'url' && name !== 'id'));

describe('inbound messages of every type', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const receive = (messages: object[], contacts: object[] = []) =>
    messaging.callback(account.phoneNumberId, { messages, contacts });
  const eventsOf = (upstreamId: string) => messaging.inboundEvents.filter((event) => event.upstreamId === upstreamId);
  const sql = <Row>(text: string, params: unknown[] = []): Promise<Row[]> => messaging.dataSource.query(text, params);
  const contactBy = (column: 'phone' | 'user_id', value: string) =>
    sql<{ id: string; phone: string | null; user_id: string | null; opted_out: boolean }>(
      `SELECT * FROM contacts WHERE account_id = $1 AND ${column} = $2`,
      [account.accountId, value],
    );

  it('are stored and published once, with all upstream data', async () => {
    for (let round = 0; round < 3; round += 1) await receive(FIXTURES);
    // If a notice of a new number overtakes older messages of the old number, these keep their own contact.
    await messaging.settled();
    await Promise.all(FIXTURES.map((message) => receive([message])));
    await messaging.settled();
    const rows = await sql<{ upstream_id: string; type: string; id: string }>(
      'SELECT * FROM messages WHERE account_id = $1 ORDER BY upstream_id',
      [account.accountId],
    );
    expect(rows.map(({ upstream_id }) => upstream_id)).toEqual(FIXTURES.map(({ id }) => id).sort());
    for (const { id, type, ...given } of FIXTURES) {
      expect(eventsOf(id)).toHaveLength(1);
      const shown = Array.isArray(given[type]) ? given[type] : withoutAddress(given[type] as object);
      expect(eventsOf(id)).toMatchObject([
        {
          type,
          content: shown,
          context: CONTEXTS[id] ?? eventsOf(id)[0]?.context,
          errors: given.errors ?? null,
          referral: given.referral ?? null,
        },
      ]);
      expect(rows.find(({ upstream_id }) => upstream_id === id)).toMatchObject({ type, id: eventsOf(id)[0]?.id });
    }
    expect(JSON.stringify(messaging.inboundEvents)).not.toContain('lookaside');
  }, 60_000);

  it('keep their reference, referral and errors', async () => {
    const [row] = await sql<{ reference: object }>(
      "SELECT reference FROM messages WHERE account_id = $1 AND upstream_id = 'wamid.AD'",
      [account.accountId],
    );
    expect(row?.reference).toMatchObject({ context: null, referral: { source_type: 'ad' }, errors: null });
    const { messages } = await messaging.list(account.accountId, { upstreamId: 'wamid.AD' });
    expect(messages).toMatchObject([{ referral: { source_type: 'ad', ctwa_clid: 'Aff-x' }, errors: null }]);
  });

  it.each<[string, object]>([
    ['text', {}],
    ['interactive', { interactive: 'x' }],
    ['location', { location: [1, 2] }],
    ['contacts', { contacts: { name: 'x' } }],
    ...['image', 'video', 'audio', 'document', 'sticker', 'button', 'reaction', 'order'].map(
      (type): [string, object] => [type, {}],
    ),
  ])('are unsupported without content: type %s (%j)', async (type, content) => {
    const message = { ...inboundText(), text: undefined, type, ...content };
    await receive([message]);
    await messaging.settled();
    await eventually(() => expect(eventsOf(message.id)).toMatchObject([{ type: 'unsupported', content: { type } }]));
    expect((await messaging.list(account.accountId, { upstreamId: message.id })).messages).toMatchObject([
      { type: 'unsupported', content: { type } },
    ]);
  });

  it('enqueue a task for each of their files', async () => {
    const media = await sql<{ message_id: string; filename: string | null }>(
      'SELECT * FROM media WHERE account_id = $1 ORDER BY upstream_media_id',
      [account.accountId],
    );
    expect(media).toMatchObject([
      {
        upstream_media_id: '1003383421387256',
        mime_type: 'image/jpeg',
        sha256: 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=',
      },
      { upstream_media_id: '1908647269898587', mime_type: 'audio/ogg; codecs=opus' },
      { upstream_media_id: '1908647269898588', mime_type: 'image/webp' },
      { upstream_media_id: '622684793477189', filename: 'receipt.pdf' },
      { upstream_media_id: '731675419373506', mime_type: 'video/mp4' },
    ]);
    const [shown] = eventsOf('wamid.D');
    expect(shown?.content).toMatchObject({
      id: expect.stringMatching(/^med_/) as string,
      filename: 'receipt.pdf',
      caption: 'my receipt',
    });
  });

  it('move a contact to a new number once despite repetitions', async () => {
    expect(await contactBy('phone', '15550002222')).toEqual([]);
    expect(await contactBy('phone', '15550004444')).toHaveLength(1);
    await receive([FIXTURES.find(({ type }) => type === 'system') as object]);
    await messaging.settled();
    expect(await contactBy('phone', '15550002222')).toEqual([]);
  });

  it('copy opt-outs to a known contact with the new number', async () => {
    const [old, known] = ['15550100001', '15550100002'];
    await receive([inboundText({ from: old, text: 'STOP' })]);
    await receive([inboundText({ from: known })]);
    await messaging.settled();
    await sql('UPDATE contacts SET marketing_opted_out = true WHERE account_id = $1 AND phone = $2', [
      account.accountId,
      old,
    ]);
    await receive([
      { ...inboundText({ from: old }), type: 'system', system: { type: 'user_changed_number', wa_id: known } },
    ]);
    await messaging.settled();
    for (const phone of [known, old])
      expect(await contactBy('phone', phone)).toMatchObject([{ opted_out: true, marketing_opted_out: true }]);
  });

  it('move a contact to a new upstream user id', async () => {
    const anonymous = { ...inboundText(), from: undefined, from_user_id: 'US.1' };
    await receive([anonymous]);
    // Wait, because concurrent callbacks have no order.
    await messaging.settled();
    await receive([
      {
        ...inboundText(),
        from: undefined,
        from_user_id: 'US.1',
        type: 'system',
        system: { type: 'user_changed_user_id', user_id: 'US.2' },
      },
    ]);
    await eventually(async () => expect(await contactBy('user_id', 'US.2')).toMatchObject([{ phone: null }]));
    expect(await contactBy('user_id', 'US.1')).toEqual([]);
  });

  it.each([
    ['5511987654321', '551187654321'],
    ['5215512345678', '525512345678'],
    ['5491123456789', '541123456789'],
  ])('belong to one contact if sent by %s and %s', async (long, short) => {
    const [first, second] = [inboundText({ from: long }), inboundText({ from: short })];
    await receive([first], [{ wa_id: long, profile: { name: 'Ana' } }]);
    await eventually(() => expect(eventsOf(first.id).length).toBe(1));
    await receive([second], [{ wa_id: long, profile: { name: 'Ana B' } }]);
    await eventually(() => expect(eventsOf(second.id)).toMatchObject([{ from: short, name: 'Ana B' }]));
    const stored = await sql<{ sender: string; contact_id: string }>(
      'SELECT * FROM messages WHERE upstream_id = ANY ($1) ORDER BY id',
      [[first.id, second.id]],
    );
    expect(new Set(stored.map(({ sender }) => sender))).toEqual(new Set([long, short]));
    expect(new Set(stored.map(({ contact_id }) => contact_id)).size).toBe(1);
    expect(await contactBy('phone', long)).toHaveLength(1);
    expect(await contactBy('phone', short)).toEqual([]);
  });

  it('are stored once, at their arrival time, if their timestamp is invalid', async () => {
    const message = { ...inboundText(), timestamp: 'soon' };
    await receive([message]);
    await eventually(() => expect(eventsOf(message.id).length).toBe(1));
    await Promise.all([receive([message]), receive([message, message])]);
    await messaging.settled();
    expect(eventsOf(message.id)).toHaveLength(1);
    expect(Date.now() - Date.parse(eventsOf(message.id)[0]?.timestamp ?? '')).toBeLessThan(60_000);
    expect(await sql('SELECT id FROM messages WHERE upstream_id = $1', [message.id])).toHaveLength(1);
  });

  it('are not stored if they only report errors of the number', async () => {
    await messaging.callback(account.phoneNumberId, { errors: [{ code: 131000, title: 'Something went wrong' }] });
    await messaging.settled();
    expect(
      await sql('SELECT * FROM messages WHERE account_id = $1 AND type = $2', [account.accountId, 'errors']),
    ).toEqual([]);
  });
});
