import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { replayDroppedV1, replayEventV1 } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { answering, eventually, type Receiver, startReceiver, TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { Harness } from './harness';

const ROOT = resolve(import.meta.dirname, '../../..');
const PROGRAM = resolve(ROOT, 'dist/test/webhooks-killed');
/** Number of endpoints with a backlog. A full sweep over them takes 30 s. */
const BACKLOGS = 60_000;
const EVENTS = 20;
/** Number of replays: one of a single event and one of all dropped events. */
const REPLAYS = 2;
/** Time limit, measured from the start of the next process. */
const WITHIN_MS = 6_000;

describe('events and replays stored by a process killed before sending', () => {
  let harness: Harness;
  let receiver: Receiver;
  let program: ChildProcess;

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['tools/bundle.mjs', 'apps/webhooks', PROGRAM, 'main'], { cwd: ROOT });
    harness = await Harness.prepare();
    receiver = await startReceiver();
    // These endpoints are first in the order of the sweep, and paused so that their due deliveries wait.
    const endpoints = `
      INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by, paused_at)
      SELECT 'ep_00' || n, 'acc_' || n, 'https://example.com', '', '', 'set_' || n, now()
      FROM generate_series(1, $1::int) AS n`;
    const deliveries = `
      INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, next_attempt_at, attempts_made)
      SELECT 'dlv_' || n, 'acc_' || n, 'ep_00' || n, 'evt_' || n, now() - interval '1 hour', n % 2
      FROM generate_series(1, $1::int) AS n`;
    for (const insert of [endpoints, deliveries]) await query(harness.database.dataSource, insert, [BACKLOGS]);
    await query(harness.database.dataSource, 'ANALYZE pending_deliveries, endpoints');
    program = startProgram();
  }, 60_000);

  afterAll(async () => {
    program.kill('SIGKILL');
    await harness.stop();
    await receiver.close();
    await rm(PROGRAM, { recursive: true });
  }, 60_000);

  /** Starts the built service as a process, with one request at a time. */
  function startProgram(): ChildProcess {
    const env = {
      PATH: process.env['PATH'],
      ...harness.addresses,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      MANAGEMENT_PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_CONCURRENCY: '1',
      LOG_LEVEL: 'error',
    };
    return spawn(process.execPath, [resolve(PROGRAM, 'main.mjs')], { cwd: ROOT, env, stdio: 'inherit' });
  }

  /** Waits until an account's deliveries are stored and none of them has started. */
  const areStored = async ({ accountId }: { accountId: string }, length: number): Promise<void> => {
    const stored = (await harness.deliveries(accountId)).filter(
      ({ state, attempts_made: attempts }) => state === 'pending' && attempts === 0,
    );
    expect(stored).toHaveLength(length);
  };

  /** Creates an account with two sent events, one of them marked as dropped. */
  async function replayable(): Promise<{ accountId: string; eventId: string }> {
    const { accountId } = await harness.account(receiver, answering(200));
    for (let event = 0; event < REPLAYS; event += 1) await harness.report(accountId);
    const isSent = { state: 'delivered' };
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([isSent, isSent]));
    const [one, other] = await harness.deliveries(accountId);
    await query(harness.database.dataSource, "UPDATE deliveries SET state = 'dropped' WHERE id = $1", [other?.id]);
    return { accountId, eventId: one?.event_id ?? '' };
  }

  it('are sent within seconds by the next process, despite 60,000 backlogs', async () => {
    const again = await eventually(replayable, { timeoutMs: 20_000 });
    const busy = await harness.account(receiver);
    const quiet = await harness.account(receiver, () => undefined);
    await harness.report(busy.accountId);
    await eventually(() => expect(receiver.received.length).toBe(1));
    await Promise.all(Array.from({ length: EVENTS }, () => harness.report(quiet.accountId)));
    await harness.others.request(replayEventV1, again);
    await harness.others.request(replayDroppedV1, {
      accountId: again.accountId,
      since: new Date(Date.now() - 3_600_000).toISOString(),
    });
    await eventually(() => areStored(quiet, EVENTS));
    await eventually(() => areStored(again, REPLAYS));
    const died = once(program, 'exit');
    program.kill('SIGKILL');
    await died;
    receiver.received.length = 0;
    receiver.respondWith((_request, response) => response.writeHead(200).end());
    await harness.startService();
    const startedAt = performance.now();
    const areDelivered = async (): Promise<void> => {
      const states = [
        ...(await harness.deliveries(quiet.accountId)),
        ...(await harness.deliveries(again.accountId)),
      ].map(({ state }) => state);
      // Dropped deliveries remain recorded beside their replays.
      expect(states.filter((state) => state !== 'dropped')).toEqual(Array(EVENTS + 2 * REPLAYS - 1).fill('delivered'));
    };
    await eventually(areDelivered, { timeoutMs: 40_000 });
    expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS);
    const retried = [{ state: 'delivered', attempts_made: 2 }];
    await eventually(async () => expect(await harness.deliveries(busy.accountId)).toMatchObject(retried));
    expect(receiver.received).toHaveLength(EVENTS + REPLAYS + 1);
  }, 90_000);
});
