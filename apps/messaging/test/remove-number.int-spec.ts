import { addNumberV1, listNumbersV1, newId, removeNumberV1 } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { TAKE_ROUTABLE } from '../src/callbacks/unroutable-callbacks.service';
import { CLAIM_DUE_NUMBERS } from '../src/numbers/number-poll.queries';
import {
  ACCESS_TOKEN,
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  sealed,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

const OTHER_NUMBER = '15550009999';
const INSERT_PENDING = `
  INSERT INTO media (id, account_id, message_id, number_id, upstream_media_id, mime_type, blob_key, state)
  VALUES ($1, $2, 'msg_x', $3, '1', 'image/png', $1, 'pending')`;

describe('removing a number', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const send = (from?: string) => messaging.send(account.accountId, { text: { body: 'Hello' }, from });
  const remove = ({ accountId = account.accountId, dryRun = false } = {}) =>
    messaging.gateway.request(removeNumberV1, { accountId, phoneNumber: account.phoneNumber, dryRun });
  const add = (accountId: string) => {
    const { phoneNumber, phoneNumberId } = account;
    return messaging.gateway.request(addNumberV1, {
      accountId,
      phoneNumber,
      phoneNumberId,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, accountId),
    });
  };
  const addOther = () => {
    const fields = {
      accountId: account.accountId,
      phoneNumber: OTHER_NUMBER,
      phoneNumberId: newId('num'),
      wabaId: '100000000000001',
    };
    return messaging.gateway.request(addNumberV1, {
      ...fields,
      sealedAccessToken: sealed(ACCESS_TOKEN, account.accountId),
    });
  };
  const numbers = async () =>
    (await messaging.gateway.request(listNumbersV1, { accountId: account.accountId })).numbers.map(
      ({ phoneNumber }) => phoneNumber,
    );
  const rows = <Row>(sql: string, ...params: unknown[]): Promise<Row[]> =>
    query<Row>(messaging.dataSource, sql, params);

  it('reports its effects in a dry run and changes nothing', async () => {
    await addOther();
    await rows(INSERT_PENDING, newId('med'), account.accountId, account.numberId);
    const { phoneNumber, numberId: id } = account;
    await expect(remove({ dryRun: true })).resolves.toEqual({
      id,
      phoneNumber,
      unsettled: 0,
      unfetchedMedia: 1,
      primary: OTHER_NUMBER,
    });
    expect(await numbers()).toEqual([phoneNumber, OTHER_NUMBER]);
    await messaging.writeIn(account);
    await expect(send()).resolves.toBeDefined();
  });

  it('stops its sends and makes the oldest number primary', async () => {
    await messaging.writeIn(account);
    const { upstreamId } = await send();
    const before = messaging.upstream.sends.length;
    await expect(remove()).resolves.toMatchObject({ unsettled: 0, primary: null });
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await expect(send()).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        message: 'the account has no number to send from',
      });
      await expect(send(account.phoneNumber)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        message: 'from is not one of your numbers',
      });
    }
    expect(messaging.upstream.sends).toHaveLength(before);
    expect((await messaging.list(account.accountId)).messages).toContainEqual(
      expect.objectContaining({ upstreamId, from: account.phoneNumber }),
    );
    await addOther();
    expect(await numbers()).toEqual([OTHER_NUMBER]);
    await messaging.gateway.request(addNumberV1, {
      accountId: account.accountId,
      phoneNumber: '15550008888',
      phoneNumberId: newId('num'),
      wabaId: '1',
      sealedAccessToken: sealed(ACCESS_TOKEN, account.accountId),
    });
    await expect(
      messaging.gateway.request(removeNumberV1, {
        accountId: account.accountId,
        phoneNumber: OTHER_NUMBER,
        dryRun: false,
      }),
    ).resolves.toMatchObject({ primary: '15550008888' });
    expect(
      await rows('SELECT phone_number FROM numbers WHERE account_id = $1 AND is_primary', account.accountId),
    ).toEqual([{ phone_number: '15550008888' }]);
  });

  it('deletes its credentials and fails pending media', async () => {
    const mediaId = newId('med');
    await rows(INSERT_PENDING, mediaId, account.accountId, account.numberId);
    await expect(remove()).resolves.toMatchObject({ unfetchedMedia: 1 });
    expect(await rows('SELECT sealed_access_token FROM numbers WHERE id = $1', account.numberId)).toEqual([
      { sealed_access_token: '' },
    ]);
    expect(await rows('SELECT state, error FROM media WHERE id = $1', mediaId)).toEqual([
      { state: 'failed', error: 'the number was removed' },
    ]);
  });

  it('is rejected while a message outcome is unknown', async () => {
    await messaging.writeIn(account);
    messaging.upstream.behave('hang');
    await expect(send()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await expect(remove({ dryRun: true })).resolves.toMatchObject({ unsettled: 1 });
    await expect(remove()).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('the outcome of 1 messages') as string,
    });
    messaging.upstream.behave('accept');
    await expect(send()).resolves.toBeDefined();
    expect(await numbers()).toEqual([account.phoneNumber]);
  });

  it('is reverted by adding the number again', async () => {
    await messaging.writeIn(account);
    await remove();
    await expect(add(account.accountId)).resolves.toEqual({ id: account.numberId, phoneNumber: account.phoneNumber });
    await expect(send()).resolves.toBeDefined();
    expect(await numbers()).toEqual([account.phoneNumber]);
  });

  it('allows another account to add it', async () => {
    const received = async (accountId: string) => (await messaging.list(accountId, { limit: 100 })).messages.length;
    const writeTimes = async (count: number) => {
      for (let message = 0; message < count; message += 1)
        await messaging.callback(account.phoneNumberId, { messages: [inboundText({ from: CUSTOMER })] });
      await messaging.settled();
    };
    await writeTimes(10);
    await eventually(async () => expect(await received(account.accountId)).toBe(10));
    await remove();
    const other = newId('acc');
    const { id } = await add(other);
    expect(id).not.toBe(account.numberId);
    await messaging.settled();
    await writeTimes(10);
    await eventually(async () => expect(await received(other)).toBe(10));
    expect(await received(account.accountId)).toBe(10);
    await expect(send()).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(add(account.accountId)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('is rejected for another account', async () => {
    await expect(remove({ accountId: newId('acc') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await numbers()).toEqual([account.phoneNumber]);
  });

  it('stops its polls and parks its callbacks', async () => {
    await remove();
    await messaging.settled();
    await rows('UPDATE numbers SET poll_due_at = now() WHERE id = $1', account.numberId);
    expect((await rows<{ id: string }>(CLAIM_DUE_NUMBERS, 60, 1_000)).map(({ id }) => id)).not.toContain(
      account.numberId,
    );
    await messaging.callback(account.phoneNumberId, { messages: [inboundText()] });
    await messaging.settled();
    expect(await rows(TAKE_ROUTABLE, 1_000)).toEqual([]);
    expect((await messaging.list(account.accountId)).messages).toEqual([]);
    // From here on, there are more callbacks than this test sent, because parked ones are published again.
    await add(account.accountId);
    await eventually(async () => expect((await messaging.list(account.accountId)).messages.length).toBe(1));
  });
});
