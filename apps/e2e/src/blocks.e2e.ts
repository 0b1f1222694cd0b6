import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount, newUser, withSlowRateLimit } from './support/account';
import { call } from './support/api';
import { signIn } from './support/console';
import { control, freshPhone, receivedUpstream, writeIn } from './support/simulator';

/** Returns the numbers that block the contact, according to the simulator. */
const blockersOf = async (phone: string): Promise<string[]> =>
  (await control<{ blockedBy: string[] }>('GET', `/conversations/${phone}`)).blockedBy;

describe('blocks at the upstream platform', () => {
  let account: TestAccount;

  beforeAll(async () => {
    account = await newAccount('Blocks');
  }, 90_000);

  async function customer(): Promise<string> {
    const phone = freshPhone();
    await writeIn(phone, 'Hello', { to: account.phoneNumber });
    await eventually(async () => expect((await account.api.searchContacts({ q: phone })).contacts).toHaveLength(1));
    return phone;
  }
  const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'done',
      (error: unknown) => error,
    );
  const contactOf = async (phone: string) => (await account.api.searchContacts({ q: phone })).contacts[0];
  const listed = async (): Promise<string[]> => {
    const phones: string[] = [];
    for await (const { phone } of account.api.items('listBlocks', { limit: 1 })) phones.push(phone ?? '');
    return phones;
  };

  it('stop messages in both directions until removed, and are idempotent', async () => {
    const phone = await customer();
    const first = await account.api.blockPerson({ phone });
    expect(first).toEqual({
      success: true,
      phone,
      phoneNumber: account.phoneNumber,
      blocked: true,
      blockedAt: expect.any(String) as string,
    });
    expect(await account.api.blockPerson({ phone, from: account.phoneNumber })).toEqual(first);
    expect(await blockersOf(phone)).toEqual([account.phoneNumber]);
    expect(await contactOf(phone)).toMatchObject({ blockedOn: [account.phoneNumber], optedOut: false });
    expect(await listed()).toContain(phone);
    await expect(writeIn(phone, 'Are you there?', { to: account.phoneNumber })).rejects.toThrow('409');
    const send = () => account.api.sendMessage({ to: phone, type: 'text', text: { body: 'Hello' } });
    expect(await refusalOf(send())).toMatchObject({ status: 403, code: 'RECIPIENT_BLOCKED' });
    expect(await receivedUpstream(phone)).toEqual([]);

    expect(await account.api.unblockPerson({ phone })).toMatchObject({ blocked: false, blockedAt: null });
    expect(await account.api.unblockPerson({ phone })).toMatchObject({ blocked: false });
    expect(await blockersOf(phone)).toEqual([]);
    expect(await contactOf(phone)).toMatchObject({ blockedOn: [] });
    expect(await listed()).not.toContain(phone);
    await writeIn(phone, 'At last', { to: account.phoneNumber });
    await send();
  });

  it('require a contact who has written to the number', async () => {
    const stranger = freshPhone();
    expect(await refusalOf(account.api.blockPerson({ phone: stranger }))).toMatchObject({
      status: 400,
      code: 'WINDOW_CLOSED',
      message: 'only a person who wrote to this business number within the last 24 hours can be blocked',
    });
    expect(await refusalOf(account.api.blockPerson({ phone: 'US.' }))).toMatchObject({ code: 'INVALID_PHONE' });
    expect(await account.api.unblockPerson({ phone: stranger })).toMatchObject({ blocked: false });
    expect(await refusalOf(account.api.blockPerson({ phone: '12' }))).toMatchObject({ code: 'INVALID_PHONE' });
    expect(await refusalOf(account.api.blockPerson({ phone: stranger, from: freshPhone() }))).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });

  it('accept the user id of a contact with a hidden number', async () => {
    const phone = freshPhone();
    const { userId } = await control<{ userId: string }>('POST', '/people', { phone, hidePhone: true });
    expect(await refusalOf(account.api.blockPerson({ phone: userId }))).toMatchObject({ code: 'WINDOW_CLOSED' });
    await writeIn(phone, 'Hello', { to: account.phoneNumber });
    await eventually(async () => expect((await account.api.searchContacts({ q: userId })).contacts).toHaveLength(1));
    expect(await account.api.blockPerson({ phone: userId })).toMatchObject({ phone: userId, blocked: true });
    expect((await account.api.listBlocks({ limit: 1 })).blocks).toMatchObject([{ phone: null, userId }]);
    expect((await contactOf(userId))?.blockedOn).toEqual([account.phoneNumber]);
    const answer = { to: userId, type: 'text', text: { body: 'Hi' } } as const;
    expect(await refusalOf(account.api.sendMessage(answer))).toMatchObject({ code: 'RECIPIENT_BLOCKED' });
    expect(await receivedUpstream(phone)).toEqual([]);
    expect(await account.api.unblockPerson({ phone: userId })).toMatchObject({ phone: userId, blocked: false });
    await account.api.sendMessage(answer);
  });

  it('count as one request each, but not as a message', async () => {
    const other = await newAccount('Blocks that are counted');
    const phone = freshPhone();
    await writeIn(phone, 'Hello', { to: other.phoneNumber });
    await eventually(async () => expect((await other.api.searchContacts({ q: phone })).contacts.length).toBe(1));
    const before = await withSlowRateLimit(other);
    const calls = ['POST', 'DELETE'].map((method) => [method, `/contacts/${phone}/block`] as const);
    for (const [index, [method, path]] of [...calls, ['GET', '/blocks'] as const].entries()) {
      const { status, headers } = await call(method, path, { apiKey: other.apiKey });
      expect([status, before - Number(headers.get('x-ratelimit-remaining'))]).toEqual([200, index + 1]);
    }
    expect(await receivedUpstream(phone)).toEqual([]);
    expect((await other.api.listMessages({ phone })).messages).toHaveLength(1);
  }, 60_000);

  it('belong to one account and are listed in pages', async () => {
    const people = [await customer(), await customer()];
    for (const phone of people) await account.api.blockPerson({ phone });
    expect((await listed()).slice(0, 2)).toEqual([...people].reverse());
    const other = await newAccount('Blocks of somebody else');
    expect((await other.api.listBlocks()).blocks).toEqual([]);
    expect(
      await refusalOf(other.api.unblockPerson({ phone: people[0] ?? '', from: account.phoneNumber })),
    ).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    expect(await blockersOf(people[0] ?? '')).toEqual([account.phoneNumber]);
  }, 60_000);

  it('can be changed by admins and are audited with masked numbers', async () => {
    const phone = await customer();
    const [owner, viewer] = await Promise.all([newUser(account.accountId), newUser(account.accountId, 'viewer')]);
    const [admin, reader] = await Promise.all([
      signIn(owner.email, owner.password),
      signIn(viewer.email, viewer.password),
    ]);
    expect(await reader.call('POST', '/blocks/add', { phone })).toMatchObject({ status: 403 });
    expect(await blockersOf(phone)).toEqual([]);
    expect(await admin.call('POST', '/blocks/add', { phone, from: account.phoneNumber })).toMatchObject({
      status: 200,
      body: { phone, blocked: true },
    });
    expect((await reader.call('GET', '/blocks')).body['blocks']).toEqual(
      expect.arrayContaining([expect.objectContaining({ phone, phoneNumber: account.phoneNumber })]),
    );
    expect(await admin.call('POST', '/blocks/remove', { phone, from: account.phoneNumber })).toMatchObject({
      body: { blocked: false },
    });
    const log = (await admin.call('GET', '/audit-log')).body['entries'] as { action: string; target: string }[];
    expect(log.filter(({ action }) => action.startsWith('contact.')).slice(0, 2)).toMatchObject([
      { action: 'contact.unblock', target: `…${phone.slice(-4)}` },
      { action: 'contact.block', target: `…${phone.slice(-4)}` },
    ]);
  });
});
