import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { eventually, type Receiver, type ReceivedRequest, startReceiver } from '@switchboard/testing';
import type { CustomerEvent } from '../src/events/customer-event';
import { EventsService } from '../src/events/events.service';
import { Harness } from './harness';

const PAYLOADS = 1_000;
const ATTEMPTS = 3;
const FAST = { WEBHOOK_CONCURRENCY_PER_ENDPOINT: 100, WEBHOOK_CONCURRENCY: 400 };

/** Verifies a signature as a receiver does, implemented from the public documentation. */
function verifies({ headers, body }: ReceivedRequest, secret: string): boolean {
  const hmac = (key: string | Buffer, content: Buffer) => createHmac('sha256', key).update(content);
  const signed = Buffer.concat([
    Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`),
    body,
  ]);
  const standard = hmac(Buffer.from(secret.split('_')[1] ?? '', 'base64'), signed).digest('base64');
  return (
    headers['x-service-signature'] === `sha256=${hmac(secret, body).digest('hex')}` &&
    String(headers['webhook-signature']).split(' ').includes(`v1,${standard}`)
  );
}

const eventIdOf = ({ headers }: ReceivedRequest): string => String(headers['x-service-event-id']);

describe('signature of generated events', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start(FAST);
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  it('verifies for 1,000 generated bodies, byte for byte (guarantee 10 of ADR 41)', async () => {
    const { accountId, secret } = await harness.account(receiver, ({ headers }, response) => {
      response.writeHead(headers['x-service-attempt'] === String(ATTEMPTS) ? 200 : 500).end();
    });
    const contents = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), PAYLOADS);
    const generated = contents.map((content, index): CustomerEvent => {
      const facts = {
        dedupKey: `generated ${index}`,
        messageId: null,
        subject: null,
        occurredAt: new Date().toISOString(),
      };
      return {
        kind: 'message',
        accountId,
        ...facts,
        fields: { ...content, index } as unknown as CustomerEvent['fields'],
      };
    });
    const events = harness.service().app.get(EventsService);
    await Promise.all(generated.map((event) => events.recordEvent(event)));
    await eventually(() => expect(new Set(receiver.received.map(eventIdOf)).size).toBe(PAYLOADS), {
      timeoutMs: 60_000,
    });
    // The process that stored the events has their bodies in memory. The next process must read them from the database.
    await harness.stopService();
    await harness.startService(FAST);
    const lastAttempts = () =>
      receiver.received.filter(({ headers }) => headers['x-service-attempt'] === String(ATTEMPTS));
    const allHaveArrived = async (): Promise<void> => {
      await harness.makeDue(accountId);
      expect(lastAttempts()).toHaveLength(PAYLOADS);
    };
    await eventually(allHaveArrived, { timeoutMs: 120_000 });

    expect(receiver.received.filter((request) => !verifies(request, secret)).map(eventIdOf)).toEqual([]);
    const expected = new Map(
      receiver.received.map((request) => {
        const { index } = JSON.parse(request.body.toString()) as { index: number };
        const eventId = eventIdOf(request);
        return [eventId, JSON.stringify({ ...generated[index]?.fields, eventId })];
      }),
    );
    expect(expected.size).toBe(PAYLOADS);
    const changed = receiver.received.filter(
      (request) => !request.body.equals(Buffer.from(expected.get(eventIdOf(request)) ?? '')),
    );
    expect(changed.map(eventIdOf)).toEqual([]);
  }, 240_000);
});
