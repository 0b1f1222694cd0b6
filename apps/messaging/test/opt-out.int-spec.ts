import { changeContactV1, getContactV1, type OptOutRecord } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { insertOutbound } from './support/outbound-rows';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('contact opt-outs', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let customers = 0;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const newCustomer = (): string => `9198000${String(10_000 + (customers += 1))}`;
  const receive = async (...messages: object[]): Promise<void> => {
    await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  };
  const prefer = async (
    value: string,
    from: object,
    timestamp = 1_731_705_721,
    category = 'marketing_messages',
  ): Promise<void> => {
    await messaging.callback(account.phoneNumberId, { user_preferences: [{ ...from, category, value, timestamp }] });
    await messaging.settled();
  };
  const flags = async (phone: string): Promise<[boolean, boolean] | undefined> => {
    const [row] = await messaging.dataSource.query<{ opted_out: boolean; marketing_opted_out: boolean }[]>(
      'SELECT * FROM contacts WHERE account_id = $1 AND (phone = $2 OR user_id = $2)',
      [account.accountId, phone],
    );
    return row && [row.opted_out, row.marketing_opted_out];
  };

  it('are set and reversed by a keyword', async () => {
    const from = newCustomer();
    await receive(inboundText({ from, text: ' stop ', ageSeconds: 30 }));
    expect(await flags(from)).toEqual([true, false]);
    await receive(inboundText({ from, text: 'please do not stop', ageSeconds: 20 }));
    expect(await flags(from)).toEqual([true, false]);
    await receive(inboundText({ from, text: 'Start', ageSeconds: 10 }));
    expect(await flags(from)).toEqual([false, false]);
  });

  it.each([
    { type: 'button', button: { text: 'Stop promotions', payload: 'Stop promotions' } },
    { type: 'text', text: { body: 'Stop.' } },
  ])('are set by a platform button or a punctuated keyword (%j)', async (message) => {
    const from = newCustomer();
    await receive({ ...inboundText({ from }), ...message });
    expect(await flags(from)).toEqual([true, false]);
  });

  it('are set by a template button', async () => {
    const from = newCustomer();
    await receive({ ...inboundText({ from }), type: 'button', button: { payload: 'STOP', text: 'No more' } });
    expect(await flags(from)).toEqual([true, false]);
    await receive({
      ...inboundText({ from, ageSeconds: 0 }),
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'start', title: 'Yes' } },
    });
    expect(await flags(from)).toEqual([false, false]);
  });

  it('follow message times, not arrival order', async () => {
    const from = newCustomer();
    const [stop, start] = [
      inboundText({ from, text: 'STOP', ageSeconds: 60 }),
      inboundText({ from, text: 'START', ageSeconds: 30 }),
    ];
    await receive(start);
    await receive(stop);
    expect(await flags(from)).toEqual([false, false]);
    await receive(inboundText({ from, text: 'STOP', ageSeconds: 1 }));
    await receive(start);
    expect(await flags(from)).toEqual([true, false]);
    const both = newCustomer();
    await receive(
      inboundText({ from: both, text: 'START', ageSeconds: 5 }),
      inboundText({ from: both, text: 'STOP', ageSeconds: 90 }),
    );
    expect(await flags(both)).toEqual([false, false]);
  });

  it('are stored with their word and time', async () => {
    const [writer, stranger] = [newCustomer(), newCustomer()];
    const optOutOf = async (phone: string): Promise<OptOutRecord | null | undefined> =>
      (await messaging.gateway.request(getContactV1, { accountId: account.accountId, phone })).contact.optOut;
    await receive(inboundText({ from: writer, text: '«stop»', ageSeconds: 30 }));
    const stored = await optOutOf(writer);
    expect(stored).toEqual({ at: expect.any(String) as string, source: 'message', word: 'STOP', userId: null });
    // Opting out again in the dashboard keeps the first source.
    const { contact } = await messaging.gateway.request(getContactV1, { accountId: account.accountId, phone: writer });
    await messaging.gateway.request(changeContactV1, {
      accountId: account.accountId,
      contactId: contact.id,
      optedOut: true,
      userId: 'usr_1',
    });
    expect(await optOutOf(writer)).toEqual(stored);
    await receive(inboundText({ from: writer, text: 'start', ageSeconds: 1 }));
    expect(await optOutOf(writer)).toBeNull();
    await prefer('stop', { wa_id: stranger });
    expect(await optOutOf(stranger)).toEqual({
      at: new Date(1_731_705_721_000).toISOString(),
      source: 'platform',
      word: null,
      userId: null,
    });
  });

  it('use the custom words of the account', async () => {
    await messaging.dataSource.query(
      "INSERT INTO account_settings (account_id, opt_out_words) VALUES ($1, '{Arrêt}')",
      [account.accountId],
    );
    const [first, second] = [newCustomer(), newCustomer()];
    await receive(inboundText({ from: first, text: 'STOP' }), inboundText({ from: second, text: 'ARRÊT' }));
    expect([await flags(first), await flags(second)]).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  it('are received from the upstream platform by number or id', async () => {
    const [stranger, hidden] = [newCustomer(), 'US.77'];
    await prefer('stop', { wa_id: stranger });
    await prefer('stop', { user_id: hidden });
    expect([await flags(stranger), await flags(hidden)]).toEqual([
      [false, true],
      [false, true],
    ]);
    await prefer('resume', { wa_id: stranger }, 1_731_705_722);
    await prefer('stop', { wa_id: stranger }, 1_731_705_700);
    expect(await flags(stranger)).toEqual([false, false]);
  });

  it('are derived from a failed message unless an opt-in is newer', async () => {
    const phones = [newCustomer(), newCustomer(), newCustomer()];
    const failed = async (phone: string, code: number): Promise<void> => {
      const [id = ''] = await insertOutbound(messaging.dataSource, account, ['sent'], phone);
      await messaging.dataSource.query('UPDATE messages SET created_at = to_timestamp(1731705720) WHERE id = $1', [id]);
      await messaging.callback(account.phoneNumberId, {
        statuses: [{ id: `wamid.${id}`, status: 'failed', timestamp: '1731705721', errors: [{ code, title: 'No' }] }],
      });
      await messaging.settled();
    };
    const [stopped = '', other = '', resumed = ''] = phones;
    await prefer('resume', { wa_id: resumed }, 1_731_705_722);
    await failed(stopped, 131050);
    await failed(other, 131026);
    await failed(resumed, 131050);
    expect(await Promise.all(phones.map(flags))).toEqual([
      [false, true],
      [false, false],
      [false, false],
    ]);
  });

  it('lock the contact before all other rows', async () => {
    const phone = newCustomer();
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['unknown'], phone);
    const other = messaging.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT FROM contacts WHERE account_id = $1 AND phone = $2 FOR NO KEY UPDATE', [
      account.accountId,
      phone,
    ]);
    await messaging.callback(account.phoneNumberId, {
      statuses: [
        { id: `wamid.${id}`, status: 'failed', timestamp: '1731705721', errors: [{ code: 131050, title: 'No' }] },
      ],
    });
    await eventually(async () => {
      const waiting = await messaging.dataSource.query<unknown[]>(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%contacts%'",
      );
      expect(waiting.length).toBe(1);
    });
    const free = 'SELECT state FROM messages WHERE id = $1 FOR UPDATE SKIP LOCKED';
    expect(await other.query(free, [id])).toEqual([{ state: 'unknown' }]);
    await other.commitTransaction();
    await other.release();
    await messaging.settled();
    expect(await flags(phone)).toEqual([false, true]);
  });

  it('are not derived from other errors', async () => {
    const from = newCustomer();
    await receive(inboundText({ from }));
    await prefer('stop', { wa_id: from }, 1_731_705_721, 'something_else');
    await prefer('maybe', { wa_id: from });
    await prefer('stop', {});
    await eventually(async () => expect(await flags(from)).toEqual([false, false]));
  });
});
