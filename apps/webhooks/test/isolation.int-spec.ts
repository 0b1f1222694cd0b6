import type { ServerResponse } from 'node:http';
import { eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

describe('an endpoint that never answers', () => {
  let harness: Harness;
  let blackHole: Receiver;
  let healthy: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
    blackHole = await startReceiver();
    healthy = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await Promise.all([blackHole.close(), healthy.close()]);
  }, 60_000);

  it('has at most three requests in flight and holds up nobody else; then its backlog is worked off', async () => {
    const open: ServerResponse[] = [];
    const stuck = await harness.account(blackHole, (_request, response) => void open.push(response));
    const other = await harness.account(healthy);
    for (let number = 0; number < 60; number += 1) await harness.report(stuck.accountId);
    await eventually(() => expect(open).toHaveLength(3));
    const sentAt = Date.now();
    for (let number = 0; number < 20; number += 1) await harness.report(other.accountId);
    await eventually(() => expect(healthy.received).toHaveLength(20), { timeoutMs: 3_000 });
    expect(Date.now() - sentAt).toBeLessThan(3_000);
    expect(open).toHaveLength(3);
    blackHole.respondWith((_request, response) => response.writeHead(200).end());
    for (const response of open) response.writeHead(200).end();
    const undelivered = async () => (await harness.deliveries(stuck.accountId)).filter(({ state }) => state !== 'delivered');
    await eventually(async () => expect(await undelivered()).toEqual([]));
    expect(blackHole.received).toHaveLength(60);
  }, 30_000);
});
