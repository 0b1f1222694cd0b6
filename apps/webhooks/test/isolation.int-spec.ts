import { randomUUID } from 'node:crypto';
import { messageStatusChangedV1, newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { drippingBody, eventually, hanging, type Receiver, resetting, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

const HEALTHY = 50;
const ROUNDS = 10;
/** Accounts with a bad endpoint. Without a limit per endpoint their events would take every place of the process. */
const STUCK = 5;
const STUCK_EVENTS = 40;

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

  /**
   * One event to each of fifty endpoints, again and again; each round waits until the one before has arrived, so that nothing is
   * measured but the way of an event: not how fast this machine works off a pile. @returns the p99 from report to receipt in milliseconds
   */
  async function p99OfHealthy(accounts: string[]): Promise<number> {
    const ages: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      healthy.received.length = 0;
      await Promise.all(accounts.map((accountId) => harness.report(accountId, { timestamp: new Date().toISOString() })));
      await eventually(() => expect(healthy.received).toHaveLength(accounts.length), { timeoutMs: 20_000 });
      ages.push(...healthy.received.map(({ body, receivedAt }) => receivedAt - Date.parse((JSON.parse(body.toString()) as { timestamp: string }).timestamp)));
    }
    return ages.sort((one, other) => one - other)[Math.floor(ages.length * 0.99)] as number;
  }

  it('that never answers, drips or resets does not move the p99 of fifty healthy ones beyond a second (promise 8)', async () => {
    const accounts: string[] = [];
    for (let number = 0; number < HEALTHY; number += 1) accounts.push((await harness.account(healthy)).accountId);
    const stuck: string[] = [];
    for (let number = 0; number < STUCK; number += 1) stuck.push((await harness.account(bad)).accountId);
    // The first events of a process are slow. A machine that is busy with other things is slow without a bad endpoint, too: there
    // a second would tell nothing, and the bound is twice that.
    await p99OfHealthy(accounts);
    const bound = Math.max(1_000, 2 * (await p99OfHealthy(accounts)));
    for (const behaviour of [hanging, drippingBody(100), resetting]) {
      bad.respondWith(behaviour);
      await Promise.all(stuck.flatMap((accountId) => Array.from({ length: STUCK_EVENTS }, () => harness.report(accountId))));
      expect(await p99OfHealthy(accounts)).toBeLessThan(bound);
    }
    expect(bad.mostInFlight()).toBeLessThanOrEqual(3 * STUCK);
  }, 90_000);

  it('has at most three requests in flight, counted over all processes, and its backlog is worked off once it answers', async () => {
    const second = await harness.startService();
    const stuck = await startReceiver();
    const { accountId } = await harness.account(stuck, hanging);
    const other = await harness.account(healthy);
    for (let number = 0; number < 60; number += 1) await harness.report(accountId);
    await eventually(() => expect(stuck.received).toHaveLength(3));
    healthy.received.length = 0;
    for (let number = 0; number < 20; number += 1) await harness.report(other.accountId);
    await eventually(() => expect(healthy.received).toHaveLength(20));
    // All of them while the three still hang.
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
