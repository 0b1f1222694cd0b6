import { eventually } from '@switchboard/testing';
import { changesOf, countTasks, orderUpdate, recipients, release, told } from './support/jobs';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('throttled job messages', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ upstreamTimeoutMs: 4_000 });
    messaging.templates.set(orderUpdate.name, orderUpdate);
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const sendsOf = (ids: readonly string[]) => messaging.upstream.sends.filter(({ echo }) => ids.includes(echo));
  const rowsOf = (ids: readonly string[]): Promise<{ state: string }[]> =>
    messaging.dataSource.query('SELECT * FROM messages WHERE id = ANY ($1)', [ids]);

  it('are unchanged by a redelivered task', async () => {
    const someone = recipients(1);
    messaging.upstream.behaveTo(someone[0]?.to ?? '', { refuseWith: 130429 });
    const { task, ids, again, messageId } = await release(messaging, account, { recipients: someone });
    await told(messaging, task.jobId, 1);
    messaging.upstream.behaveTo(someone[0]?.to ?? '');
    const sent = sendsOf(ids).length;
    const handled = await countTasks();
    await again({ messageId });
    await eventually(async () => expect(await countTasks()).toBe(handled + 1));
    await messaging.settled();
    expect(changesOf(messaging, task.jobId)).toMatchObject([{ status: 'throttled' }]);
    expect(sendsOf(ids)).toHaveLength(sent);
  });

  it('wait briefly without a report to their job', async () => {
    messaging.upstream.behave({ refuseWith: 130429, times: 1 });
    const { task, ids } = await release(messaging, account);
    expect(await told(messaging, task.jobId, 3)).toMatchObject(Array(3).fill({ status: 'accepted' }));
    expect(sendsOf(ids)).toHaveLength(4);
  });

  it.each([
    [130429, 'number', 100],
    [131056, 'recipient', 900],
    [131048, 'number', 3_600_000],
  ])('leave no row while throttled with code %i', async (refuseWith, scope, leastMs) => {
    messaging.upstream.behave({ refuseWith });
    const { task, ids } = await release(messaging, account, { recipients: recipients(1) });
    const [change] = await told(messaging, task.jobId, 1);
    expect(change).toMatchObject({ messageId: ids[0], status: 'throttled', scope });
    expect(change?.retryAfterMs).toBeGreaterThanOrEqual(leastMs);
    expect(await rowsOf(ids)).toEqual([]);
  });

  it('are sent when released after throttling', async () => {
    messaging.upstream.behave({ refuseWith: 130429 });
    const { task, ids, again } = await release(messaging, account, { recipients: recipients(1) });
    await told(messaging, task.jobId, 1);
    messaging.upstream.behave('accept');
    // While the number is paused, they get the same outcome without a call.
    await eventually(async () => {
      await again();
      expect(await rowsOf(ids)).toMatchObject([{ state: 'accepted' }]);
    });
    await eventually(() => expect(changesOf(messaging, task.jobId).at(-1)).toMatchObject({ status: 'accepted' }));
  });

  it('wait unsent while upstream is down', async () => {
    messaging.upstream.behave({ refuseWith: 131057, status: 500 });
    const { task, ids } = await release(messaging, account);
    expect(await told(messaging, task.jobId, 3)).toMatchObject(Array(3).fill({ status: 'throttled', scope: 'number' }));
    expect(await rowsOf(ids)).toEqual([]);
  });

  it('are not attempted while the number is paused', async () => {
    messaging.upstream.behave({ refuseWith: 80007 });
    await told(messaging, (await release(messaging, account, { recipients: recipients(1) })).task.jobId, 1);
    messaging.upstream.behave('accept');
    const { task, ids } = await release(messaging, account);
    expect(await told(messaging, task.jobId, 3)).toMatchObject(Array(3).fill({ status: 'throttled', scope: 'number' }));
    expect(sendsOf(ids)).toEqual([]);
    expect(await rowsOf(ids)).toEqual([]);
    // A row would have created its contact.
    expect(
      await messaging.dataSource.query('SELECT 1 FROM contacts WHERE account_id = $1', [account.accountId]),
    ).toHaveLength(1);
  });
});
