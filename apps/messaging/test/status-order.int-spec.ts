import { eventually } from '@switchboard/testing';
import { insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('status events of one message', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  it('keep the order of arrival while a batch is delayed', async () => {
    const [locked = '', ...ids] = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 31 }, () => 'accepted'),
    );
    const [told, others] = [ids.slice(0, 10), ids.slice(10)];
    const tell = (status: string, about: string[]) =>
      messaging.callback(account.phoneNumberId, {
        statuses: about.map((id) => ({ id: `wamid.${id}`, status, timestamp: '1790416830' })),
      });
    const holder = messaging.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [locked]);
    await tell('sent', [locked, ...told]);
    await eventually(async () =>
      expect(
        (
          await messaging.dataSource.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
          )
        ).length,
      ).toBe(1),
    );
    await tell('delivered', told);
    // When a later event is published, the statuses had their chance to overtake.
    await Promise.all(others.map((id) => tell('sent', [id])));
    await eventually(() => expect(messaging.statusEvents.some(({ id }) => others.includes(id))).toBe(true));
    await holder.rollbackTransaction();
    await holder.release();
    await messaging.settled();
    const announced = told.map((id) =>
      messaging.statusEvents.filter((event) => event.id === id).map(({ status }) => status),
    );
    expect(announced).toEqual(told.map(() => ['sent', 'delivered']));
  });
});
