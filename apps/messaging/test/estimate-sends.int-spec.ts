import {
  canonicalPhone,
  estimateSendsV1,
  type EstimateSendsCommand,
  firstIdAt,
  getSendingCapacityV1,
  importRatesV1,
  newId,
  setSpendCapV1,
} from '@switchboard/contracts';
import { GENERIC_PLAN } from '@switchboard/database';
import { planNodes, rowsPassedOver } from '@switchboard/testing';
import { ESTIMATED, FIND_RECIPIENT_STATES } from '../src/estimates/estimates.queries';
import { keysOf } from '../src/people/person-keys';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const HOUR_MS = 3_600_000;
const BEFORE = '2026-09-30T12:00:00.000Z';
const ASHA = '919812345678';
const INDIAN = '919812345679';
const AMERICAN = '12125550123';
const UTILITY = { currency: 'USD', source: 'sample', category: 'utility' as const };

describe('send estimates', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ env: { FREE_SERVICE_MESSAGES: '100' } });
    const international = { ...UTILITY, category: 'authentication-international' as const };
    await messaging.gateway.request(importRatesV1, {
      replace: true,
      rates: [
        { ...UTILITY, market: 'India', amount: '0.0014', validFrom: '2026-01-01' },
        { ...UTILITY, market: 'India', amount: '0.0020', validFrom: '2026-10-01' },
        { ...UTILITY, market: 'India', category: 'service', amount: '0.0030', validFrom: '2026-10-01' },
        { ...UTILITY, market: 'India', category: 'marketing', amount: '0.0100', validFrom: '2026-01-01' },
        { ...UTILITY, market: 'India', category: 'authentication', amount: '0.0014', validFrom: '2026-01-01' },
        { ...international, market: 'India', amount: '0.0280', validFrom: '2026-01-01' },
      ],
    });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const sql = (text: string, ...params: unknown[]) => messaging.dataSource.query(text, params);
  const estimate = (recipients: string[], more: Partial<EstimateSendsCommand> = {}, of = account) =>
    messaging.gateway.request(estimateSendsV1, {
      accountId: of.accountId,
      from: of.phoneNumber,
      category: 'UTILITY',
      at: new Date().toISOString(),
      recipients,
      ...more,
    });
  const addContact = async (phone: string, change = ''): Promise<string> => {
    const id = newId('ct');
    await sql(
      'INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($1, $2, $3, $4)',
      id,
      account.accountId,
      phone,
      canonicalPhone(phone),
    );
    if (change) await sql(`UPDATE contacts SET ${change} WHERE id = $1`, id);
    return id;
  };
  const addMessage = (
    contactId: string,
    direction: 'inbound' | 'outbound',
    hoursAgo: number,
    reference: object | null,
  ) => {
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    return sql(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
         received_at, accepted_at, reference, upstream_id)
       VALUES ($1, $2, $3, $4, $5, '1', '2', 'text', '{}', $6, $7, $8, $9, $1)`,
      firstIdAt('msg', at),
      account.accountId,
      account.numberId,
      contactId,
      direction,
      direction === 'inbound' ? 'received' : 'sent',
      direction === 'inbound' ? at : null,
      direction === 'inbound' ? null : at,
      reference && JSON.stringify(reference),
    );
  };
  const addReferred = (contactId: string, hoursAgo: number) =>
    addMessage(contactId, 'inbound', hoursAgo, { context: null, referral: { source_type: 'ad' }, errors: null });

  it('group messages by market and price on the sending date', async () => {
    const now = await estimate([ASHA, INDIAN, AMERICAN, 'IN.123456789012345']);
    expect(now).toEqual({
      currency: 'USD',
      groups: [
        {
          category: 'utility',
          market: 'India',
          messages: 3,
          lowest: '0.0020',
          highest: '0.0020',
          reserved: '0.0020',
          free: null,
        },
        {
          category: 'utility',
          market: 'North America',
          messages: 1,
          lowest: null,
          highest: null,
          reserved: null,
          free: null,
        },
      ],
      rejections: [],
      initiated: 4,
    });
    expect((await estimate([ASHA], { at: BEFORE })).groups).toMatchObject([{ lowest: '0.0014' }]);
  });

  it('check windows and blocks for each number', async () => {
    const other = await messaging.addAccount(account.accountId);
    const numbers = [account.phoneNumber, other.phoneNumber];
    await messaging.writeIn(other, ASHA);
    const text = { category: undefined };
    expect((await estimate([ASHA, INDIAN], text)).rejections).toHaveLength(2);
    expect(await estimate([ASHA, INDIAN], { ...text, numbers })).toMatchObject({
      groups: [{ category: 'service', messages: 1 }],
      rejections: [{ index: 1, reason: 'window_closed' }],
      initiated: 0,
    });
    await sql(
      'INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $3)',
      account.accountId,
      account.numberId,
      INDIAN,
    );
    expect((await estimate([INDIAN])).rejections).toMatchObject([{ code: 'RECIPIENT_BLOCKED' }]);
    expect(await estimate([INDIAN], { numbers })).toMatchObject({
      groups: [{ lowest: '0.00', highest: '0.0020' }],
      rejections: [],
    });
    await expect(estimate([ASHA], { numbers: [...numbers, '1'] })).rejects.toMatchObject({
      message: 'from is not one of your numbers',
    });
  });

  it('reject messages without a rate while a spend cap applies', async () => {
    const unrated = [{ index: 1, reason: 'rate_unknown', code: 'RATE_UNKNOWN' }];
    expect((await estimate([ASHA, AMERICAN], { isCapped: true })).rejections).toEqual(unrated);
    const cap = { amount: '5', currency: 'USD' };
    await messaging.gateway.request(setSpendCapV1, { accountId: account.accountId, cap });
    expect((await estimate([ASHA, AMERICAN])).rejections).toEqual(unrated);
  });

  it('give a price range for authentication abroad', async () => {
    const { groups } = await estimate([ASHA], { category: 'AUTHENTICATION' });
    expect(groups).toMatchObject([{ category: 'authentication', lowest: '0.0014', highest: '0.0280' }]);
  });

  it('reject blocked and opted-out contacts and closed windows', async () => {
    await addContact('919800000001', 'blocked = true');
    await addContact('919800000002', 'marketing_opted_out = true');
    await addContact('919800000003', 'opted_out = true');
    await sql(
      'INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $3)',
      account.accountId,
      account.numberId,
      '919800000004',
    );
    const recipients = [1, 2, 3, 4, 5].map((last) => `91980000000${last}`);
    const rejections = async (category?: string) =>
      (await estimate(recipients, { category })).rejections.map(({ index, reason, code }) => [index, reason, code]);
    const blocked = [
      [0, 'blocked', 'RECIPIENT_OPTED_OUT'],
      [3, 'blocked', 'RECIPIENT_BLOCKED'],
    ];
    expect(await rejections('UTILITY')).toEqual(blocked);
    expect(await rejections('MARKETING')).toEqual([
      blocked[0],
      [1, 'opted_out', 'RECIPIENT_OPTED_OUT'],
      [2, 'opted_out', 'RECIPIENT_OPTED_OUT'],
      blocked[1],
    ]);
    expect((await rejections()).map(([, reason]) => reason)).toEqual([
      'blocked',
      'window_closed',
      'window_closed',
      'blocked',
      'window_closed',
    ]);
  });

  it('find contacts by phone number, user id and parent user id', async () => {
    const [userId, parentId] = ['IN.111111111111111', 'IN.ENT.22222222222'];
    await addContact('919800000005', `blocked = true, user_id = '${userId}', parent_user_id = '${parentId}'`);
    const { rejections } = await estimate(['919800000005', userId, parentId, 'IN.333333333333333']);
    expect(rejections.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('check the service window at the sending time', async () => {
    await messaging.writeIn(account, ASHA);
    const text = { category: undefined };
    expect(await estimate([ASHA], text)).toMatchObject({
      groups: [{ category: 'service', lowest: '0.0030', highest: '0.0030', free: null }],
      rejections: [],
      initiated: 0,
    });
    const tomorrow = new Date(Date.now() + 25 * HOUR_MS).toISOString();
    expect(await estimate([ASHA], { ...text, at: tomorrow })).toMatchObject({
      groups: [],
      rejections: [{ index: 0, reason: 'window_closed' }],
    });
  });

  it('are free within the service window before 2026-10-01', async () => {
    const contact = await addContact(ASHA);
    await sql(
      `INSERT INTO service_windows VALUES ($1, $2, $3, '2026-09-30T11:00:00Z')`,
      account.numberId,
      contact,
      account.accountId,
    );
    const free = { free: 'free_customer_service', lowest: '0.00', highest: '0.00' };
    expect((await estimate([ASHA], { at: BEFORE })).groups).toMatchObject([free]);
    expect((await estimate([ASHA], { at: BEFORE, category: undefined })).groups).toMatchObject([free]);
    expect((await estimate([ASHA], { at: BEFORE, category: 'MARKETING' })).groups).toMatchObject([{ free: null }]);
  });

  it('give a price range when only the platform checks windows', async () => {
    await sql(`INSERT INTO account_settings (account_id, window_policy) VALUES ($1, 'upstream')`, account.accountId);
    expect(await estimate([ASHA], { category: undefined })).toMatchObject({
      groups: [{ category: 'service', lowest: '0.00', highest: '0.0030' }],
      rejections: [],
    });
  });

  it('are free within a free entry point', async () => {
    const cases: [string, number, number?][] = [
      ['unanswered', 23],
      ['unanswered for too long', 25],
      ['answered', 80, 70],
      ['answered too late', 80, 50],
      ['answered long ago', 90, 73],
    ];
    const phones = await Promise.all(
      cases.map(async ([, clicked, replied], index) => {
        const phone = `91980000001${index}`;
        const contact = await addContact(phone);
        await addReferred(contact, clicked);
        if (replied !== undefined) await addMessage(contact, 'outbound', replied, null);
        return phone;
      }),
    );
    const free = await Promise.all(
      phones.map(async (phone) => (await estimate([phone], { category: 'MARKETING' })).groups[0]?.free),
    );
    expect(cases.map(([name], index) => [name, free[index]])).toEqual([
      ['unanswered', 'free_entry_point'],
      ['unanswered for too long', null],
      ['answered', 'free_entry_point'],
      ['answered too late', null],
      ['answered long ago', null],
    ]);
  });

  it('ignore the contacts and numbers of other accounts', async () => {
    await addContact(ASHA, 'blocked = true');
    expect((await estimate([ASHA], {}, await messaging.addAccount())).rejections).toEqual([]);
    await expect(estimate([ASHA], { from: '15550000000' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it("report a number's remaining limits", async () => {
    const capacity = (options = {}) =>
      messaging.gateway.request(getSendingCapacityV1, {
        accountId: account.accountId,
        numbers: [account.phoneNumber],
        at: new Date().toISOString(),
        ...options,
      });
    await sql(`UPDATE numbers SET messaging_limit = 'TIER_UNLIMITED' WHERE id = $1`, account.numberId);
    expect(await capacity()).toMatchObject({
      numbers: [
        {
          phoneNumber: account.phoneNumber,
          throughput: 80,
          messagingLimit: null,
          remaining: null,
          portfolio: '100000000000001',
        },
      ],
      freeServiceLeast: 100,
      freeServiceMost: 100,
      chargesService: true,
    });
    await sql(
      `UPDATE numbers SET messaging_limit = 'TIER_1K', throughput_level = 'HIGH' WHERE id = $1`,
      account.numberId,
    );
    for (const phone of [ASHA, INDIAN]) {
      const contact = await addContact(phone);
      await addMessage(contact, 'outbound', 1 + Math.random(), null);
      await addMessage(contact, 'outbound', 26 + Math.random(), null);
    }
    await sql(`UPDATE messages SET type = 'template' WHERE account_id = $1`, account.accountId);
    await sql(
      `INSERT INTO usage_days VALUES ($1, current_date, 'service', 'regular', 'true', 'IN', '', '', 30)`,
      account.accountId,
    );
    expect(await capacity()).toMatchObject({
      numbers: [{ throughput: 1_000, messagingLimit: 1_000, remaining: 998 }],
      freeServiceLeast: 70,
    });
    expect(await capacity({ skipsRemaining: true })).toMatchObject({
      numbers: [{ messagingLimit: 1_000, remaining: null }],
      freeServiceLeast: 70,
    });
  });

  it("report the account's spend cap in the month of the sends", async () => {
    const { accountId, phoneNumber } = account;
    const capIn = async (at: Date, options = {}) => {
      const command = { accountId, numbers: [phoneNumber], at: at.toISOString(), ...options };
      return (await messaging.gateway.request(getSendingCapacityV1, command)).spendCap;
    };
    const now = new Date();
    expect(await capIn(now)).toBeNull();
    const cap = { amount: '5.00', currency: 'USD' };
    await messaging.gateway.request(setSpendCapV1, { accountId, cap });
    await sql(`UPDATE spend_totals SET settled = 1.5, reserved = 0.25 WHERE account_id = $1`, accountId);
    const month = now.toISOString().slice(0, 7);
    expect(await capIn(now)).toEqual({ ...cap, month, spent: '1.50', reserved: '0.25' });
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await capIn(next)).toMatchObject({ ...cap, spent: '0.00', reserved: '0.00' });
    expect(await capIn(now, { skipsRemaining: true })).toBeUndefined();
  });

  it('read 1,000 recipients through indexes', async () => {
    await sql(
      `INSERT INTO contacts (id, account_id, phone, phone_key)
       SELECT 'ct_' || account || '_' || n, account, (919700000000 + n)::text, (919700000000 + n)::text
       FROM unnest($1::text[]) AS account, generate_series(1, 20000) AS n`,
      [account.accountId, newId('acc'), newId('acc')],
    );
    await sql(
      `INSERT INTO service_windows SELECT $1, id, $2, now() - interval '30 hours' FROM contacts
       WHERE account_id = $2 AND right(phone, 1) IN ('1', '2')`,
      account.numberId,
      account.accountId,
    );
    // Adds messages of the first 2,000 contacts. The estimate needs only a few of them.
    await sql(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, state, received_at,
         reference, upstream_id)
       SELECT 'msg_' || lpad(to_hex(n), 26, substr($3, 5)), $2, $1, 'ct_' || $2 || '_' || n, 'inbound', '1', '2', 'text', 'received',
         now() - interval '30 hours', '{"referral":{"source_type":"ad"}}', 'w' || n
       FROM generate_series(1, 2000) AS n`,
      account.numberId,
      account.accountId,
      firstIdAt('msg', Date.now() - 30 * HOUR_MS),
    );
    await sql('ANALYZE contacts, service_windows, messages');
    const recipients = Array.from({ length: 1_000 }, (_, index) => String(919_700_000_001 + index * 21));
    const at = new Date();
    const params = [
      account.accountId,
      account.numberId,
      at,
      firstIdAt('msg', at.getTime() - 96 * HOUR_MS),
      ...ESTIMATED.parameters(recipients.map(keysOf)),
    ];
    const runner = messaging.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(GENERIC_PLAN);
    const nodes = await planNodes((text, given) => runner.query(text, given), FIND_RECIPIENT_STATES, params);
    const startedAt = performance.now();
    const rows = (await runner.query(FIND_RECIPIENT_STATES, params)) as unknown[];
    const milliseconds = Math.round(performance.now() - startedAt);
    await runner.rollbackTransaction();
    await runner.release();
    const tables = nodes.filter((node) => node['Relation Name'] !== undefined);
    const read = tables.reduce(
      (sum, node) => sum + node['Actual Rows'] * node['Actual Loops'] + rowsPassedOver(node),
      0,
    );
    // 953 contacts, 191 of their windows, and the messages of 96 of them.
    expect(Math.round(read)).toBeLessThanOrEqual(1_400);
    const timings: number[] = [];
    for (let times = 0; times < 5; times += 1) {
      const begun = performance.now();
      await estimate(recipients);
      timings.push(Math.round(performance.now() - begun));
    }
    process.stdout.write(
      `estimate of 1,000 recipients, ${rows.length} of 60,000 contacts: query ${milliseconds} ms, command ${timings.join(', ')} ms\n`,
    );
    expect(rows).toHaveLength(953);
  });
});
