import { randomUUID } from 'node:crypto';
import { messageStatusChangedV1, messageStatusChangedV2, newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { drippingBody, eventually, hanging, type Receiver, resetting, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

const HEALTHY = 50;
const ROUNDS = 10;
/**
 * Number of accounts with a bad endpoint. Without a limit per endpoint, their events would fill every slot of the
 * process.
 */
const STUCK = 5;
const STUCK_EVENTS = 40;
/**
 * Limit for the slowest event of the median round (guarantee 8 of ADR 41). Single rounds may be slower on a busy
 * machine.
 */
const PROMISED_MS = 1_000;
/** Limit for every event: well below the ten seconds for which a bad endpoint keeps a slot. */
const HELD_UP_MS = 5_000;
/** Number of tries, for busy machines. A process without free slots fails every time. */
const TRIES = 3;

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;

const isPromised = (slowest: number[]): boolean => Math.max(...slowest) < HELD_UP_MS && median(slowest) < PROMISED_MS;

describe('bad endpoint', () => {
  let harness: Harness;
  let bad: Receiver;
  let healthy: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
    [bad, healthy] = [await startReceiver(), await startReceiver()];
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await Promise.all([bad.close(), healthy.close()]);
  }, 60_000);

  /**
   * Sends one event to each of fifty endpoints per round. Each round waits for the previous one, so that the result
   * measures latency and not throughput.
   * @returns the latency of the slowest event of each round, in milliseconds
   */
  async function slowestOfHealthy(accounts: string[], rounds: number): Promise<number[]> {
    const slowest: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      healthy.received.length = 0;
      await Promise.all(
        accounts.map((accountId) => harness.report(accountId, { timestamp: new Date().toISOString() })),
      );
      await eventually(() => expect(healthy.received.length).toBe(accounts.length), { timeoutMs: 20_000 });
      const ages = healthy.received.map(({ body, receivedAt }) => {
        const { timestamp } = JSON.parse(body.toString()) as { timestamp: string };
        return receivedAt - Date.parse(timestamp);
      });
      slowest.push(Math.max(...ages));
    }
    return slowest;
  }

  async function accountsOf(receiver: Receiver, count: number): Promise<string[]> {
    const accounts: string[] = [];
    for (let number = 0; number < count; number += 1) accounts.push((await harness.account(receiver)).accountId);
    return accounts;
  }

  const reportTo = (accounts: string[]): Promise<unknown> =>
    Promise.all(accounts.flatMap((accountId) => Array.from({ length: STUCK_EVENTS }, () => harness.report(accountId))));

  it('delays no event of fifty healthy endpoints (guarantee 8 of ADR 41)', async () => {
    const accounts = await accountsOf(healthy, HEALTHY);
    const stuck = await accountsOf(bad, STUCK);
    // Warm up: the first events of a process are slow.
    await slowestOfHealthy(accounts, 2);
    for (const behaviour of [hanging, drippingBody(100), resetting]) {
      bad.respondWith(behaviour);
      let slowest: number[] = [];
      for (let tries = 0; tries < TRIES && (tries === 0 || !isPromised(slowest)); tries += 1) {
        await reportTo(stuck);
        slowest = await slowestOfHealthy(accounts, ROUNDS);
      }
      expect({ slowest, isPromised: isPromised(slowest) }).toEqual({ slowest, isPromised: true });
    }
    expect(bad.mostInFlight()).toBeLessThanOrEqual(3 * STUCK);
  }, 240_000);

  it('has at most three requests in flight over all processes', async () => {
    const second = await harness.startService();
    const stuck = await startReceiver();
    const { accountId } = await harness.account(stuck, hanging);
    const other = await harness.account(healthy);
    for (let number = 0; number < 60; number += 1) await harness.report(accountId);
    await eventually(() => expect(stuck.received.length).toBe(3));
    healthy.received.length = 0;
    for (let number = 0; number < 20; number += 1) await harness.report(other.accountId);
    await eventually(() => expect(healthy.received.length).toBe(20));
    // All events are delivered while the three requests still hang.
    expect(stuck.received).toHaveLength(3);
    stuck.respondWith((_request, response) => response.writeHead(200).end());
    await eventually(
      async () => {
        await harness.makeDue(accountId);
        expect((await harness.deliveries(accountId)).filter(({ state }) => state !== 'delivered')).toEqual([]);
      },
      { timeoutMs: 25_000 },
    );
    expect(stuck.mostInFlight()).toBe(3);
    await stuck.close();
    await harness.stopService(second);
  }, 60_000);

  it('delays no event of another endpoint of its account', async () => {
    const [stuck, other] = [await startReceiver(), await startReceiver()];
    const accountId = newId('acc');
    for (const receiver of [stuck, other]) await harness.endpoint(accountId, receiver);
    let ended = 0;
    stuck.respondWith((_request, response) => void response.once('close', () => (ended += 1)));
    for (let number = 0; number < 20; number += 1) await harness.report(accountId);
    await eventually(() => expect([other.received.length, stuck.received.length]).toEqual([20, 3]));
    // The three requests to the other endpoint still hang. They end after ten seconds.
    expect(ended).toBe(0);
    await Promise.all([stuck.close(), other.close()]);
  }, 60_000);

  it('loses no other event when one cannot be stored', async () => {
    const { accountId } = await harness.account(healthy);
    const changed = (upstreamId: string) => ({
      ...messageStatusChangedV1.sample,
      id: newId('msg'),
      accountId,
      upstreamId,
    });
    const together = [changed('wamid.before'), changed('a\u0000b'), changed('wamid.after')];
    await Promise.all([
      ...Array.from({ length: 10 }, () => harness.report(accountId)),
      harness.others.publish(messageStatusChangedV2, { changes: together }, { messageId: randomUUID() }),
      ...Array.from({ length: 10 }, () => harness.report(accountId)),
    ]);
    await eventually(() =>
      expect(healthy.received.filter(({ path }) => path === '/hook').length).toBeGreaterThanOrEqual(22),
    );
    const stored = await query(harness.database.dataSource, 'SELECT id FROM events WHERE account_id = $1', [accountId]);
    expect(stored).toHaveLength(22);
  });
});
