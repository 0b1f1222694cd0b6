import { addNumberV1, changeBlockV1, getContactV1, listBlocksV1, newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import {
  ACCESS_TOKEN,
  CUSTOMER,
  type RunningMessaging,
  sealed,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

const PEOPLE = ['919800000001', '919800000002', '919800000003', '919800000004', '919800000005'];

describe('blocked contacts', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    messaging.upstream.beforeBlockPage();
    account = await messaging.addAccount();
    // Schedule the read far in the future: a test makes the list due explicitly.
    await messaging.dataSource.query(
      `INSERT INTO block_reads (number_id, account_id, due_at) VALUES ($1, $2, now() + interval '1 day')
       ON CONFLICT (number_id) DO UPDATE SET due_at = EXCLUDED.due_at`,
      [account.numberId, account.accountId],
    );
  });
  afterAll(() => messaging.stop());

  const change = (action: 'block' | 'unblock', phone = CUSTOMER, accountId = account.accountId) =>
    messaging.gateway.request(changeBlockV1, { accountId, phone, action });
  const list = async (accountId = account.accountId) =>
    (await messaging.gateway.request(listBlocksV1, { accountId, page: 1, limit: 20 })).blocks;
  const phones = async () => (await list()).map(({ phone }) => phone);
  const onPlatform = (): Set<string> => {
    const people = messaging.upstream.blocked.get(account.phoneNumberId) ?? new Set<string>();
    messaging.upstream.blocked.set(account.phoneNumberId, people);
    return people;
  };
  /** Makes the list due, as if its interval had passed. */
  const makeDue = () =>
    messaging.dataSource.query(`UPDATE block_reads SET due_at = now() WHERE number_id = $1`, [account.numberId]);
  const read = async () => {
    const [row] = (await messaging.dataSource.query(
      `SELECT failures, due_at BETWEEN now() + interval '55 minutes' AND now() + interval '65 minutes' AS "atRest",
         due_at > now() + interval '6 seconds' AS "laterOn" FROM block_reads WHERE number_id = $1`,
      [account.numberId],
    )) as { failures: number; atRest: boolean; laterOn: boolean }[];
    return row;
  };
  const isDueSoon = async (): Promise<boolean | undefined> => {
    const [row] = (await messaging.dataSource.query(
      `SELECT due_at <= now() + interval '1 minute' AS "isSoon" FROM block_reads WHERE number_id = $1`,
      [account.numberId],
    )) as { isSoon: boolean }[];
    return row?.isSoon;
  };
  const answer = (to = CUSTOMER) => messaging.send(account.accountId, { to, text: { body: 'Hello' } }, newId('msg'));

  it('are blocked at the platform and receive nothing until unblocked', async () => {
    await messaging.writeIn(account);
    const blocked = await change('block');
    expect(blocked).toEqual({
      phone: CUSTOMER,
      phoneNumber: account.phoneNumber,
      blockedAt: expect.any(String),
    });
    expect([...onPlatform()]).toEqual([CUSTOMER]);
    expect(await list()).toMatchObject([
      {
        phone: CUSTOMER,
        phoneNumber: account.phoneNumber,
        blockedAt: blocked.blockedAt,
        contactId: expect.any(String),
      },
    ]);
    const wanted = { accountId: account.accountId, phone: CUSTOMER };
    const { contact, blocked: isOptedOut } = await messaging.gateway.request(getContactV1, wanted);
    expect({ blockedOn: contact.blockedOn, isOptedOut }).toEqual({
      blockedOn: [account.phoneNumber],
      isOptedOut: false,
    });
    const sentBefore = messaging.upstream.sends.length;
    await expect(answer()).rejects.toMatchObject({ code: 'RECIPIENT_BLOCKED' });
    expect(messaging.upstream.sends).toHaveLength(sentBefore);
    // Another number of the account blocks no contacts.
    const other = { phoneNumber: '15550009998', phoneNumberId: newId('num') };
    await messaging.gateway.request(addNumberV1, {
      accountId: account.accountId,
      ...other,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, account.accountId),
    });
    await messaging.writeIn({ ...account, ...other });
    const fromOther = { to: CUSTOMER, from: other.phoneNumber, text: { body: 'Hello' } };
    await eventually(() => expect(messaging.send(account.accountId, fromOther)).resolves.toBeDefined());
    const byOther = { accountId: account.accountId, phone: CUSTOMER, from: other.phoneNumber };
    await messaging.gateway.request(changeBlockV1, { ...byOther, action: 'block' });
    expect(messaging.upstream.blocked.get(other.phoneNumberId)).toEqual(new Set([CUSTOMER]));
    expect((await list()).map(({ phoneNumber }) => phoneNumber)).toEqual([other.phoneNumber, account.phoneNumber]);
    await messaging.gateway.request(changeBlockV1, { ...byOther, action: 'unblock' });
    expect((await list()).map(({ phoneNumber }) => phoneNumber)).toEqual([account.phoneNumber]);

    // Unblocking works at any time, not only within 24 hours of the contact's last message.
    await messaging.dataSource.query("UPDATE service_windows SET last_inbound_at = now() - interval '25 hours'");
    expect(await change('unblock')).toMatchObject({ blockedAt: null });
    expect([...onPlatform()]).toEqual([]);
    expect(await list()).toEqual([]);
    expect((await messaging.gateway.request(getContactV1, wanted)).contact.blockedOn).toEqual([]);
    await messaging.dataSource.query('UPDATE service_windows SET last_inbound_at = now()');
    await expect(answer()).resolves.toMatchObject({ upstreamId: expect.any(String) });
  });

  it('keep their first block time when blocked again', async () => {
    const first = await change('block');
    expect(await change('block')).toEqual(first);
    expect(await list()).toHaveLength(1);
    // A day later, the platform refuses to block a contact who has not written. The contact is still blocked.
    messaging.upstream.behave({ refuseWith: 131047 });
    expect(await change('block')).toEqual(first);
    // A rejected unblock leaves the contact blocked.
    messaging.upstream.behave({ refuseWith: 139103 });
    await expect(change('unblock')).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      extra: { error: { code: 139103 } },
    });
    expect(await list()).toHaveLength(1);
    messaging.upstream.behave('hang');
    await expect(change('unblock')).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      status: 504,
      message: expect.stringContaining('the contact may be unblocked') as string,
    });
    messaging.upstream.behave('accept');
    const unblocked = await change('unblock');
    expect(unblocked).toMatchObject({ blockedAt: null });
    expect(await change('unblock')).toEqual(unblocked);
  });

  it.each([
    [131047, 'WINDOW_CLOSED', 400, 'within the last 24 hours'],
    [139101, 'INVALID_VALUE', 422, 'is full'],
    [131021, 'INVALID_VALUE', 422, 'Recipient cannot be sender'],
    [130429, 'UPSTREAM_THROTTLED', 429, 'throttling'],
    [139103, 'UPSTREAM_ERROR', 502, 'Internal error of the block list'],
  ])('are not stored when the platform rejects the block with %i', async (code, refusal, status, message) => {
    messaging.upstream.behave({ refuseWith: code });
    await expect(change('block')).rejects.toMatchObject({
      code: refusal,
      status,
      message: expect.stringContaining(message) as string,
      extra: { error: { code } },
    });
    expect(await list()).toEqual([]);
  });

  it('belong to one number and are hidden from other accounts', async () => {
    await change('block');
    const neighbour = await messaging.addAccount();
    expect(await list(neighbour.accountId)).toEqual([]);
    await expect(
      messaging.gateway.request(changeBlockV1, {
        accountId: neighbour.accountId,
        phone: CUSTOMER,
        from: account.phoneNumber,
        action: 'unblock',
      }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    await change('unblock', CUSTOMER, neighbour.accountId);
    expect(await phones()).toEqual([CUSTOMER]);
  });

  it('are confirmed by the platform list after a lost response', async () => {
    messaging.upstream.behave('accept-then-cut');
    await expect(change('block')).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      status: 504,
      message: expect.stringContaining('the contact may be blocked') as string,
    });
    messaging.upstream.behave('accept');
    // A lost response makes the list due immediately.
    await eventually(async () => expect(await phones()).toEqual([CUSTOMER]));
    // While a late call may still change the list, another read follows soon.
    expect(await read()).toMatchObject({ atRest: false });
    // The client may repeat a request that got no response.
    expect(await change('block')).toMatchObject({ phone: CUSTOMER, blockedAt: expect.any(String) as string });
    expect(await phones()).toEqual([CUSTOMER]);
  });

  it('are read within about a minute after a crash', async () => {
    // Simulate a crash after the platform's response: the list is due, and there is no row.
    await change('block');
    await messaging.dataSource.query('DELETE FROM blocks WHERE number_id = $1', [account.numberId]);
    expect(await isDueSoon()).toBe(true);
    await makeDue();
    await eventually(async () => expect(await phones()).toEqual([CUSTOMER]));
  });

  it('are read within about a minute after an unblock', async () => {
    await change('block');
    await messaging.dataSource.query(`UPDATE block_reads SET due_at = now() + interval '1 day' WHERE number_id = $1`, [
      account.numberId,
    ]);
    await change('unblock');
    expect(await isDueSoon()).toBe(true);
  });

  it('are synchronised page by page with the platform list', async () => {
    await change('block', PEOPLE[0]);
    await messaging.dataSource.query(
      `UPDATE block_reads SET changed_at = now() - interval '10 minutes' WHERE number_id = $1`,
      [account.numberId],
    );
    onPlatform().clear();
    for (const phone of PEOPLE.slice(1)) onPlatform().add(phone);
    await makeDue();
    await eventually(async () => expect((await phones()).sort()).toEqual(PEOPLE.slice(1)));
    expect(await read()).toMatchObject({ failures: 0, atRest: true });
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const wanted = { accountId: account.accountId, page: 1, limit: 3, ...(cursor !== undefined && { cursor }) };
      const page = await messaging.gateway.request(listBlocksV1, wanted);
      expect(page).toMatchObject({ total: 4, totalIsExact: true });
      pages.push(...page.blocks.map(({ phone }) => phone));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages.sort()).toEqual(PEOPLE.slice(1));
  });

  describe('by user id', () => {
    const HIDDEN = 'IN.10000000000000000042';
    const PARENT = 'IN.ENT.20000000000000000042';
    const writes = async (phone?: string): Promise<void> => {
      const message = {
        id: `wamid.${newId('msg')}`,
        timestamp: String(Math.floor(Date.now() / 1_000)),
        type: 'text',
        text: { body: 'Hello' },
        from_user_id: HIDDEN,
        from_parent_user_id: PARENT,
        ...(phone !== undefined && { from: phone }),
      };
      await messaging.callback(account.phoneNumberId, { messages: [message] });
      await messaging.settled();
    };
    const blockedOn = async (phone: string) =>
      (await messaging.gateway.request(getContactV1, { accountId: account.accountId, phone })).contact.blockedOn;

    it('are blocked at the platform and receive nothing until unblocked', async () => {
      await writes();
      const blocked = await change('block', HIDDEN);
      expect(blocked).toMatchObject({ phone: HIDDEN, blockedAt: expect.any(String) });
      expect(messaging.upstream.blockCalls.at(-1)).toMatchObject({ method: 'POST', user: HIDDEN });
      expect(await list()).toMatchObject([
        { phone: HIDDEN, userId: HIDDEN, contactId: expect.any(String), blockedAt: blocked.blockedAt },
      ]);
      expect(await blockedOn(HIDDEN)).toEqual([account.phoneNumber]);
      for (const to of [HIDDEN, PARENT]) await expect(answer(to)).rejects.toMatchObject({ code: 'RECIPIENT_BLOCKED' });
      expect(await change('unblock', PARENT)).toMatchObject({ phone: PARENT, blockedAt: null });
      expect(messaging.upstream.blockCalls.at(-1)).toMatchObject({ method: 'DELETE', user: HIDDEN });
      expect(await list()).toEqual([]);
      await answer(HIDDEN);
    });

    it('keep their block time when the platform reports their number', async () => {
      await writes();
      const { blockedAt } = await change('block', HIDDEN);
      await writes(CUSTOMER);
      messaging.upstream.phoneOfBlocked.set(HIDDEN, CUSTOMER);
      await messaging.dataSource.query(
        `UPDATE block_reads SET changed_at = now() - interval '10 minutes' WHERE number_id = $1`,
        [account.numberId],
      );
      await makeDue();
      await eventually(async () => expect(await read()).toMatchObject({ failures: 0, atRest: true }));
      expect(await list()).toMatchObject([{ phone: HIDDEN, userId: HIDDEN, blockedAt }]);
      for (const to of [CUSTOMER, HIDDEN])
        await expect(answer(to)).rejects.toMatchObject({ code: 'RECIPIENT_BLOCKED' });
      expect(await blockedOn(CUSTOMER)).toEqual([account.phoneNumber]);
      expect(await change('block', CUSTOMER)).toMatchObject({ blockedAt });
      await change('unblock', CUSTOMER);
      expect(await list()).toEqual([]);
      messaging.upstream.phoneOfBlocked.clear();
    });

    it('appear in the list when they were blocked elsewhere', async () => {
      onPlatform().add(HIDDEN).add(CUSTOMER);
      await makeDue();
      await eventually(async () => expect((await phones()).sort()).toEqual([CUSTOMER, HIDDEN]));
      onPlatform().delete(HIDDEN);
      await makeDue();
      await eventually(async () => expect(await phones()).toEqual([CUSTOMER]));
    });
  });

  it('are listed up to 5,000 by page and beyond by cursor', async () => {
    await messaging.dataSource.query(
      'INSERT INTO blocks (account_id, number_id, phone, phone_key) SELECT $1, $2, n::text, n::text FROM generate_series(918800000001, 918800005150) AS n',
      [account.accountId, account.numberId],
    );
    const listed = (more: object) =>
      messaging.gateway.request(listBlocksV1, { accountId: account.accountId, page: 1, limit: 100, ...more });
    const { blocks, total, totalIsExact, hasNext, nextCursor } = await listed({ page: 50 });
    expect([blocks.length, total, totalIsExact, hasNext]).toEqual([100, 1_000, false, true]);
    for (const page of [51, 52]) await expect(listed({ page })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    expect((await listed({ cursor: nextCursor ?? '' })).blocks).toHaveLength(100);
    expect((await listed({ page: 53 })).blocks).toEqual([]);
  });

  it('survive a list read that started before the block', async () => {
    let blockedMeanwhile = false;
    messaging.upstream.beforeBlockPage(async ({ phoneNumberId, after }) => {
      if (phoneNumberId !== account.phoneNumberId || after === 0 || blockedMeanwhile) return;
      await change('block');
      // The page shows the platform's list before the block.
      onPlatform().delete(CUSTOMER);
      blockedMeanwhile = true;
    });
    for (const phone of PEOPLE.slice(0, 3)) onPlatform().add(phone);
    await makeDue();
    await eventually(() => expect(blockedMeanwhile).toBe(true));
    // The result is discarded, and the list is due again soon.
    await eventually(async () => expect(await read()).toMatchObject({ laterOn: false }));
    expect(await phones()).toEqual([CUSTOMER]);
    // The next read is applied.
    onPlatform().add(CUSTOMER);
    await eventually(async () => expect((await phones()).sort()).toEqual([...PEOPLE.slice(0, 3), CUSTOMER].sort()));
  });

  it('stay blocked when the list cannot be read', async () => {
    await change('block');
    messaging.upstream.blocked.delete(account.phoneNumberId);
    messaging.upstream.beforeBlockPage(() => new Promise(() => undefined));
    await makeDue();
    await eventually(async () => expect(await read()).toMatchObject({ failures: 1 }));
    expect(await phones()).toEqual([CUSTOMER]);
  });
});
