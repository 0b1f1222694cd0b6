import { randomUUID } from 'node:crypto';
import { messageStatusChangedV1, newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { drippingBody, eventually, hanging, type Receiver, resetting, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

const HEALTHY = 50;
const EVENTS_EACH = 10;

/** @param sorted in rising order */
const p99 = (sorted: number[]): number => sorted[Math.floor(sorted.length * 0.99)] as number;

describe('a bad endpoint', () => {
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

  /** Events to fifty endpoints, and how long each was under way, in milliseconds, sorted. */
  async function deliverToHealthy(accounts: string[]): Promise<number[]> {
    healthy.received.length = 0;
    for (let round = 0; round < EVENTS_EACH; round += 1) {
      await Promise.all(accounts.map((accountId) => harness.report(accountId, { timestamp: new Date().toISOString() })));
    }
    await eventually(() => expect(healthy.received).toHaveLength(HEALTHY * EVENTS_EACH), { timeoutMs: 20_000 });
    return healthy.received
      .map(({ body, receivedAt }) => receivedAt - Date.parse((JSON.parse(body.toString()) as { timestamp: string }).timestamp))
      .sort((a, b) => a - b);
  }

  it('that never answers, drips or resets does not move the p99 of fifty healthy ones beyond a second (promise 8)', async () => {
    const accounts: string[] = [];
    for (let number = 0; number < HEALTHY; number += 1) accounts.push((await harness.account(healthy)).accountId);
    const stuck = (await harness.account(bad)).accountId;
    // A machine that is busy with other things is slow without the bad endpoint, too: then twice that is the bound.
    const bound = Math.max(1_000, 2 * p99(await deliverToHealthy(accounts)));
    for (const behaviour of [hanging, drippingBody(100), resetting]) {
      bad.respondWith(behaviour);
      await Promise.all(Array.from({ length: 100 }, () => harness.report(stuck)));
      expect(p99(await deliverToHealthy(accounts))).toBeLessThan(bound);
    }
    expect(bad.mostInFlight()).toBeLessThanOrEqual(3);
  }, 90_000);

  it('has at most three requests in flight, counted over all processes, and its backlog is worked off once it answers', async () => {
    const second = await harness.startService();
    const stuck = await startReceiver();
    const { accountId } = await harness.account(stuck, hanging);
    const other = await harness.account(healthy);
    for (let number = 0; number < 60; number += 1) await harness.report(accountId);
    await eventually(() => expect(stuck.received).toHaveLength(3));
    const sentAt = Date.now();
    healthy.received.length = 0;
    for (let number = 0; number < 20; number += 1) await harness.report(other.accountId);
    await eventually(() => expect(healthy.received).toHaveLength(20), { timeoutMs: 3_000 });
    expect(Date.now() - sentAt).toBeLessThan(3_000);
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

  it('and an event that cannot be stored hurt nobody else', async () => {
    const { accountId } = await harness.account(healthy);
    const poison = { ...messageStatusChangedV1.sample, id: newId('msg'), accountId, upstreamId: 'a\u0000b' };
    await Promise.all([
      ...Array.from({ length: 10 }, () => harness.report(accountId)),
      harness.others.publish(messageStatusChangedV1, poison, { messageId: randomUUID() }),
      ...Array.from({ length: 10 }, () => harness.report(accountId)),
    ]);
    await eventually(() => expect(healthy.received.filter(({ path }) => path === '/hook').length).toBeGreaterThanOrEqual(20));
    const stored = await query(harness.database.dataSource, 'SELECT id FROM events WHERE account_id = $1', [accountId]);
    expect(stored).toHaveLength(20);
  });
});
