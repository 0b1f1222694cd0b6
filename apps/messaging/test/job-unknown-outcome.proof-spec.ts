import { type JobMessageChange, newId } from '@switchboard/contracts';
import { eventually, startTcpProxy, testDatabaseUrl, type TcpProxy } from '@switchboard/testing';
import { changesOf, countTasks, orderUpdate, recipients, release, told } from './support/jobs';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const DEAD = `
  INSERT INTO messages (id, account_id, number_id, direction, sender, recipient, type, content, state, sending_since,
    send_attempts, job_id, repeatable)
  SELECT id, $1, $2, 'outbound', $3, $4, 'template', $5, 'sending', now(), 1, $6, $8 FROM unnest($7::text[]) AS id`;

describe('job messages with an unknown outcome', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let database: TcpProxy;
  let closeIngress: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const { hostname, port } = new URL(testDatabaseUrl());
    database = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    // Leaves time for calls on a busy machine, because a message is retried after the grace period.
    messaging = await startMessaging({
      graceSeconds: 4,
      upstreamTimeoutMs: 3_500,
      reachDatabase: (address) => database.through(address),
    });
    messaging.templates.set(orderUpdate.name, orderUpdate);
    account = await messaging.addAccount();
  });
  beforeEach(() => messaging.upstream.behave('accept'));
  afterEach(async () => {
    await closeIngress?.();
    closeIngress = undefined;
  });
  afterAll(async () => {
    await messaging.stop();
    await database.close();
  });

  const sendsOf = (ids: readonly string[]) => messaging.upstream.sends.filter(({ echo }) => ids.includes(echo));
  const statesOf = async (ids: readonly string[]): Promise<string[]> =>
    (
      await messaging.dataSource.query<{ state: string }[]>('SELECT state FROM messages WHERE id = ANY ($1)', [ids])
    ).map(({ state }) => state);
  const reports = (id: string, status: string, upstreamId = `wamid.${id}`) => ({
    statuses: [
      { id: upstreamId, status, timestamp: '1790416830', recipient_id: CUSTOMER, biz_opaque_callback_data: id },
    ],
  });
  /** Simulates a crash after a task wrote its rows. */
  const leaveBehind = async (jobId: string, ids: readonly string[], repeatable = true): Promise<void> => {
    const content = JSON.stringify({ name: orderUpdate.name, language: { code: 'en_US' } });
    await messaging.dataSource.query(DEAD, [
      account.accountId,
      account.numberId,
      account.phoneNumber,
      CUSTOMER,
      content,
      jobId,
      ids,
      repeatable,
    ]);
  };
  const statusesOf = (jobId: string): JobMessageChange['status'][] =>
    changesOf(messaging, jobId).map(({ status }) => status);

  it('are not reported before a callback, nor resent by their task', async () => {
    messaging.upstream.behave('accept-then-cut');
    const handled = await countTasks();
    const { task, ids, again } = await release(messaging, account, { recipients: recipients(1) });
    await eventually(async () => expect(await statesOf(ids)).toEqual(['unknown']));
    messaging.upstream.behave('accept');
    await again();
    await again();
    // A task after the callback would report again what the callback has settled.
    await eventually(async () => expect(await countTasks()).toBe(handled + 3));
    expect(sendsOf(ids)).toHaveLength(1);
    await messaging.callback(account.phoneNumberId, reports(ids[0] ?? '', 'delivered'));
    expect(await told(messaging, task.jobId, 1)).toMatchObject([
      { messageId: ids[0], status: 'delivered', upstreamId: `wamid.${ids[0]}` },
    ]);
    expect(sendsOf(ids)).toHaveLength(1);
  });

  it('are sent once by the reconciler after a crash before the call', async () => {
    const jobId = newId('job');
    const some = recipients(5);
    const ids = some.map(({ messageId }) => messageId);
    await leaveBehind(jobId, ids);
    const handled = await countTasks();
    await release(messaging, account, { jobId, recipients: some });
    await eventually(async () => expect(await countTasks()).toBe(handled + 1));
    expect(sendsOf(ids)).toEqual([]);
    closeIngress = messaging.openIngress();
    const changes = await told(messaging, jobId, ids.length);
    expect(changes.map(({ messageId, status }) => `${messageId} ${status}`).sort()).toEqual(
      ids.map((id) => `${id} accepted`).sort(),
    );
    expect(
      sendsOf(ids)
        .map(({ echo }) => echo)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it('are settled by the callback after a crash after the call', async () => {
    const jobId = newId('job');
    const [recipient] = recipients(1);
    const id = recipient?.messageId ?? '';
    await leaveBehind(jobId, [id]);
    for (const status of ['sent', 'delivered', 'read'])
      await messaging.callback(account.phoneNumberId, reports(id, status));
    await eventually(() => expect(statusesOf(jobId).at(-1)).toBe('read'));
    await release(messaging, account, { jobId, recipients: recipient ? [recipient] : [] });
    await eventually(() =>
      expect(changesOf(messaging, jobId).filter(({ status }) => status === 'read').length).toBe(2),
    );
    expect(sendsOf([id])).toEqual([]);
  });

  it('fail when abandoned or when the retry is rejected', async () => {
    const jobId = newId('job');
    const [once, refused] = [newId('msg'), newId('msg')];
    messaging.upstream.behave({ refuseWith: 131026 });
    await leaveBehind(jobId, [once], false);
    await leaveBehind(jobId, [refused]);
    closeIngress = messaging.openIngress();
    const byId = new Map((await told(messaging, jobId, 2)).map((change) => [change.messageId, change]));
    expect(byId.get(once)).toMatchObject({ status: 'failed', upstreamId: null, error: { code: 0 } });
    expect(byId.get(refused)).toMatchObject({ status: 'failed', upstreamId: null, error: { code: 131026 } });
    expect(sendsOf([once])).toEqual([]);
  });

  it('are left to callbacks after a database failure', async () => {
    const lock = messaging.dataSource.createQueryRunner();
    await lock.startTransaction();
    // The outcome of the task is written here, after its calls.
    await lock.query('LOCK TABLE inbox IN SHARE ROW EXCLUSIVE MODE');
    const [failed, handled] = [await countTasks('failed'), await countTasks()];
    const { task, ids } = await release(messaging, account, { recipients: recipients(5) });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await eventually(async () => expect((await messaging.dataSource.query(waiting)).length).toBe(1));
    expect(sendsOf(ids)).toHaveLength(5);
    database.drop();
    await eventually(async () => expect(await countTasks('failed')).toBe(failed + 1));
    await lock.commitTransaction();
    await lock.release();
    await eventually(async () => expect(await countTasks()).toBe(handled + 1));
    expect(await statesOf(ids)).toEqual(Array(5).fill('sending'));
    expect(changesOf(messaging, task.jobId)).toEqual([]);
    for (const id of ids) await messaging.callback(account.phoneNumberId, reports(id, 'sent'));
    const changes = await told(messaging, task.jobId, 5);
    expect(changes.map(({ messageId, status }) => `${messageId} ${status}`).sort()).toEqual(
      ids.map((id) => `${id} sent`).sort(),
    );
    expect(sendsOf(ids)).toHaveLength(5);
  });

  it('are reported to their job once per batch of callbacks', async () => {
    const jobId = newId('job');
    const ids = Array.from({ length: 30 }, () => newId('msg'));
    await leaveBehind(jobId, ids);
    await messaging.callback(account.phoneNumberId, { statuses: ids.flatMap((id) => reports(id, 'sent').statuses) });
    await told(messaging, jobId, 30);
    // Callbacks are applied in two lanes.
    expect(messaging.jobEvents.filter((event) => event.jobId === jobId).length).toBeLessThanOrEqual(2);
    await eventually(() => expect(messaging.statusEvents.filter((event) => event.jobId === jobId).length).toBe(30));
  });
});
