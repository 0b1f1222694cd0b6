import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { orderMessage, orderUpdate, recipients, release, told } from './support/jobs';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const AT_A_TIME = 4;
const UPSTREAM_TIMEOUT_MS = 6_000;

describe('a job with slow calls', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({
      upstreamTimeoutMs: UPSTREAM_TIMEOUT_MS,
      env: { JOB_SENDS_AT_A_TIME: String(AT_A_TIME) },
    });
    messaging.templates.set(orderUpdate.name, orderUpdate);
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  it('keeps its concurrency limit and delays no single send', async () => {
    messaging.upstream.behave('hang');
    messaging.upstream.behaveTo(CUSTOMER, 'accept');
    const startedAt = performance.now();
    // Release more tasks than can run concurrently.
    const releases = await Promise.all(
      Array.from({ length: 10 }, () => release(messaging, account, { recipients: recipients(20) })),
    );
    const isOfJob = ({ echo }: { echo: string }): boolean => releases.some(({ ids }) => ids.includes(echo));
    await eventually(() => expect(messaging.upstream.sends.filter(isOfJob).length).toBe(AT_A_TIME));
    const singles = Array.from({ length: 60 }, () =>
      messaging.send(account.accountId, { ...orderMessage(account), to: CUSTOMER }, newId('msg')),
    );
    await Promise.all(singles);
    expect(messaging.upstream.sends.filter(isOfJob)).toHaveLength(AT_A_TIME);
    expect(performance.now() - startedAt).toBeLessThan(UPSTREAM_TIMEOUT_MS);
    messaging.upstream.behave('accept');
    const changes = (
      await Promise.all(releases.map(({ task, ids }) => told(messaging, task.jobId, ids.length - unanswered(ids))))
    ).flat();
    expect(new Set(changes.map(({ status }) => status))).toEqual(new Set(['accepted', 'throttled']));
    const kept = changes.filter(({ status }) => status === 'throttled').map(({ messageId }) => messageId);
    expect(messaging.upstream.sends.filter(({ echo }) => kept.includes(echo))).toEqual([]);
  }, 60_000);

  /** Hanging calls have an unknown outcome. */
  const unanswered = (ids: readonly string[]): number =>
    messaging.upstream.sends.slice(0, AT_A_TIME).filter(({ echo }) => ids.includes(echo)).length;
});
