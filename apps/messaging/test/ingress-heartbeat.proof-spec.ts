import { newId, upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { counter } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import { insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const GRACE_SECONDS = 2;

describe('the reconciler and the callback heartbeat', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: GRACE_SECONDS });
    account = await messaging.addAccount();
  });
  beforeEach(async () => {
    await messaging.dataSource.query('DELETE FROM callback_door');
    await messaging.dataSource.query("DELETE FROM messages WHERE direction = 'outbound'");
  });
  afterAll(() => messaging.stop());

  /** Inserts a message whose send started the given number of seconds ago. */
  const begun = async (secondsAgo: number): Promise<string> => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['sending']);
    await messaging.dataSource.query(
      'UPDATE messages SET sending_since = now() - make_interval(secs => $2) WHERE id = $1',
      [id, secondsAgo],
    );
    return id;
  };
  const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
  const sends = (id: string): number => messaging.upstream.sends.filter(({ echo }) => echo === id).length;
  const ingressOf = async () =>
    (
      await messaging.dataSource.query<{ open: string; seen: string }[]>(
        'SELECT open_since AS open, seen_at AS seen FROM callback_door',
      )
    )[0];
  /**
   * Sends a heartbeat and waits until it is processed. Concurrent heartbeats may arrive in any order, which looks like
   * a gap.
   */
  const beatTaken = async (at: string): Promise<void> => {
    await messaging.beat({ at });
    await eventually(async () => expect(new Date((await ingressOf())?.seen ?? 0).toISOString()).toBe(at));
  };
  /** Resolves after the reconciler has run twice. */
  const reconcilerRan = async (): Promise<void> => {
    const until = Date.now() + 2_200;
    await eventually(() => expect(Date.now()).toBeGreaterThan(until));
  };

  it('retries nothing before the first gateway heartbeat', async () => {
    const id = await begun(60);
    await reconcilerRan();
    expect(sends(id)).toBe(0);
  });

  it('retries sends after a grace period of uninterrupted heartbeats', async () => {
    const id = await begun(60);
    for (const seconds of [10, 8, 6, 4, 2, 0]) await beatTaken(ago(seconds));
    await eventually(() => expect(sends(id)).toBe(1));
  });

  it.each([
    ['a gap between heartbeats', [20, 18, 1, 0], undefined],
    ['a gateway start', [10, 8, 6, 4, 2, 0], 1],
  ])('waits a full grace period after %s', async (_title, beats, startedAgo) => {
    const id = await begun(60);
    for (const seconds of beats)
      await messaging.beat({ at: ago(seconds), ...(startedAgo !== undefined && { since: ago(startedAgo) }) });
    await eventually(async () => expect(await ingressOf()).toBeDefined());
    await messaging.settled();
    await reconcilerRan();
    expect(sends(id)).toBe(0);
    await messaging.beat({ at: ago(-GRACE_SECONDS) });
    await eventually(() => expect(sends(id)).toBe(1));
  });

  it('ignores late and duplicate heartbeats', async () => {
    const [first, second] = [ago(10), ago(5)];
    await messaging.beat({ at: first });
    // The first two may arrive in any order. If they are swapped, callbacks count as accepted since the later one.
    await eventually(async () => expect(await ingressOf()).toBeDefined());
    for (const at of [second, first, second]) await messaging.beat({ at });
    await messaging.settled();
    const ingress = await ingressOf();
    expect([new Date(ingress?.open ?? 0).toISOString(), new Date(ingress?.seen ?? 0).toISOString()]).toEqual([
      first,
      second,
    ]);
  });

  it('does not fail a send before its callbacks can arrive', async () => {
    const id = await begun(60);
    await messaging.dataSource.query('UPDATE messages SET send_attempts = 5 WHERE id = $1', [id]);
    await reconcilerRan();
    const [row] = await messaging.dataSource.query('SELECT state FROM messages WHERE id = $1', [id]);
    expect(row).toMatchObject({ state: 'sending' });
  });

  it('applies earlier queued callbacks before a heartbeat', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => begun(60)));
    // Only from the last heartbeat on have callbacks been accepted for a whole grace period.
    const [first, second, last] = [ago(3), ago(1.5), ago(0)];
    await messaging.beat({ at: first });
    await messaging.beat({ at: second });
    await Promise.all(
      ids.map((id) =>
        messaging.callback(account.phoneNumberId, {
          statuses: [
            { id: `wamid.${newId('msg')}`, status: 'sent', timestamp: '1790416830', biz_opaque_callback_data: id },
          ],
        }),
      ),
    );
    await messaging.beat({ at: last });
    await messaging.settled();
    await reconcilerRan();
    expect(ids.map(sends)).toEqual(ids.map(() => 0));
  });

  it('delays a heartbeat while an earlier callback is blocked', async () => {
    const id = await begun(60);
    const holder = messaging.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [id]);
    await messaging.callback(account.phoneNumberId, {
      statuses: [
        { id: `wamid.${newId('msg')}`, status: 'sent', timestamp: '1790416830', biz_opaque_callback_data: id },
      ],
    });
    for (const seconds of [6, 3, 0]) await messaging.beat({ at: ago(seconds) });
    await reconcilerRan();
    expect(await ingressOf()).toBeUndefined();
    await holder.rollbackTransaction();
    await holder.release();
    await eventually(async () => expect(await ingressOf()).toBeDefined());
    await messaging.settled();
    await reconcilerRan();
    expect(sends(id)).toBe(0);
  });

  it('retries nothing while a failed callback awaits its retry', async () => {
    const id = await begun(60);
    await messaging.dataSource.query('ALTER TABLE messages RENAME TO messages_away');
    await messaging.callback(account.phoneNumberId, {
      statuses: [
        { id: `wamid.${newId('msg')}`, status: 'sent', timestamp: '1790416830', biz_opaque_callback_data: id },
      ],
    });
    await eventually(async () => expect(await countFailedCallbacks()).toBeGreaterThan(0));
    await messaging.dataSource.query('ALTER TABLE messages_away RENAME TO messages');
    for (const seconds of [6, 3, 0]) await messaging.beat({ at: ago(seconds) });
    await eventually(async () =>
      expect(new Date((await ingressOf())?.open ?? 0).getTime()).toBeGreaterThan(Date.now() + 30_000),
    );
    await messaging.settled();
    expect(sends(id)).toBe(0);
  });
});

async function countFailedCallbacks(): Promise<number> {
  const { values } = await counter('broker_deliveries_total', '', { contract: [], outcome: [] }).get();
  return values
    .filter(({ labels }) => labels.contract === upstreamMessagesReceivedV1.name && labels.outcome === 'failed')
    .reduce((sum, { value }) => sum + value, 0);
}
