import {
  getEventRetentionV1,
  newId,
  replayEventV1,
  runEventRetentionV1,
  setEventRetentionV1,
} from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { Loops } from '@switchboard/platform';
import { eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { OrderedIds } from '../src/ordered-ids';
import { findNextDropped, replayStep } from '../src/replays/replays.queries';
import { AccountRetention } from '../src/retention/account-retention';
import { Retention } from '../src/retention/retention';
import { Harness } from './harness';

const DAY_MS = 24 * 3_600_000;

describe('account retention of webhook events', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start({ WEBHOOK_LOG_DAYS: 30 });
    // Stop the service's own retention runs, which would delete rows that a test still counts. Each test starts its own
    // run.
    await harness.service().app.get(Loops).beforeApplicationShutdown();
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  const sql = <Row>(text: string, ...params: unknown[]): Promise<Row[]> =>
    query<Row>(harness.database.dataSource, text, params);
  const count = async (table: string, accountId: string): Promise<number> =>
    (await sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`, accountId))[0]
      ?.count ?? 0;
  const counts = (accountId: string): Promise<number[]> =>
    Promise.all(['events', 'delivery_log', 'attempts'].map((table) => count(table, accountId)));
  const setDays = (accountId: string, eventDays: number | null) =>
    harness.others.request(setEventRetentionV1, { accountId, eventDays });
  const run = (accountId: string, dryRun = false) => harness.others.request(runEventRetentionV1, { accountId, dryRun });

  /** Creates an account with a paused endpoint, so that its waiting deliveries do not change. */
  const quietAccount = async (): Promise<{ accountId: string; endpointId: string }> => {
    const { accountId } = await harness.account(receiver);
    const [endpoint] = await sql<{ id: string }>(
      `UPDATE endpoints SET paused_at = now(), paused_reason = 'owner' WHERE account_id = $1 RETURNING id`,
      accountId,
    );
    return { accountId, endpointId: endpoint?.id ?? '' };
  };

  /**
   * Stores events of the given age, each with a finished delivery and two attempts.
   * @returns their ids
   */
  const record = async (
    account: { accountId: string; endpointId: string },
    options: { daysAgo: number; number?: number; state?: string },
  ): Promise<string[]> => {
    const { daysAgo, number = 1, state = 'delivered' } = options;
    const ids = new OrderedIds(() => Date.now() - daysAgo * DAY_MS);
    const events = Array.from({ length: number }, () => ids.next('evt'));
    const deliveries = events.map(() => ids.next('dlv'));
    const { accountId, endpointId } = account;
    await sql(
      `INSERT INTO events (id, account_id, kind, body, occurred_at) SELECT id, $1::text, 'message', 'body'::bytea, now() FROM unnest($2::text[]) AS event (id)`,
      accountId,
      events,
    );
    await sql(
      `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
       SELECT delivery.id, $1::text, $2::text, delivery.event_id, $5::text, 2, now(), now()
         FROM unnest($3::text[], $4::text[]) AS delivery (id, event_id)`,
      accountId,
      endpointId,
      deliveries,
      events,
      state,
    );
    await sql(
      `INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at)
       SELECT id, attempt, $1::text, 'https://example.com',
         now() FROM unnest($2::text[]) AS delivery (id), generate_series(1, 2) AS attempt`,
      accountId,
      deliveries,
    );
    return events;
  };

  it('defaults to the log retention and never exceeds it', async () => {
    const accountId = newId('acc');
    expect(await harness.others.request(getEventRetentionV1, { accountId })).toEqual({
      eventDays: null,
      effectiveDays: 30,
    });
    expect(await setDays(accountId, 7)).toEqual({ eventDays: 7, effectiveDays: 7 });
    expect(await setDays(accountId, 90)).toEqual({ eventDays: 90, effectiveDays: 30 });
    expect(await harness.others.request(getEventRetentionV1, { accountId })).toEqual({
      eventDays: 90,
      effectiveDays: 30,
    });
    expect(await setDays(accountId, null)).toEqual({ eventDays: null, effectiveDays: 30 });
    await expect(setDays(accountId, 0)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
  });

  it('deletes older events with their deliveries and attempts', async () => {
    const [account, other] = [await quietAccount(), await quietAccount()];
    await record(account, { daysAgo: 7.1, number: 3 });
    const younger = await record(account, { daysAgo: 6.9 });
    await record(other, { daysAgo: 20 });
    await setDays(account.accountId, 7);
    expect(await run(account.accountId, true)).toEqual({ events: 3, done: true });
    expect(await counts(account.accountId)).toEqual([4, 4, 8]);
    expect(await run(account.accountId)).toEqual({ events: 3, done: true });
    expect(await counts(account.accountId)).toEqual([1, 1, 2]);
    expect(await sql('SELECT id FROM events WHERE account_id = $1', account.accountId)).toEqual(
      younger.map((id) => ({ id })),
    );
    expect(await run(other.accountId)).toEqual({ events: 0, done: true });
    expect(await counts(other.accountId)).toEqual([1, 1, 2]);
  });

  it('keeps an event until its waiting deliveries are finished', async () => {
    const account = await quietAccount();
    const [eventId = ''] = await record(account, { daysAgo: 10, number: 2 });
    await sql(
      'INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id) VALUES ($1, $2, $3, $4)',
      newId('dlv'),
      account.accountId,
      account.endpointId,
      eventId,
    );
    await setDays(account.accountId, 2);
    expect(await run(account.accountId, true)).toEqual({ events: 1, done: true });
    expect(await run(account.accountId)).toEqual({ events: 1, done: true });
    expect(await counts(account.accountId)).toEqual([1, 2, 2]);
    await sql('DELETE FROM pending_deliveries WHERE account_id = $1', account.accountId);
    expect(await run(account.accountId)).toEqual({ events: 1, done: true });
    expect(await counts(account.accountId)).toEqual([0, 0, 0]);
  });

  it('is enforced by the hourly run in bounded steps', async () => {
    const account = await quietAccount();
    await record(account, { daysAgo: 5, number: 2_500 });
    const retention = harness.service().app.get(Retention);
    expect(await retention.keepUp(new Date())).toBe(false);
    await setDays(account.accountId, 4);
    const left: number[] = [];
    for (let isMore = true; isMore; left.push(await count('events', account.accountId)))
      isMore = await retention.keepUp(new Date());
    expect(left).toEqual([1_500, 500, 0]);
    expect(await counts(account.accountId)).toEqual([0, 0, 0]);
  });

  it('keeps an event that is being replayed', async () => {
    const account = await quietAccount();
    const [eventId = ''] = await record(account, { daysAgo: 10, state: 'dropped' });
    await setDays(account.accountId, 2);
    const counters = { total: 1, replayed: 0, created_at: new Date(), finished_at: null };
    const replay = {
      id: newId('rpl'),
      account_id: account.accountId,
      endpoint_id: null,
      kind: null,
      position: 'evt_0',
      until: 'evt_8',
      ...counters,
    };
    await new Transactions(harness.database.dataSource).run(async (tx) => {
      const [dropped] = await findNextDropped(tx, replay, 10);
      expect(dropped?.eventId).toBe(eventId);
      expect(await run(account.accountId)).toEqual({ events: 0, done: true });
      await replayStep(tx, replay, [{ oldId: dropped?.id ?? '', newId: newId('dlv') }], {
        position: eventId,
        holder: null,
      });
    });
    expect(await run(account.accountId)).toEqual({ events: 0, done: true });
    expect(await counts(account.accountId)).toEqual([1, 2, 2]);
  });

  it('rejects the replay of an event that is being deleted', async () => {
    const account = await quietAccount();
    const [eventId = ''] = await record(account, { daysAgo: 10 });
    const { accountId } = account;
    let replayed: Promise<unknown> = Promise.resolve();
    await new Transactions(harness.database.dataSource).run(async (tx) => {
      await tx.query('SELECT id FROM events WHERE account_id = $1 FOR UPDATE', [accountId]);
      replayed = harness.others.request(replayEventV1, { accountId, eventId }).catch((error: unknown) => error);
      await eventually(async () =>
        expect(
          (
            await sql(
              `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO pending_deliveries%'`,
            )
          ).length,
        ).toBe(1),
      );
      await tx.query('DELETE FROM events WHERE account_id = $1', [accountId]);
    });
    expect(await replayed).toMatchObject({ code: 'NOT_FOUND' });
    expect(await count('pending_deliveries', accountId)).toBe(0);
  });

  it('counts the events to delete over all accounts', async () => {
    const accounts = [await quietAccount(), await quietAccount()];
    const retention = harness.service().app.get(AccountRetention);
    const before = (await retention.countAll(new Date())).events;
    for (const account of accounts) {
      await record(account, { daysAgo: 3 });
      await setDays(account.accountId, 1);
    }
    expect(await harness.others.request(runEventRetentionV1, { dryRun: true })).toEqual({
      events: before + 2,
      done: true,
    });
  });
});
