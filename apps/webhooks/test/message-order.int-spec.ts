import { newId } from '@switchboard/contracts';
import { answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

const STATUSES = ['sent', 'delivered', 'read'] as const;

describe('events of one message', () => {
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

  const seen = () =>
    receiver.received.map(({ body }) => JSON.parse(body.toString()) as { messageId: string; status: string });

  it('arrive in order at a healthy endpoint of any speed', async () => {
    const open = new Set<string>();
    let overtaken = 0;
    const { accountId } = await harness.account(receiver, ({ body }, response) => {
      const { messageId } = JSON.parse(body.toString()) as { messageId: string };
      if (open.has(messageId)) overtaken += 1;
      open.add(messageId);
      setTimeout(() => {
        open.delete(messageId);
        response.writeHead(200).end();
      }, Math.random() * 30);
    });
    const ids = Array.from({ length: 40 }, () => newId('msg'));
    for (const id of ids)
      for (const status of STATUSES)
        await harness.report(accountId, { id, upstreamId: `wamid.${id}`, status, error: null });
    await eventually(() => expect(receiver.received.length).toBe(ids.length * STATUSES.length), { timeoutMs: 20_000 });
    for (const id of ids)
      expect(
        seen()
          .filter(({ messageId }) => messageId === `wamid.${id}`)
          .map(({ status }) => status),
      ).toEqual([...STATUSES]);
    expect(overtaken).toBe(0);
    // Events of one message wait for each other, but not for events of other messages.
    expect(receiver.mostInFlight()).toBe(3);
  }, 40_000);

  it('do not wait for the retry of an earlier event', async () => {
    const { accountId } = await harness.account(receiver, answering(500));
    const id = newId('msg');
    await harness.report(accountId, { id, upstreamId: 'wamid.A', status: 'sent', error: null });
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ attempts_made: 1, claimed_until: null }]),
    );
    receiver.respondWith(answering(200));
    await harness.report(accountId, { id, upstreamId: 'wamid.A', status: 'delivered', error: null });
    await eventually(() => expect(seen().map(({ status }) => status)).toEqual(['sent', 'delivered', 'sent']));
  });
});
