import { deliverEventV1, MAX_FAILURES } from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import { type Broker, type Delivery, PartlyHandledError, PermanentError } from '../src/index';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

describe('a handler that throws', () => {
  const options = testBrokerOptions();
  const queue = `${options.namespace}.${deliverEventV1.name}`;
  const handlers: Partial<WebhooksHandlers> = {};
  let service: WebhooksService;
  let gateway: Broker;
  let raw: RawChannel;

  beforeAll(async () => {
    service = await startWebhooks({ ...options, prefetch: 2 }, handlers);
    gateway = await connectGateway(options);
    raw = await openRawChannel();
  });

  afterAll(async () => {
    await gateway.close();
    await service.close();
    await raw.close();
    await deleteNamespace(options.namespace);
  });

  it('is retried after 1 s and 10 s with its failure count', async () => {
    const tries: { at: number; delivery: Delivery }[] = [];
    handlers.deliver = (_body, delivery) => {
      tries.push({ at: performance.now(), delivery });
      if (tries.length < 3) throw new Error('database away');
    };
    await gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_again' }, { messageId: 'evt_again' });
    await eventually(() => expect(tries.length).toBe(3), { timeoutMs: 15_000 });

    expect(tries.map(({ delivery }) => delivery.failures)).toEqual([0, 1, 2]);
    expect(tries.map(({ delivery }) => delivery.messageId)).toEqual(['evt_again', 'evt_again', 'evt_again']);
    const [first = 0, second = 0, third = 0] = tries.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(second - first).toBeLessThan(2_000);
    expect(third - second).toBeGreaterThanOrEqual(9_990);
    expect(third - second).toBeLessThan(11_000);
    expect(await raw.count(queue)).toBe(0);
  });

  it('keeps its failure count while the database is unavailable', async () => {
    const failures: number[] = [];
    handlers.deliver = (_body, delivery) => {
      failures.push(delivery.failures);
      if (failures.length < 3) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    await gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_away' });
    await eventually(() => expect(failures).toEqual([0, 0, 0]), { timeoutMs: 10_000 });
  });

  it('is retried only with the unfinished part of a message', async () => {
    const seen: object[] = [];
    handlers.deliver = (body, { failures }) => {
      seen.push({ ...body, failures });
      throw failures === 0
        ? new PartlyHandledError({ deliveryId: 'dlv_rest' }, new Error('not now'))
        : new PartlyHandledError({ deliveryId: 'dlv_last' }, new PermanentError('never'));
    };
    await gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_whole' }, { messageId: 'evt_parts' });
    const letter = await eventually(async () => {
      const found = await raw.take(`${queue}.dlq`);
      expect(found).not.toBe(false);
      return found as Exclude<typeof found, false>;
    });
    expect(seen).toEqual([
      { deliveryId: 'dlv_whole', failures: 0 },
      { deliveryId: 'dlv_rest', failures: 1 },
    ]);
    expect(JSON.parse(letter.content.toString())).toEqual({ deliveryId: 'dlv_last' });
    expect(letter.properties).toMatchObject({ messageId: 'evt_parts', headers: { 'x-reason': 'never' } });
    expect(await raw.count(queue)).toBe(0);
  });

  it('does not delay other messages', async () => {
    const handled = new Set<string>();
    handlers.deliver = ({ deliveryId }) => {
      if (deliveryId.startsWith('bad')) return Promise.reject(new Error('no'));
      handled.add(deliveryId);
      return undefined;
    };
    const ids = Array.from({ length: 200 }, (_, index) => `${index % 2 ? 'bad' : 'good'}_${index}`);
    await Promise.all(ids.map((deliveryId) => gateway.enqueue(deliverEventV1, { deliveryId })));
    await eventually(() => expect([...handled].sort()).toEqual(ids.filter((id) => id.startsWith('good')).sort()), {
      timeoutMs: 5_000,
    });
    handlers.deliver = ({ deliveryId }) => handled.add(deliveryId);
    await eventually(() => expect([...handled].sort()).toEqual([...ids].sort()), { timeoutMs: 15_000 });
  });

  it('dead-letters the message after the maximum number of failures', async () => {
    handlers.deliver = () => {
      throw new Error('still away');
    };
    raw.put(queue, '{"deliveryId":"dlv_last"}', { 'x-failures': MAX_FAILURES - 1, 'x-death': 'forged' });
    const letter = await eventually(async () => {
      const found = await raw.take(`${queue}.dlq`);
      expect(found).not.toBe(false);
      return found;
    });
    const { headers } = (letter || undefined)?.properties ?? {};
    expect(headers).toMatchObject({
      'x-failures': MAX_FAILURES,
      'x-reason': expect.stringMatching(/^failed 20 times, at last with: still away$/),
    });
    expect(headers).not.toHaveProperty('x-death');
  });

  it('ignores the failure counts of the broker', async () => {
    const seen: number[] = [];
    handlers.deliver = (_body, { failures }) => seen.push(failures);
    raw.put(queue, '{"deliveryId":"dlv_forged"}', {
      'x-death': [{ count: 50, reason: 'expired', queue }],
      'x-delivery-count': 500,
    });
    await eventually(() => expect(seen).toEqual([0]));
  });

  it('receives the message again when the retry queue is missing', async () => {
    const tries: Delivery[] = [];
    handlers.deliver = (_body, delivery) => {
      tries.push(delivery);
      if (tries.length === 1) throw new Error('database away');
    };
    await raw.channel.deleteQueue(`${queue}.wait.1`);
    await gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_nowhere' });
    await eventually(() =>
      expect(tries).toMatchObject([
        { failures: 0, redelivered: false },
        { failures: 0, redelivered: true },
      ]),
    );
  });
});
