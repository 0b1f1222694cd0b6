import { getSendV1, newId, sendMessageV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { CUSTOMER, type RunningMessaging, startMessaging } from './support/start-messaging';

describe("a send past its caller's deadline", () => {
  let messaging: RunningMessaging;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  afterAll(() => messaging.stop());

  it('is not started', async () => {
    const account = await messaging.addAccount();
    await messaging.writeIn(account);
    const lock = messaging.dataSource.createQueryRunner();
    await lock.startTransaction();
    // Block the checks that precede the row.
    await lock.query('LOCK TABLE numbers IN ACCESS EXCLUSIVE MODE');
    const messageId = newId('msg');
    const { accountId } = account;
    const command = { accountId, messageId, message: { to: CUSTOMER, type: 'text' as const, text: { body: 'Hello' } } };
    await expect(messaging.gateway.request(sendMessageV1, command, { timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    await expect(messaging.gateway.request(getSendV1, { accountId, messageId })).resolves.toEqual({
      state: 'none',
      upstreamId: null,
      error: null,
    });
    await lock.commitTransaction();
    await lock.release();
    // This send is queued behind the first one, for the same number.
    await eventually(() => messaging.send(accountId, { text: { body: 'Hello' } }));
    await expect(messaging.gateway.request(getSendV1, { accountId, messageId })).resolves.toMatchObject({
      state: 'none',
    });
    expect(messaging.upstream.sends.filter(({ echo }) => echo === messageId)).toEqual([]);
  });

  it('is not sent if storing it took too long', async () => {
    const account = await messaging.addAccount();
    await messaging.writeIn(account);
    const { accountId } = account;
    await messaging.send(accountId, { text: { body: 'Hello' } });
    const lock = messaging.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE messages IN SHARE MODE');
    const messageId = newId('msg');
    const command = { accountId, messageId, message: { to: CUSTOMER, type: 'text' as const, text: { body: 'Hello' } } };
    await expect(messaging.gateway.request(sendMessageV1, command, { timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    await lock.commitTransaction();
    await lock.release();
    const state = () => messaging.gateway.request(getSendV1, { accountId, messageId });
    await eventually(async () => expect(await state()).toMatchObject({ state: 'failed', error: { retriable: true } }));
    expect(messaging.upstream.sends.filter(({ echo }) => echo === messageId)).toEqual([]);
  });
});
