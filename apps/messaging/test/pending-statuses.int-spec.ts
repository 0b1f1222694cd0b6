import { eventually } from '@switchboard/testing';
import { CREATED_AT, insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('statuses of unknown messages', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const sql = <Row>(text: string, params: unknown[] = []): Promise<Row[]> => messaging.dataSource.query(text, params);
  const report = async (statuses: object[], phoneNumberId = account.phoneNumberId): Promise<void> => {
    await messaging.callback(phoneNumberId, { statuses });
    await messaging.settled();
  };
  const pendingOf = async (upstreamId: string): Promise<number> =>
    (await sql('SELECT id FROM parked_statuses WHERE upstream_id = $1', [upstreamId])).length;
  const eventsOf = (id: string) =>
    messaging.statusEvents.filter((event) => event.id === id).map(({ status }) => status);
  const statusOf = (upstreamId: string, status: string) => ({ id: upstreamId, status, timestamp: '1790416830' });

  it('are applied once the message has its upstream id', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['sending']);
    await sql('UPDATE messages SET upstream_id = NULL, created_at = $2 WHERE id = $1', [id, CREATED_AT]);
    await report([
      { ...statusOf('wamid.late', 'delivered'), pricing: { billable: true, category: 'marketing' } },
      statusOf('wamid.late', 'sent'),
    ]);
    expect(await pendingOf('wamid.late')).toBe(2);
    expect(eventsOf(id)).toEqual([]);
    await sql("UPDATE messages SET upstream_id = 'wamid.late', state = 'accepted' WHERE id = $1", [id]);
    await eventually(() => expect(eventsOf(id)).toEqual(['sent', 'delivered']));
    const [row] = await sql<{ state: string; sent_at: Date; delivered_at: Date }>(
      'SELECT * FROM messages WHERE id = $1',
      [id],
    );
    expect(row).toMatchObject({
      state: 'delivered',
      sent_at: new Date('2026-09-26T10:00:30.000Z'),
      delivered_at: new Date('2026-09-26T10:00:30.000Z'),
      pricing: { category: 'marketing', billable: true },
    });
    expect(await pendingOf('wamid.late')).toBe(0);
  });

  it('are published once when applied late and repeated', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await sql('UPDATE messages SET upstream_id = NULL WHERE id = $1', [id]);
    await report([statusOf('wamid.twice', 'sent')]);
    await report([statusOf('wamid.twice', 'sent')]);
    await sql("UPDATE messages SET upstream_id = 'wamid.twice' WHERE id = $1", [id]);
    await report([statusOf('wamid.twice', 'sent')]);
    await eventually(async () => expect(await pendingOf('wamid.twice')).toBe(0));
    await messaging.settled();
    expect(eventsOf(id)).toEqual(['sent']);
  });

  it('are retried with increasing delays', async () => {
    await report([statusOf('wamid.foreign', 'sent')]);
    await sql(
      "UPDATE parked_statuses SET received_at = now() - interval '100 seconds', next_try_at = now() WHERE upstream_id = 'wamid.foreign'",
    );
    await eventually(async () => {
      const [row] = await sql<{ wait: string }>(
        "SELECT next_try_at - now() > interval '90 seconds' AS wait FROM parked_statuses WHERE upstream_id = 'wamid.foreign'",
      );
      expect(row?.wait).toBe(true);
    });
  });

  it('are not delayed by thousands of unmatched statuses', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await sql(
      `INSERT INTO parked_statuses (id, account_id, number_id, upstream_id, body, received_at, next_try_at)
       SELECT 'prk_' || n, $1, $2, 'wamid.strange' || n, '{}', now() - interval '1 hour', now() - interval '1 minute'
         FROM generate_series(1, 20000) AS n`,
      [account.accountId, account.numberId],
    );
    const body = {
      upstreamId: `wamid.${id}`,
      echoedId: null,
      status: 'read',
      at: '2026-09-26T10:00:30.000Z',
      error: null,
    };
    await sql(
      `INSERT INTO parked_statuses (id, account_id, number_id, upstream_id, body) VALUES ('prk_known', $1, $2, $3, $4)`,
      [account.accountId, account.numberId, body.upstreamId, body],
    );
    await eventually(() => expect(eventsOf(id)).toEqual(['read']), { timeoutMs: 12_000 });
    await sql("DELETE FROM parked_statuses WHERE upstream_id LIKE 'wamid.strange%'");
  }, 30_000);

  it('are dropped after a day', async () => {
    await report([statusOf('wamid.never', 'sent')]);
    await sql("UPDATE parked_statuses SET received_at = now() - interval '25 hours' WHERE upstream_id = 'wamid.never'");
    await eventually(async () => expect(await pendingOf('wamid.never')).toBe(0));
  });

  it('never apply to a message of another account', async () => {
    const other = await messaging.addAccount();
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await report([statusOf(`wamid.${id}`, 'read')], other.phoneNumberId);
    expect(await pendingOf(`wamid.${id}`)).toBe(1);
    await sql("UPDATE parked_statuses SET next_try_at = now() - interval '1 second' WHERE upstream_id = $1", [
      `wamid.${id}`,
    ]);
    await eventually(async () =>
      expect(await sql('SELECT id FROM parked_statuses WHERE next_try_at <= now()')).toEqual([]),
    );
    expect([await pendingOf(`wamid.${id}`), eventsOf(id)]).toEqual([1, []]);
  });
});
