import {
  type Audience,
  countAudienceV1,
  createLabelV1,
  deleteLabelV1,
  labelContactV1,
  listAudienceV1,
  newId,
  setContactLabelsV1,
  updateContactV1,
} from '@switchboard/contracts';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const [FIRST, SECOND, THIRD] = ['919812350001', '919812350002', '919812350003'];
const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Contacts whose ids are in the order of their numbers; every tenth has opted out of marketing. */
const FILL = `
  INSERT INTO contacts (id, account_id, phone, phone_key, name, opted_out, marketing_opted_out, blocked)
  SELECT 'ct_01jd' || lpad(n::text, 22, '0'), $1, (919900000000 + n)::text, (919900000000 + n)::text, 'Contact ' || n,
    n % 10 = 0, false, false
  FROM generate_series(1, $2::int) AS n`;

describe('audience', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const request: RunningMessaging['gateway']['request'] = (contract, body) => messaging.gateway.request(contract, body);
  const sql = <Row>(text: string, ...params: unknown[]): Promise<Row[]> => messaging.dataSource.query(text, params);
  const receive = async (...messages: object[]): Promise<void> => {
    await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  };
  const put = (phone: string, more: object) =>
    request(updateContactV1, { accountId: account.accountId, phone, ...more });
  /** Reads all pages, and compares the number of contacts with the count. */
  const membersOf = async (audience: Audience, limit = 1_000, accountId = account.accountId) => {
    const members: { recipient: string; name: string | null }[] = [];
    let after: string | null = null;
    do {
      const page: { members: typeof members; next: string | null } = await request(listAudienceV1, {
        accountId,
        audience,
        limit,
        ...(after !== null && { after }),
      });
      members.push(...page.members);
      after = page.next;
    } while (after !== null);
    expect(await request(countAudienceV1, { accountId, audience })).toEqual({ count: members.length, isExact: true });
    return members;
  };
  const recipientsOf = async (audience: Audience, limit?: number) =>
    (await membersOf(audience, limit)).map(({ recipient }) => recipient);
  const wroteAt = (phone: string, days: number) =>
    sql(
      `UPDATE conversations SET last_inbound_at = now() - $3::int * interval '1 day' FROM contacts
       WHERE contacts.id = contact_id AND contacts.account_id = $1 AND phone = $2`,
      account.accountId,
      phone,
      days,
    );

  it('has all contacts of the account, newest first, with their names', async () => {
    await put(FIRST, { name: 'Asha R' });
    await put(SECOND, {});
    const other = await messaging.addAccount();
    expect(await membersOf({})).toEqual([
      { recipient: SECOND, name: null },
      { recipient: FIRST, name: 'Asha R' },
    ]);
    expect(await membersOf({}, 1_000, other.accountId)).toEqual([]);
  });

  it('never has blocked contacts', async () => {
    await put(FIRST, { blocked: true });
    await put(SECOND, { optedOut: true });
    expect(await recipientsOf({})).toEqual([SECOND]);
  });

  it('never has contacts that any of several numbers blocks', async () => {
    const { accountId, numberId } = account;
    await messaging.addAccount(accountId);
    const userId = 'IN.91981235000';
    for (const phone of [FIRST, SECOND, THIRD]) await put(phone, {});
    await sql('UPDATE contacts SET user_id = $3 WHERE account_id = $1 AND phone = $2', accountId, THIRD, userId);
    for (const phone of [FIRST, userId])
      await sql(
        'INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $3)',
        accountId,
        numberId,
        phone,
      );
    expect(await recipientsOf({})).toEqual([SECOND]);
    await sql('UPDATE numbers SET removed_at = now(), is_primary = false WHERE id = $1', numberId);
    expect(await recipientsOf({})).toEqual([THIRD, SECOND, FIRST]);
  });

  it('omits contacts that opted out by either way', async () => {
    await put(FIRST, { optedOut: true });
    await put(SECOND, { marketingOptOut: true });
    await put(THIRD, {});
    expect(await recipientsOf({ optedIn: true })).toEqual([THIRD]);
    expect(await recipientsOf({ optedIn: false })).toHaveLength(3);
  });

  it('filters by the time of the last message from the contact', async () => {
    await receive(inboundText({ from: FIRST }), inboundText({ from: SECOND }));
    await put(THIRD, {});
    await wroteAt(FIRST, 40);
    expect(await recipientsOf({ wroteSince: daysAgo(30) })).toEqual([SECOND]);
    expect(await recipientsOf({ silentSince: daysAgo(30) })).toEqual([THIRD, FIRST]);
    expect(await recipientsOf({ wroteSince: daysAgo(50), silentSince: daysAgo(30) })).toEqual([FIRST]);
  });

  it('filters by an open service window', async () => {
    await receive(inboundText({ from: FIRST }), inboundText({ from: SECOND }));
    await put(THIRD, {});
    await sql(
      `UPDATE service_windows SET last_inbound_at = now() - interval '25 hours' FROM contacts
       WHERE contacts.id = contact_id AND contacts.account_id = $1 AND phone = $2`,
      account.accountId,
      SECOND,
    );
    expect(await recipientsOf({ windowOpen: true })).toEqual([FIRST]);
  });

  it('has the contacts of a label, together with other filters', async () => {
    const { accountId } = account;
    for (const phone of [FIRST, SECOND, THIRD]) await put(phone, {});
    await put(SECOND, { optedOut: true });
    for (const phone of [FIRST, SECOND]) await request(setContactLabelsV1, { accountId, phone, labels: ['VIP'] });
    const [{ id: labelId } = { id: '' }] = await sql<{ id: string }>(
      'SELECT id FROM labels WHERE account_id = $1',
      accountId,
    );
    expect(await recipientsOf({ labelId })).toEqual([SECOND, FIRST]);
    expect(await recipientsOf({ labelId }, 1)).toEqual([SECOND, FIRST]);
    expect(await recipientsOf({ labelId, optedIn: true })).toEqual([FIRST]);
  });

  it("rejects unknown, deleted and another account's labels", async () => {
    const other = await messaging.addAccount();
    const [deleted, foreign] = [newId('lbl'), newId('lbl')];
    await request(createLabelV1, { accountId: account.accountId, labelId: deleted, name: 'Old', colour: 'red' });
    await request(deleteLabelV1, { accountId: account.accountId, labelId: deleted });
    await request(createLabelV1, { accountId: other.accountId, labelId: foreign, name: 'VIP', colour: 'red' });
    for (const labelId of [newId('lbl'), deleted, foreign]) {
      const asked = { accountId: account.accountId, audience: { labelId } };
      await expect(request(countAudienceV1, asked)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(request(listAudienceV1, { ...asked, limit: 10 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('reads no contact twice while contacts are created', async () => {
    for (const phone of [FIRST, SECOND, THIRD]) await put(phone, {});
    const ask = { accountId: account.accountId, audience: {}, limit: 2 };
    const first = await request(listAudienceV1, ask);
    await put('919812350004', {});
    const last = await request(listAudienceV1, { ...ask, after: first.next ?? '' });
    expect([...first.members, ...last.members].map(({ recipient }) => recipient)).toEqual([THIRD, SECOND, FIRST]);
    expect(last.next).toBeNull();
  });

  it('continues after scans without a match', async () => {
    const { accountId } = account;
    const count = 12_000;
    await sql(FILL, accountId, count);
    await sql('ANALYZE contacts');
    expect(await recipientsOf({ optedIn: true })).toHaveLength(count * 0.9);
    const contactId = `ct_01jd${'1'.padStart(22, '0')}`;
    const labelId = newId('lbl');
    await request(createLabelV1, { accountId, labelId, name: 'VIP', colour: 'red' });
    await request(labelContactV1, { accountId, contactId, labelId, isLabelled: true });
    expect(await recipientsOf({ labelId })).toEqual(['919900000001']);
    await receive(inboundText({ from: '919900000001' }));
    const rare = { accountId, audience: { wroteSince: daysAgo(1) }, limit: 1_000 };
    const page = await request(listAudienceV1, rare);
    expect(page.members).toEqual([]);
    expect(page.next).not.toBeNull();
    expect(await recipientsOf(rare.audience)).toEqual(['919900000001']);
  });
});
