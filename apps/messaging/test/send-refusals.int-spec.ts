import { newId, type SendMessageRequest, templateSample } from '@switchboard/contracts';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('send checks', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
    for (const category of ['MARKETING', 'UTILITY', 'AUTHENTICATION'])
      messaging.templates.set(category, { ...templateSample, name: category, category, components: [] });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const text: Partial<SendMessageRequest> = { type: 'text', text: { body: 'Hello' } };
  const template = (name: string): Partial<SendMessageRequest> => ({
    type: 'template',
    template: { name, language: { code: 'en_US' } },
  });
  const set = (change: string) =>
    messaging.dataSource.query(`UPDATE contacts SET ${change} WHERE account_id = $1`, [account.accountId]);
  const codeOf = async (message: Partial<SendMessageRequest>): Promise<string> => {
    const id = newId('msg');
    const outcome = await messaging.send(account.accountId, message, id).then(
      () => 'sent',
      (error: { code: string }) => error.code,
    );
    const rows: unknown[] = await messaging.dataSource.query('SELECT 1 FROM messages WHERE id = $1', [id]);
    // A rejected send is neither sent nor stored.
    expect([rows.length, messaging.upstream.sends.filter(({ echo }) => echo === id).length]).toEqual(
      outcome === 'sent' ? [1, 1] : [0, 0],
    );
    return outcome;
  };

  it.each([
    ['opted out', 'opted_out = true', ['sent', 'sent', 'RECIPIENT_OPTED_OUT']],
    ['stopped marketing upstream', 'marketing_opted_out = true', ['sent', 'sent', 'RECIPIENT_OPTED_OUT']],
    ['is blocked', 'blocked = true', ['RECIPIENT_OPTED_OUT', 'RECIPIENT_OPTED_OUT', 'RECIPIENT_OPTED_OUT']],
    ['accepts all messages', 'opted_out = false', ['sent', 'sent', 'sent']],
  ])('apply per message type to a contact who %s', async (_title, change, expected) => {
    await set(change);
    expect([await codeOf(text), await codeOf(template('UTILITY')), await codeOf(template('MARKETING'))]).toEqual(
      expected,
    );
    expect(await codeOf(template('AUTHENTICATION'))).toBe(expected[1]);
  });

  it.each([
    ['blocked = true', 'your account has blocked this recipient'],
    ['opted_out = true', 'the recipient has opted out'],
    ['blocked = true, opted_out = true', 'your account has blocked this recipient'],
  ])('return the reason for the rejection: %s', async (change, message) => {
    await set(change);
    await expect(messaging.send(account.accountId, template('MARKETING'), newId('msg'))).rejects.toMatchObject({
      message,
    });
  });

  it('match any phone number format', async () => {
    await messaging.writeIn(account, '551187654321');
    await set('blocked = true');
    expect(await codeOf({ ...text, to: '5511987654321' })).toBe('RECIPIENT_OPTED_OUT');
  });

  it.each([
    ['enforce', 'WINDOW_CLOSED'],
    ['upstream', 'sent'],
  ])('follow the policy %s outside the window', async (policy, expected) => {
    await messaging.dataSource.query('INSERT INTO account_settings (account_id, window_policy) VALUES ($1, $2)', [
      account.accountId,
      policy,
    ]);
    expect(await codeOf({ ...text, to: '919812349999' })).toBe(expected);
    // Insert a contact who wrote more than a day ago.
    await messaging.dataSource.query(
      "UPDATE service_windows SET last_inbound_at = now() - interval '25 hours' WHERE account_id = $1",
      [account.accountId],
    );
    expect([await codeOf(text), await codeOf(template('UTILITY'))]).toEqual([expected, 'sent']);
  });

  it('create no contact', async () => {
    expect(await codeOf({ ...text, to: '919812348888' })).toBe('WINDOW_CLOSED');
    expect(
      await messaging.dataSource.query('SELECT phone FROM contacts WHERE account_id = $1', [account.accountId]),
    ).toEqual([{ phone: CUSTOMER }]);
  });
});
