import { deliverEventV1, type DeliverEventV1, queueOf, setEndpointV1 } from '@switchboard/contracts';
import { deleteNamespace, eventually, startTcpProxy, type TcpProxy, testBrokerOptions } from '@switchboard/testing';
import type { Broker, Delivery } from '../src/index';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

const MESSAGES = 20;
const PREFETCH = 5;

describe('a service without its database', () => {
  const options = testBrokerOptions();
  const queue = `${options.namespace}.${queueOf(deliverEventV1, 'webhooks')}`;
  const handled: { id: string; delivery: Delivery }[] = [];
  let isAway = false;
  /** SQLSTATE with which the handler of a message fails, by message. */
  const poison = new Map<string, string>();
  let tries = 0;
  let proxy: TcpProxy;
  let service: WebhooksService;
  let gateway: Broker;
  let raw: RawChannel;

  const handlers: Partial<WebhooksHandlers> = {
    deliver: ({ deliveryId }: DeliverEventV1, delivery: Delivery) => {
      tries += 1;
      if (isAway) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      const code = poison.get(deliveryId);
      if (code) throw Object.assign(new Error('no'), { code });
      handled.push({ id: deliveryId, delivery });
    },
  };
  const start = (): Promise<WebhooksService> =>
    startWebhooks({ ...options, url: proxy.through(options.url), prefetch: PREFETCH }, handlers);

  beforeAll(async () => {
    const { hostname: host, port } = new URL(options.url);
    proxy = await startTcpProxy({ host, port: Number(port) });
    service = await start();
    gateway = await connectGateway(options);
    raw = await openRawChannel();
  });

  beforeEach(() => {
    handled.length = 0;
    tries = 0;
    isAway = true;
    poison.clear();
  });

  afterAll(async () => {
    await gateway.close();
    await service.close();
    await raw.close();
    await proxy.close();
    await deleteNamespace(options.namespace);
  });

  async function enqueueAll(): Promise<string[]> {
    const ids = Array.from({ length: MESSAGES }, (_, index) => `dlv_${String(index).padStart(2, '0')}`);
    for (const deliveryId of ids) await gateway.enqueue(deliverEventV1, { deliveryId });
    return ids;
  }

  /** Resolves when each message of the prefetch has failed once and one has been retried. */
  const isPaused = (): Promise<void> => eventually(() => expect(tries).toBeGreaterThan(PREFETCH));
  const idsHandled = (): string[] => handled.map(({ id }) => id);

  it('holds tasks, replies to commands, and resumes in order', async () => {
    const ids = await enqueueAll();
    await isPaused();
    expect(await gateway.request(setEndpointV1, setEndpointV1.sample.request)).toEqual(setEndpointV1.sample.response);
    expect(await raw.count(queue)).toBe(MESSAGES - PREFETCH);
    expect(await raw.count(`${queue}.wait.1`)).toBe(0);
    isAway = false;
    await eventually(() => expect(idsHandled()).toEqual(ids));
    // No message was requeued, because requeues count towards the delivery limit.
    expect(handled.some(({ delivery }) => delivery.redelivered || delivery.failures > 0)).toBe(false);
  });

  it('requeues held messages at shutdown for the next process, in order', async () => {
    const ids = await enqueueAll();
    await isPaused();
    const stoppingAt = performance.now();
    await service.close();
    expect(performance.now() - stoppingAt).toBeLessThan(4_000);
    expect(await raw.count(queue)).toBe(MESSAGES);
    isAway = false;
    service = await start();
    await eventually(() => expect(idsHandled()).toEqual(ids));
  });

  it('handles each message once when the broker is also lost', async () => {
    const ids = await enqueueAll();
    await isPaused();
    const triesBefore = tries;
    proxy.drop();
    await eventually(() => expect(tries).toBeGreaterThan(triesBefore + 1));
    isAway = false;
    await eventually(() => expect(new Set(idsHandled())).toEqual(new Set(ids)));
    expect(handled).toHaveLength(MESSAGES);
  });

  it.each(['55000', '53200', '53400'])('does not pause if only one message fails with SQLSTATE %s', async (code) => {
    isAway = false;
    poison.set('dlv_00', code);
    const [first, ...others] = await enqueueAll();
    await eventually(() => expect(new Set(idsHandled())).toEqual(new Set(others)));
    // The failure is attributed to that message and counted.
    await eventually(async () => expect(await raw.count(`${queue}.wait.1`)).toBe(1));
    poison.clear();
    await eventually(() => expect(handled.find(({ id }) => id === first)?.delivery.failures).toBe(1));
    expect(handled).toHaveLength(MESSAGES);
  });

  it('pauses when every message fails with such an SQLSTATE', async () => {
    isAway = false;
    for (const id of Array.from({ length: MESSAGES }, (_, index) => `dlv_${String(index).padStart(2, '0')}`))
      poison.set(id, '53200');
    const ids = await enqueueAll();
    await isPaused();
    poison.clear();
    await eventually(() => expect(new Set(idsHandled())).toEqual(new Set(ids)));
    expect(handled.some(({ delivery }) => delivery.redelivered || delivery.failures > 0)).toBe(false);
  });
});
