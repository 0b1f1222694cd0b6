import { getNumberUsernameV1, listNumbersV1, newId, setNumberUsernameV1 } from '@switchboard/contracts';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const error = (code: number) => ({ error: { message: `(#${code})`, type: 'OAuthException', code, fbtrace_id: 'A' } });

describe('user names of business numbers', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
    account = await messaging.addAccount();
  });
  beforeEach(() => messaging.upstream.usernames.calls.splice(0));
  afterAll(() => messaging.stop());

  const answer = (status: number, body: object) => (messaging.upstream.usernames.answer = { status, body });
  const read = (accountId = account.accountId) =>
    messaging.gateway.request(getNumberUsernameV1, { accountId, phoneNumber: account.phoneNumber });
  const set = (username: string | null) =>
    messaging.gateway.request(setNumberUsernameV1, {
      accountId: account.accountId,
      phoneNumber: account.phoneNumber,
      username,
    });

  it.each([
    [{ username: 'shop', status: 'approved' }, 'shop', 'approved'],
    [{ username: 'shop', status: 'reserved' }, 'shop', 'reserved'],
    [{ username: 'shop', status: 'in_review' }, 'shop', null],
    [{ status: 'approved' }, null, null],
    [{}, null, null],
  ])('are read from the platform: %j', async (body, username, status) => {
    answer(200, body);
    expect(await read()).toEqual({ phoneNumber: account.phoneNumber, username, status });
    expect(messaging.upstream.usernames.calls).toEqual([{ method: 'GET', body: undefined }]);
  });

  it('are set and deleted at the platform', async () => {
    answer(200, { status: 'reserved' });
    expect(await set('My.Shop_1')).toMatchObject({ username: 'My.Shop_1', status: 'reserved' });
    answer(200, { success: true });
    expect(await set(null)).toMatchObject({ username: null, status: null });
    expect(messaging.upstream.usernames.calls).toEqual([
      { method: 'POST', body: { username: 'My.Shop_1' } },
      { method: 'DELETE', body: undefined },
    ]);
  });

  it.each([
    [147001, 'this user name is not available'],
    [147002, 'requires a higher messaging limit'],
    [147003, 'link the number to that page first'],
    [147004, 'link the number to that account first'],
  ])('are rejected with an explanation for platform error %i', async (code, message) => {
    answer(400, error(code));
    await expect(set('shop')).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: expect.stringContaining(message) as string,
      extra: { error: { code } },
    });
  });

  it('do not stop the number when the token lacks the permission', async () => {
    answer(403, error(10));
    await expect(read()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    await expect(set('shop')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    const { numbers } = await messaging.gateway.request(listNumbersV1, { accountId: account.accountId });
    expect(numbers).toMatchObject([{ status: 'CONNECTED' }]);
  });

  it.each(['ab', '.shop', 'shop.', 'my..shop', 'www.shop', '12345', 'sh op', 'schön', 'x'.repeat(36)])(
    'are rejected before the platform is called: %s',
    async (username) => {
      await expect(set(username)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
      expect(messaging.upstream.usernames.calls).toEqual([]);
    },
  );

  it('are not shown to other accounts', async () => {
    await expect(read(newId('acc'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(messaging.upstream.usernames.calls).toEqual([]);
  });
});
