import { setEndpointV1, type SetEndpointCommand } from '@switchboard/contracts';
import { deleteNamespace, eventually, startTcpProxy, testBrokerOptions, testServicesUrl } from '@switchboard/testing';
import { type Broker, type CommandQueueType, prepareBroker } from '../src/index';
import { Names } from '../src/names';
import { commandQueue } from '../src/topology';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksService } from './support/webhooks-service';

const { request, response } = setEndpointV1.sample;

describe('a command', () => {
  const options = testBrokerOptions();
  let raw: RawChannel;
  let service: WebhooksService | undefined;
  let gateway: Broker;
  let done: string[];

  const setEndpoint = ({ url }: SetEndpointCommand) => {
    done.push(url);
    return { ...response, url };
  };
  const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
  const ask = (url: string) =>
    gateway.request(setEndpointV1, { ...request, url }).then(
      () => 'done',
      (error: unknown) => codeOf(error),
    );

  beforeEach(async () => {
    done = [];
    raw = await openRawChannel();
    service = await startWebhooks(options, { setEndpoint });
    gateway = await connectGateway(options);
  });

  afterEach(async () => {
    await gateway.close();
    await service?.close();
    await raw.close();
  });

  afterAll(() => deleteNamespace(options.namespace));

  it('fails with 503 immediately when the broker nacks it', async () => {
    await service?.close();
    service = undefined;
    const queue = `${options.namespace}.${setEndpointV1.name}`;
    await raw.channel.deleteQueue(queue);
    const full = { 'x-queue-type': 'classic', 'x-max-length': 0, 'x-overflow': 'reject-publish' };
    await raw.channel.assertQueue(queue, { durable: true, arguments: full });
    await raw.channel.bindQueue(queue, `${options.namespace}.sb.gateway`, setEndpointV1.name);
    const startedAt = performance.now();
    expect(await ask('nacked')).toBe('UNAVAILABLE');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await raw.channel.deleteQueue(queue);
  });

  it('waits up to a second for a new connection after a loss', async () => {
    const { hostname, port } = new URL(options.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    await gateway.close();
    gateway = await connectGateway({ ...options, url: proxy.through(options.url) });
    expect(await ask('before')).toBe('done');
    await proxy.refuse();
    await eventually(() => expect(() => gateway.checkReady()).toThrow('not connected'));
    const lostAt = performance.now();
    const meanwhile = ask('meanwhile');
    await proxy.listen();
    // On a busy machine the new connection may take longer.
    if ((await meanwhile) === 'UNAVAILABLE') expect(performance.now() - lostAt).toBeGreaterThan(800);
    else expect(done).toEqual(['before', 'meanwhile']);
    await proxy.close();
  });

  it('gets its reply even if connections are replaced while it waits', async () => {
    const release: (() => void)[] = [];
    await service?.close();
    service = await startWebhooks(options, {
      setEndpoint: async (body) => {
        if (body.url === 'slow') await new Promise<void>((resolve) => release.push(resolve));
        return setEndpoint(body);
      },
    });
    const slow = ask('slow');
    await eventually(() => expect(release.length).toBe(1));
    const replaced = Promise.all([gateway.replaceConnections('test'), service.broker.replaceConnections('test')]);
    let isReplaced = false;
    void replaced.then(() => (isReplaced = true));
    const outcomes: unknown[] = [];
    while (outcomes.length < 50) outcomes.push(await ask(`quick-${outcomes.length}`));
    // The old connections stay open until the slow command has its reply.
    expect(isReplaced).toBe(false);
    release[0]?.();
    expect(await slow).toBe('done');
    await replaced;
    expect(await ask('after')).toBe('done');
    expect(new Set(outcomes)).toEqual(new Set(['done']));
    expect(done.sort()).toEqual(['slow', 'after', ...outcomes.map((_, index) => `quick-${index}`)].sort());
    const { consumerCount } = await raw.channel.checkQueue(`${options.namespace}.${setEndpointV1.name}`);
    expect(consumerCount).toBe(1);
  });
});

describe('broker set-up', () => {
  const options = testBrokerOptions();
  const setUp = (commandQueues: CommandQueueType) =>
    prepareBroker({ adminUrl: options.url, namespace: options.namespace, commandQueues, loginUrls: {} });
  const names = new Names(options.namespace);
  afterAll(() => deleteNamespace(options.namespace));

  it('changes the type of command queues without losing a command', async () => {
    const carriedOut: string[] = [];
    await setUp('classic');
    // Use logins that may not declare anything, as in production.
    const own = { ...options, url: testServicesUrl() };
    const service = await startWebhooks(own, {
      setEndpoint: ({ url }) => {
        carriedOut.push(url);
        return { ...response, url };
      },
    });
    const gateway = await connectGateway(own);
    const outcomes = new Map<string, unknown>();
    let isOver = false;
    const asking = Array.from({ length: 4 }, async (_, lane) => {
      for (let index = 0; !isOver; index += 1) {
        const url = `${lane}-${index}`;
        const outcome = await gateway.request(setEndpointV1, { ...request, url }).then(
          () => 'done',
          (error: unknown) => (error as { code?: unknown }).code,
        );
        outcomes.set(url, outcome);
      }
    });
    await eventually(() => expect(outcomes.size).toBeGreaterThan(50));
    await setUp('quorum');
    const before = outcomes.size;
    const since = () => [...outcomes.values()].slice(before);
    await eventually(() => expect(since().filter((outcome) => outcome === 'done').length).toBeGreaterThan(50), {
      timeoutMs: 20_000,
    });
    isOver = true;
    await Promise.all(asking);
    await gateway.close();
    await service.close();
    expect(new Set([...outcomes.values()].filter((outcome) => outcome !== 'done'))).toEqual(new Set(['UNAVAILABLE']));
    const answered = [...outcomes].filter(([, outcome]) => outcome === 'done').map(([url]) => url);
    expect(carriedOut.sort()).toEqual(answered.sort());
    const raw = await openRawChannel();
    const { queue, options: asQuorum } = commandQueue(names, names.queue(setEndpointV1, 'webhooks'), 'quorum');
    await raw.channel.assertQueue(queue, asQuorum);
    await raw.close();
  }, 60_000);
});
