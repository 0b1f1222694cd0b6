import type { ServerResponse } from 'node:http';
import { newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import type { BuiltService } from '@switchboard/platform';
import { eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

/** Much longer than the test. */
const HELD_SECONDS = 2 * 60 * 60;

describe('delivery after a failure', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
  }, 60_000);
  // Use one receiver per test, so that late requests of another test are not counted.
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());
  afterAll(() => harness.stop(), 60_000);

  it('arrives on time after the broker lost all data (guarantee 7 of ADR 41)', async () => {
    const accounts: string[] = [];
    for (let number = 0; number < 10; number += 1) accounts.push((await harness.account(receiver)).accountId);
    receiver.respondWith((_request, response) => response.writeHead(500).end());
    await Promise.all(accounts.flatMap((accountId) => Array.from({ length: 50 }, () => harness.report(accountId))));
    const all = async <Row>(list: (accountId: string) => Promise<Row[]>) =>
      (await Promise.all(accounts.map(list))).flat();
    const failedOnce = async () => (await all((id) => harness.attempts(id))).filter(({ finished_at }) => finished_at);
    // On a slow machine, the first attempts take longer than the delay of a retry. Keep the first retries waiting.
    await eventually(async () => {
      await moveRetries(accounts, HELD_SECONDS);
      expect((await failedOnce()).length).toBe(500);
    });
    await moveRetries(accounts, HELD_SECONDS);
    await harness.stopService();
    await harness.replaceBroker();
    await moveRetries(accounts, -HELD_SECONDS);
    receiver.respondWith((_request, response) => response.writeHead(200).end());
    await harness.startService();
    const backAt = new Date();
    await eventually(async () =>
      expect(new Set((await all((id) => harness.deliveries(id))).map(({ state }) => state))).toEqual(
        new Set(['delivered']),
      ),
    );
    // On a slow machine, the first retries may be due before the service is back.
    const rows = await query<{ late: number }>(
      harness.database.dataSource,
      `SELECT extract(epoch FROM second.started_at - GREATEST(first.finished_at + interval '5 s', CASE WHEN second.started_at > $2 THEN $2::timestamptz END))::float8 AS late
       FROM attempts first JOIN attempts second USING (account_id, delivery_id) WHERE account_id = ANY ($1)
         AND first.attempt = 1 AND second.attempt = 2`,
      [accounts, backAt],
    );
    expect(rows).toHaveLength(500);
    // A retry is never early. It is late by at most a tenth of the delay plus a second (guarantee 6 of ADR 41), plus
    // the time that this machine needed for the 500 first attempts, which no schedule delayed.
    const [round] = await query<{ seconds: number }>(
      harness.database.dataSource,
      `SELECT extract(epoch FROM max(finished_at) - min(started_at))::float8 AS seconds FROM attempts
       WHERE account_id = ANY ($1) AND attempt = 1`,
      [accounts],
    );
    for (const { late } of rows) {
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(1.5 + (round?.seconds ?? 0));
    }
    expect(receiver.received).toHaveLength(1000);
  }, 120_000);

  it('continues with the next attempt after the process died', async () => {
    const { accountId } = await harness.account(receiver);
    await abandonedClaim(accountId, { attempt: 1 });
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]),
    );
    expect(await harness.attempts(accountId)).toMatchObject([
      { attempt: 1, finished_at: null },
      { attempt: 2, status_code: 200 },
    ]);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['2']);
  });

  it('keeps its schedule after a process died during a retry', async () => {
    const { accountId } = await harness.account(receiver);
    await abandonedClaim(accountId, { attempt: 3 });
    const waiting = async () =>
      (await harness.deliveries(accountId)).map(({ state, attempts_made, next_attempt_at }) => ({
        state,
        attempts_made,
        seconds: ((next_attempt_at?.getTime() ?? 0) - Date.now()) / 1000,
      }));
    await eventually(async () =>
      expect(await waiting()).toEqual([{ state: 'pending', attempts_made: 3, seconds: expect.closeTo(300, -1) }]),
    );
    expect(receiver.received).toHaveLength(0);
  });

  it('is dropped if the process died during the last attempt', async () => {
    const { accountId } = await harness.account(receiver);
    await abandonedClaim(accountId, { attempt: 5 });
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'dropped', attempts_made: 5 }]),
    );
    expect(receiver.received).toHaveLength(0);
  });

  it('is not attempted while another process holds its claim', async () => {
    const { accountId } = await harness.account(receiver);
    const deliveryId = await abandonedClaim(accountId, { attempt: 1, holdsSeconds: 3 });
    const claimedAt = Date.now();
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ id: deliveryId, state: 'delivered' }]),
    );
    expect((receiver.received[0]?.receivedAt ?? 0) - claimedAt).toBeGreaterThanOrEqual(2_900);
  });

  it('is attempted once by one of two processes', async () => {
    const second = await harness.startService();
    const { accountId } = await harness.account(receiver);
    for (let number = 0; number < 40; number += 1) await harness.report(accountId);
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).filter(({ state }) => state === 'delivered').length).toBe(40),
    );
    expect(receiver.received).toHaveLength(40);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(40);
    await harness.stopService(second);
  });

  it('is aborted at shutdown and repeated by the next process', async () => {
    const hanging: ServerResponse[] = [];
    const { accountId } = await harness.account(receiver, (_request, response) => void hanging.push(response));
    await harness.report(accountId);
    await eventually(() => expect(hanging.length).toBe(1));
    const stoppingAt = Date.now();
    await harness.stopService();
    expect(Date.now() - stoppingAt).toBeLessThan(7_000);
    expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'pending', attempts_made: 1 }]);
    receiver.respondWith((_request, response) => response.writeHead(200).end());
    await harness.startService();
    await eventually(
      async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]),
      { timeoutMs: 3_000 },
    );
    expect(await harness.attempts(accountId)).toMatchObject([
      { attempt: 1, finished_at: null },
      { attempt: 2, status_code: 200 },
    ]);
  }, 30_000);

  it('does not count an attempt that failed due to service configuration', async () => {
    const { accountId } = await harness.account(receiver);
    await harness.stopService();
    const wrongKey = await harness.startService({ ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
    await harness.report(accountId);
    const postponed = async () =>
      (await harness.deliveries(accountId)).filter(
        ({ next_attempt_at }) => (next_attempt_at?.getTime() ?? 0) > Date.now() + 30_000,
      );
    await eventually(async () => expect(await postponed()).toMatchObject([{ state: 'pending', attempts_made: 0 }]));
    expect(await harness.attempts(accountId)).toEqual([]);
    await restartWith(wrongKey);
    await harness.makeDue(accountId);
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 1 }]),
    );
  });

  async function restartWith(old: BuiltService): Promise<void> {
    await harness.stopService(old);
    await harness.startService();
  }

  /** Moves each second attempt that is due within the hour, or with a negative number each one after that. */
  async function moveRetries(accountIds: string[], seconds: number): Promise<void> {
    await query(
      harness.database.dataSource,
      `UPDATE pending_deliveries SET next_attempt_at = next_attempt_at + make_interval(secs => $2)
       WHERE account_id = ANY ($1) AND attempts_made = 1 AND claimed_until IS NULL
         AND (next_attempt_at > now() + interval '1 hour') = ($2 < 0)`,
      [accountIds, seconds],
    );
  }

  /** Inserts the rows that a killed process leaves behind: a claim and an attempt without an end. */
  async function abandonedClaim(
    accountId: string,
    { attempt, holdsSeconds = 0 }: { attempt: number; holdsSeconds?: number },
  ): Promise<string> {
    const [deliveryId, eventId] = [newId('dlv'), newId('evt')];
    await new Transactions(harness.database.dataSource).run(async (tx) => {
      await tx.query(
        `INSERT INTO events (id, account_id, kind, body, occurred_at) VALUES ($1, $2, 'message', '{}', now())`,
        [eventId, accountId],
      );
      await tx.query(
        `INSERT INTO pending_deliveries (id, event_id, endpoint_id, account_id, attempts_made, next_attempt_at, started_at, claimed_until)
         SELECT $1, $2, id, $3, $4, now() - interval '1 minute', now(), now() + make_interval(secs => $5)
           FROM endpoints WHERE account_id = $3`,
        [deliveryId, eventId, accountId, attempt, holdsSeconds],
      );
    });
    return deliveryId;
  }
});
