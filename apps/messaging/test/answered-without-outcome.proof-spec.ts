import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { orderUpdate, recipients, release, told } from './support/jobs';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

/** Longer than the grace period, so that a failure shows which of the two waits was applied. */
const WAIT_SECONDS = 3;
/** Responses that prove that the request arrived, but do not contain its outcome. */
const ANSWERS = ['answer-without-id', 'bad-gateway'] as const;

describe('a send with a response but no outcome', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let closeIngress: () => Promise<void>;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: 1, callbackWaitSeconds: WAIT_SECONDS, replicas: 2 });
    messaging.templates.set(orderUpdate.name, orderUpdate);
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
    await messaging.writeIn(account);
    closeIngress = messaging.openIngress();
  });
  afterEach(() => closeIngress());
  afterAll(() => messaging.stop());

  const send = (id: string) => messaging.send(account.accountId, { text: { body: 'Hello' } }, id);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const rowOf = async (id: string) =>
    (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const failure = (id: string) => messaging.statusEvents.filter((event) => event.id === id);
  const givenUp = {
    state: 'failed',
    error: {
      reason: 'UPSTREAM_TIMEOUT',
      title: 'Outcome unknown',
      retriable: false,
      message: expect.stringContaining('may have been sent') as string,
    },
  };
  /** Returns the time that callbacks had to settle the message before it failed. */
  const waitedOf = async (id: string): Promise<number> => {
    const { failed_at: failedAt, sending_since: since } = (await rowOf(id)) as { failed_at: Date; sending_since: Date };
    return failedAt.getTime() - since.getTime();
  };
  const reports = (id: string) => ({
    statuses: [
      {
        id: `wamid.${id}`,
        status: 'delivered',
        timestamp: '1790416830',
        recipient_id: CUSTOMER,
        biz_opaque_callback_data: id,
      },
    ],
  });

  it.each(ANSWERS)('is settled by its callback: %s', async (answer) => {
    await closeIngress();
    const id = newId('msg');
    messaging.upstream.behave(answer);
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', repeatable: false });
    await messaging.callback(account.phoneNumberId, reports(id));
    await eventually(async () =>
      expect(await rowOf(id)).toMatchObject({ state: 'delivered', upstream_id: `wamid.${id}` }),
    );
    await expect(send(id)).resolves.toEqual({ id, upstreamId: `wamid.${id}` });
    expect(sendsOf(id)).toHaveLength(1);
  });

  it.each(ANSWERS)('fails without a retry if no callback arrives in time: %s', async (answer) => {
    const id = newId('msg');
    messaging.upstream.behave(answer);
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    await eventually(async () => expect(await rowOf(id)).toMatchObject(givenUp));
    expect(await waitedOf(id)).toBeGreaterThanOrEqual(WAIT_SECONDS * 1_000);
    await eventually(() => expect(failure(id)).toMatchObject([{ status: 'failed', error: { code: 0 } }]));
    expect(sendsOf(id)).toHaveLength(1);
    // The message may have been sent, so a late callback still counts.
    await messaging.callback(account.phoneNumberId, reports(id));
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'delivered' }));
  });

  it.each(ANSWERS)('is not retried by the reconciler after such a response: %s', async (answer) => {
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', repeatable: true });
    messaging.upstream.behave(answer);
    await eventually(async () => expect(await rowOf(id)).toMatchObject(givenUp));
    expect(await waitedOf(id)).toBeGreaterThanOrEqual(WAIT_SECONDS * 1_000);
    expect(sendsOf(id)).toHaveLength(2);
  });

  it.each(ANSWERS)('is not retried in a job, which records the failure: %s', async (answer) => {
    messaging.upstream.behave(answer);
    const { task, ids } = await release(messaging, account, { recipients: recipients(3) });
    const changes = await told(messaging, task.jobId, 3);
    expect(changes.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort());
    for (const change of changes)
      expect(change).toMatchObject({ status: 'failed', error: { reason: 'UPSTREAM_TIMEOUT' } });
    expect(ids.flatMap(sendsOf)).toHaveLength(3);
  });
});
