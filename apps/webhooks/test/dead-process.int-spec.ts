import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually, type Receiver, startReceiver } from '@switchboard/testing';
import pg from 'pg';
import { TAKE_HOLDER_LOCK } from '../src/deliveries/claim-holder';
import { Harness } from './harness';

const ok = (_request: unknown, response: ServerResponse): void => void response.writeHead(200).end();

describe('claims of a process', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  it('end within two seconds of its death, but not before', async () => {
    const living = await lockedSession();
    const held = await claimedDelivery({ holder: living.holder });
    const dying = await lockedSession();
    const orphan = await claimedDelivery({ holder: dying.holder });
    const diedAt = Date.now();
    await dying.session.end();
    await eventually(async () =>
      expect(await harness.deliveries(orphan.accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]),
    );
    expect((receiver.received[0]?.receivedAt ?? Infinity) - diedAt).toBeLessThan(2_000);
    expect(await harness.attempts(orphan.accountId)).toMatchObject([
      { attempt: 1, finished_at: null },
      { attempt: 2, status_code: 200 },
    ]);
    expect(await harness.deliveries(held.accountId)).toMatchObject([{ state: 'pending', attempts_made: 1 }]);
    await living.session.end();
    await eventually(async () =>
      expect(await harness.deliveries(held.accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]),
    );
  });

  it('stay valid when only the connection of the process breaks', async () => {
    const { accountId, answers } = await requestUnderWay();
    const dead = await claimedDelivery({ holder: newNumber() });
    const broken = await breakLockConnections();
    expect(broken).toBe(1);
    // When the dead process's claims have ended, the live process has been checked as often.
    await eventually(
      async () => expect(await harness.deliveries(dead.accountId)).toMatchObject([{ attempts_made: 2 }]),
      { timeoutMs: 5_000 },
    );
    expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'pending', attempts_made: 1 }]);
    answers[0]?.writeHead(200).end();
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 1 }]),
    );
    receiver.respondWith(ok);
    const again = await harness.account(receiver);
    await harness.report(again.accountId);
    await eventually(async () =>
      expect(await harness.deliveries(again.accountId)).toMatchObject([{ state: 'delivered', attempts_made: 1 }]),
    );
  });

  it('allow a second attempt when ended early; the first success counts', async () => {
    const { accountId, answers } = await requestUnderWay();
    await query(harness.database.dataSource, 'UPDATE pending_deliveries SET claimed_by = $2 WHERE account_id = $1', [
      accountId,
      newNumber(),
    ]);
    await eventually(() => expect(answers.length).toBe(2));
    answers[0]?.writeHead(200).end();
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]),
    );
    expect(await harness.attempts(accountId)).toMatchObject([
      { attempt: 1, status_code: 200 },
      { attempt: 2, status_code: null },
    ]);
    answers[1]?.writeHead(500).end();
    await eventually(async () =>
      expect(await harness.attempts(accountId)).toMatchObject([{ status_code: 200 }, { status_code: 500 }]),
    );
    expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  });

  it('deliver on a late success after the last claim was ended', async () => {
    const { accountId, answers } = await requestUnderWay();
    await query(
      harness.database.dataSource,
      'UPDATE pending_deliveries SET next_attempt_at = now() WHERE account_id = $1',
      [accountId],
    );
    for (let attempt = 1; attempt < 5; attempt += 1) {
      answers.at(-1)?.writeHead(500).end();
      await eventually(
        async () => {
          await harness.makeDue(accountId);
          expect(answers.length).toBe(attempt + 1);
        },
        { timeoutMs: 20_000 },
      );
    }
    await query(harness.database.dataSource, 'UPDATE pending_deliveries SET claimed_by = $2 WHERE account_id = $1', [
      accountId,
      newNumber(),
    ]);
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'dropped', attempts_made: 5 }]),
    );
    answers.at(-1)?.writeHead(200).end();
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 5 }]),
    );
    expect((await harness.attempts(accountId)).map(({ status_code }) => status_code)).toEqual([
      500, 500, 500, 500, 200,
    ]);
  }, 60_000);

  /** Opens a session that holds the lock of another live process. */
  async function lockedSession(): Promise<{ session: pg.Client; holder: number }> {
    const holder = newNumber();
    const session = new pg.Client({ connectionString: harness.database.url });
    await session.connect();
    await session.query(TAKE_HOLDER_LOCK, [holder]);
    return { session, holder };
  }

  /** Creates a claim of another process, valid for 30 seconds, whose first attempt is in flight. */
  async function claimedDelivery({ holder }: { holder: number }): Promise<{ accountId: string }> {
    const { accountId } = await harness.account(receiver, ok);
    const [deliveryId, eventId] = [newId('dlv'), newId('evt')];
    await query(
      harness.database.dataSource,
      `INSERT INTO events (id, account_id, kind, body, occurred_at) VALUES ($1, $2, 'message', '{}', now())`,
      [eventId, accountId],
    );
    await query(
      harness.database.dataSource,
      `INSERT INTO pending_deliveries (id, event_id, endpoint_id, account_id, attempts_made, started_at, claimed_until, claimed_by)
       SELECT $1, $2, id, $3, 1, now(), now() + interval '30 s', $4 FROM endpoints WHERE account_id = $3`,
      [deliveryId, eventId, accountId, holder],
    );
    return { accountId };
  }

  /**
   * Starts a request that waits for its response. `answers` collects its response object and those of later requests.
   */
  async function requestUnderWay(): Promise<{ accountId: string; answers: ServerResponse[] }> {
    const answers: ServerResponse[] = [];
    const { accountId } = await harness.account(receiver, (_request, response) => void answers.push(response));
    await harness.report(accountId);
    await eventually(() => expect(answers.length).toBe(1));
    return { accountId, answers };
  }

  async function breakLockConnections(): Promise<number> {
    const rows = await query(
      harness.database.dataSource,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchboard-webhooks-claims' AND datname = current_database()`,
    );
    return rows.length;
  }

  function newNumber(): number {
    return randomInt(1, 2 ** 31);
  }
});
