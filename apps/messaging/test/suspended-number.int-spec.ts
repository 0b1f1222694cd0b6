import { addNumberV1, listNumbersV1, newId, resumeNumberV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { tokenPlace } from '../src/numbers/number-token';
import {
  ACCESS_TOKEN,
  type RunningMessaging,
  sealed,
  startMessaging,
  type TestAccount,
  testBox,
} from './support/start-messaging';

describe('a number whose credentials upstream rejects', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const send = () => messaging.send(account.accountId, { text: { body: 'Hello' } });
  const sendsOfNumber = () =>
    messaging.upstream.sends.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
  const numbers = async () =>
    (await messaging.gateway.request(listNumbersV1, { accountId: account.accountId })).numbers;
  const stop = async (code = 190): Promise<void> => {
    messaging.upstream.behave({ refuseWith: code, status: 401 });
    await expect(send()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    messaging.upstream.behave('accept');
  };

  it.each([190, 0, 10, 131005, 131031, 368, 133010])('is stopped by code %i on every replica', async (code) => {
    await stop(code);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await expect(send()).rejects.toMatchObject({
        code: 'NUMBER_STOPPED',
        status: 409,
        message: expect.stringContaining(`the business number is stopped: ${code} `),
      });
    }
    expect(sendsOfNumber()).toHaveLength(1);
    expect(await numbers()).toMatchObject([
      { status: 'STOPPED', stoppedReason: expect.stringMatching(new RegExp(`^${code} `)) },
    ]);
    const rows: unknown[] = await messaging.dataSource.query(
      'SELECT 1 FROM messages WHERE account_id = $1 AND direction = $2',
      [account.accountId, 'outbound'],
    );
    expect(rows).toHaveLength(1);
  });

  it('is reported once despite many failed sends', async () => {
    messaging.upstream.behave({ refuseWith: 190, status: 401 });
    await Promise.allSettled(Array.from({ length: 10 }, () => send()));
    await expect(send()).rejects.toMatchObject({ code: 'NUMBER_STOPPED' });
    const { accountId, numberId, phoneNumber } = account;
    const told = () => messaging.stoppedEvents.filter((event) => event.accountId === accountId);
    await eventually(() =>
      expect(told()).toEqual([
        {
          accountId,
          numberId,
          phoneNumber,
          reason: expect.stringMatching(/^190 /),
          timestamp: expect.stringMatching(/Z$/),
        },
      ]),
    );
    await messaging.settled();
    expect(told()).toHaveLength(1);
  });

  it('does not stop other numbers of the account', async () => {
    await stop();
    const other = await messaging.gateway.request(addNumberV1, {
      accountId: account.accountId,
      phoneNumber: '15550009999',
      phoneNumberId: newId('num'),
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, account.accountId),
    });
    await expect(
      messaging.send(account.accountId, {
        type: 'template',
        template: { name: 'none', language: { code: 'en' } },
        from: other.phoneNumber,
      }),
    ).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
    expect((await numbers()).map(({ status }) => status)).toEqual(['STOPPED', 'CONNECTED']);
  });

  it('sends again after an operator resumes it', async () => {
    await stop();
    const { accountId, phoneNumber, numberId } = account;
    await expect(messaging.gateway.request(resumeNumberV1, { accountId, phoneNumber })).resolves.toEqual({
      id: numberId,
      phoneNumber,
      status: 'CONNECTED',
    });
    await expect(send()).resolves.toBeDefined();
    await expect(
      messaging.gateway.request(resumeNumberV1, { accountId: newId('acc'), phoneNumber }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('sends again with new credentials', async () => {
    await stop();
    const { accountId, phoneNumber, phoneNumberId } = account;
    await messaging.gateway.request(addNumberV1, {
      accountId,
      phoneNumber,
      phoneNumberId,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, accountId),
    });
    await expect(send()).resolves.toBeDefined();
    expect(await numbers()).toMatchObject([{ status: 'CONNECTED', stoppedReason: null }]);
  });

  it('is not stopped by a late rejection of old credentials', async () => {
    messaging.upstream.behave('hang');
    const renewed = testBox.seal(ACCESS_TOKEN, tokenPlace(account.numberId));
    const refusing = messaging.upstream.refuseHanging(190, async () => {
      await messaging.dataSource.query('UPDATE numbers SET sealed_access_token = $2 WHERE id = $1', [
        account.numberId,
        renewed,
      ]);
    });
    await expect(send()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    await refusing;
    messaging.upstream.behave('accept');
    await expect(send()).resolves.toBeDefined();
  });
});
