import { newId, templateSample } from '@switchboard/contracts';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const STRANGER = '919812340001';

describe('concurrent sends', () => {
  let messaging: RunningMessaging;
  let accounts: [TestAccount, TestAccount];

  beforeAll(async () => {
    messaging = await startMessaging({ upstreamTimeoutMs: 10_000 });
    messaging.upstream.behave('accept');
    messaging.templates.set('order_update', { ...templateSample, components: [{ type: 'BODY', text: 'Hello' }] });
    accounts = [await messaging.addAccount(), await messaging.addAccount()];
    await messaging.writeIn(accounts[0]);
  });
  afterAll(() => messaging.stop());

  const template = { type: 'template' as const, template: { name: 'order_update', language: { code: 'en_US' } } };
  const text = { text: { body: 'Hello' } };
  const rowsOf = (ids: readonly string[]) =>
    messaging.dataSource.query(
      'SELECT id, account_id, state, upstream_id, recipient, contact_id FROM messages WHERE id = ANY ($1)',
      [ids],
    );

  it('do not mix up numbers, windows, responses and rows', async () => {
    const wanted = Array.from({ length: 60 }, (_none, index) => {
      const account = accounts[index % 2] as TestAccount;
      return { id: newId('msg'), account, message: index % 3 === 0 ? template : text };
    });
    const outcomes = await Promise.allSettled(
      wanted.map(({ id, account, message }) => messaging.send(account.accountId, message, id)),
    );
    const isOpen = ({ account, message }: (typeof wanted)[number]): boolean =>
      account === accounts[0] || message === template;
    const answers = outcomes.map((outcome, index) => {
      const each = wanted[index] as (typeof wanted)[number];
      const answered = outcome.status === 'fulfilled' ? outcome.value.id : (outcome.reason as { code: string }).code;
      return { index, answered, expected: isOpen(each) ? each.id : 'WINDOW_CLOSED' };
    });
    expect(answers.filter(({ answered, expected }) => answered !== expected)).toEqual([]);

    const sent = wanted.filter(isOpen);
    const rows = new Map((await rowsOf(wanted.map(({ id }) => id))).map((row: { id: string }) => [row.id, row]));
    expect(rows.size).toBe(sent.length);
    for (const { id, account } of sent) {
      const [call] = messaging.upstream.sends.filter(({ echo }) => echo === id);
      expect(call).toMatchObject({ phoneNumberId: account.phoneNumberId, body: { to: `+${CUSTOMER}` } });
      const upstreamId = outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && outcome.value.id === id ? outcome.value.upstreamId : [],
      )[0];
      expect(rows.get(id)).toMatchObject({ account_id: account.accountId, state: 'accepted', upstream_id: upstreamId });
    }
  });

  it('are sent once when each command is duplicated', async () => {
    const ids = Array.from({ length: 40 }, () => newId('msg'));
    await Promise.allSettled(
      ids.flatMap((id) => [id, id]).map((id) => messaging.send(accounts[0].accountId, text, id)),
    );
    expect(ids.map((id) => messaging.upstream.sends.filter(({ echo }) => echo === id).length)).toEqual(
      ids.map(() => 1),
    );
  });

  it('create one contact for a new recipient', async () => {
    const ids = Array.from({ length: 10 }, () => newId('msg'));
    await Promise.all(ids.map((id) => messaging.send(accounts[1].accountId, { ...template, to: STRANGER }, id)));
    const rows = (await rowsOf(ids)) as { contact_id: string }[];
    expect(rows).toHaveLength(10);
    const contacts = (await messaging.dataSource.query('SELECT id FROM contacts WHERE phone = $1', [STRANGER])) as {
      id: string;
    }[];
    expect(contacts).toHaveLength(1);
    expect(new Set(rows.map((row) => row.contact_id))).toEqual(new Set([contacts[0]?.id]));
  });
});
