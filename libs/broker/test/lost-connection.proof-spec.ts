import { deliverEventV1, setEndpointV1 } from '@switchboard/contracts';
import {
  deleteNamespace,
  eventually,
  silentLogger,
  startTcpProxy,
  type TcpProxy,
  testBrokerOptions,
} from '@switchboard/testing';
import type { ChannelModel } from 'amqplib';
import { BrokerConnection } from '../src/broker-connection';
import { destroySocket, socketOf } from '../src/socket';
import { openRawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks } from './support/webhooks-service';

const { request } = setEndpointV1.sample;

describe('a connection that goes silent', () => {
  const options = testBrokerOptions();
  let proxy: TcpProxy;

  beforeEach(async () => {
    const { hostname, port } = new URL(options.url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  });

  afterEach(() => proxy.close());
  afterAll(() => deleteNamespace(options.namespace));

  it('fails requests within two seconds, later ones immediately, and recovers', async () => {
    const service = await startWebhooks(options);
    const gateway = await connectGateway({ ...options, url: proxy.through(options.url) });
    expect(await gateway.request(setEndpointV1, request)).toBeDefined();

    proxy.freeze();
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled([
      gateway.request(setEndpointV1, request),
      gateway.enqueue(deliverEventV1, deliverEventV1.sample),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN' } },
      { status: 'rejected', reason: { name: 'BrokerAwayError' } },
    ]);
    expect(() => gateway.checkReady()).toThrow('not connected');
    const msUntilRejected = async (): Promise<number> => {
      const sentAt = performance.now();
      await expect(gateway.request(setEndpointV1, request)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      return performance.now() - sentAt;
    };
    // Just after the loss, a request waits up to a second for the next connection.
    expect(await msUntilRejected()).toBeLessThan(1_500);
    expect(await msUntilRejected()).toBeLessThan(100);

    proxy.thaw();
    await eventually(() => gateway.checkReady(), { timeoutMs: 15_000 });
    await expect(gateway.request(setEndpointV1, request)).resolves.toBeDefined();
    await gateway.close();
    await service.close();
  });

  it('delivers pending messages after the reconnection', async () => {
    const handled = new Set<string>();
    const service = await startWebhooks(
      { ...options, url: proxy.through(options.url) },
      { deliver: ({ deliveryId }) => handled.add(deliveryId) },
    );
    const gateway = await connectGateway(options);
    proxy.freeze();
    for (let index = 0; index < 20; index += 1) await gateway.enqueue(deliverEventV1, { deliveryId: `dlv_${index}` });
    expect(() => service.broker.checkReady()).not.toThrow();
    await eventually(() => expect(() => service.broker.checkReady()).toThrow(), { timeoutMs: 20_000 });
    proxy.thaw();
    await eventually(() => expect(handled.size).toBe(20), { timeoutMs: 20_000 });
    await gateway.close();
    await service.close();
  }, 60_000);

  it('does not prevent a process from stopping', async () => {
    const service = await startWebhooks({ ...options, url: proxy.through(options.url) });
    proxy.freeze();
    const startedAt = performance.now();
    await service.close();
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  });
});

describe('a connection that is reset', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  it('fails pending requests immediately, and consumers lose no message', async () => {
    const { hostname, port } = new URL(options.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const through = { ...options, url: proxy.through(options.url) };
    const handled = new Set<string>();
    let asked = false;
    let letGo: () => void = () => undefined;
    const service = await startWebhooks(through, {
      deliver: async ({ deliveryId }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        handled.add(deliveryId);
      },
      setEndpoint: () => {
        asked = true;
        return new Promise((_resolve, reject) => (letGo = () => reject(new Error('over'))));
      },
    });
    const gateway = await connectGateway(through);
    const question = gateway.request(setEndpointV1, request).catch((error: unknown) => error);
    await eventually(() => expect(asked).toBe(true));
    const droppedAt = performance.now();
    proxy.drop();
    expect(await question).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(performance.now() - droppedAt).toBeLessThan(500);

    const confirmed = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      await eventually(() => gateway.checkReady());
      const ids = Array.from({ length: 200 }, (_, index) => `dlv_${round}_${index}`);
      const sending = ids.map((deliveryId) =>
        gateway.enqueue(deliverEventV1, { deliveryId }).then(
          () => confirmed.add(deliveryId),
          () => undefined,
        ),
      );
      await Promise.race(sending);
      proxy.drop();
      await Promise.all(sending);
    }
    await eventually(() => expect([...confirmed].filter((id) => !handled.has(id))).toEqual([]), { timeoutMs: 20_000 });
    expect(confirmed.size).toBeGreaterThan(0);
    await gateway.close();
    // Shutdown waits for the command's handler as long as its caller would wait.
    letGo();
    await service.close();
    await proxy.close();
  }, 60_000);
});

describe('a connection that is lost while it is replaced', () => {
  it('leaves one connection open', async () => {
    const models: ChannelModel[] = [];
    let goOn: () => void = () => undefined;
    const connection = new BrokerConnection({
      url: testBrokerOptions().url,
      name: 'lost while it is replaced',
      logger: silentLogger,
      setUp: async (model) => {
        models.push(model);
        if (models.length === 2) await new Promise<void>((resolve) => (goOn = resolve));
      },
    });
    const isOpen = (model: ChannelModel): boolean => !socketOf(model).destroyed;
    await connection.open();
    const replaced = connection.replace('test');
    await eventually(() => expect(models.length).toBe(2));
    destroySocket(models[0] as ChannelModel, new Error('lost'));
    await eventually(() => expect(models.length).toBe(3));
    await eventually(() => connection.checkReady());
    goOn();
    await replaced;
    expect(models.map(isOpen)).toEqual([false, false, true]);
    await connection.close();
    expect(models.some(isOpen)).toBe(false);
  });
});

describe('a connection whose replacement cannot be set up', () => {
  it('stays in use', async () => {
    const models: ChannelModel[] = [];
    const used: number[] = [];
    const connection = new BrokerConnection({
      url: testBrokerOptions().url,
      name: 'replacement that cannot be set up',
      logger: silentLogger,
      setUp: async (model) => {
        models.push(model);
        if (models.length === 2) await (await model.createChannel()).checkQueue('there is no such queue');
      },
      putToUse: () => used.push(models.length),
    });
    await connection.open();
    await connection.replace('test');
    expect(models.map((model) => socketOf(model).destroyed)).toEqual([false, true]);
    expect(used).toEqual([1]);
    connection.checkReady();
    await connection.close();
  });
});

describe('a queue that is deleted under its consumer', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  it('is redeclared and consumed', async () => {
    const handled: string[] = [];
    const service = await startWebhooks(options, { deliver: ({ deliveryId }) => handled.push(deliveryId) });
    const gateway = await connectGateway(options);
    const raw = await openRawChannel();
    await raw.channel.deleteQueue(`${options.namespace}.${deliverEventV1.name}`);
    await eventually(() => gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_after' }));
    await eventually(() => expect(handled).toEqual(['dlv_after']));
    await raw.close();
    await gateway.close();
    await service.close();
  });

  it('has a single consumer after it is redeclared', async () => {
    const handled: string[] = [];
    const service = await startWebhooks(options, { deliver: ({ deliveryId }) => handled.push(deliveryId) });
    const gateway = await connectGateway(options);
    const raw = await openRawChannel();
    const [first, second] = [deliverEventV1, setEndpointV1].map(({ name }) => `${options.namespace}.${name}`) as [
      string,
      string,
    ];
    await raw.channel.deleteQueue(first);
    await eventually(() => gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_once' }));
    await eventually(() => expect(handled).toEqual(['dlv_once']));
    // Takes as long as adding a second consumer to the first queue would.
    await raw.channel.deleteQueue(second);
    await eventually(() => gateway.request(setEndpointV1, request));
    expect((await raw.channel.checkQueue(first)).consumerCount).toBe(1);
    await raw.close();
    await gateway.close();
    await service.close();
  });

  it('is redeclared together with its deleted exchange', async () => {
    const gateway = await connectGateway(options);
    const raw = await openRawChannel();
    await raw.channel.deleteExchange(`${options.namespace}.sb.webhooks`);
    await expect(gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_lost' })).rejects.toThrow();
    await eventually(() => gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_again' }));
    await raw.close();
    await gateway.close();
  });
});
