import {
  AppError,
  listEndpointsV1,
  REPLIES_EXCHANGE,
  type SetEndpointCommand,
  type SetEndpointReply,
  setEndpointV1,
  verifyCodeV1,
} from '@switchboard/contracts';
import { deleteNamespace, eventually, startTcpProxy, type TcpProxy, testBrokerOptions } from '@switchboard/testing';
import type { RequestOptions, Broker } from '../src/index';
import { Names } from '../src/names';
import { openRawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

describe('Broker.request', () => {
  const options = testBrokerOptions();
  const handlers: Partial<WebhooksHandlers> = {};
  const { request } = setEndpointV1.sample;
  let service: WebhooksService;
  let gateway: Broker;

  beforeAll(async () => {
    service = await startWebhooks(options, handlers);
    gateway = await connectGateway(options);
  });

  beforeEach(() => {
    delete handlers.setEndpoint;
    delete handlers.listEndpoints;
  });

  afterAll(async () => {
    await gateway.close();
    await service.close();
    await deleteNamespace(options.namespace);
  });

  it('passes a validated body to the handler and returns its reply', async () => {
    handlers.setEndpoint = (body) => ({ id: body.constructor.name, url: body.url, sealedSecret: 's' });
    expect(await gateway.request(setEndpointV1, request)).toEqual({
      id: 'SetEndpointCommand',
      url: request.url,
      sealedSecret: 's',
    });
  });

  it('matches replies in any order to their requests', async () => {
    handlers.setEndpoint = async ({ url }) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return { id: 'ep', url, sealedSecret: '' };
    };
    const urls = Array.from({ length: 200 }, (_, index) => `https://example.com/${index}`);
    const replies = await Promise.all(urls.map((url) => gateway.request(setEndpointV1, { ...request, url })));
    expect(replies.map(({ url }) => url)).toEqual(urls);
  });

  it('groups replies only for callers that support groups', async () => {
    const raw = await openRawChannel();
    const ids = ['a', 'b', 'c', 'd'];
    /** Returns the messages that a caller receives, in order. */
    const toldTo = async (headers: object): Promise<{ type: unknown; id: unknown; content: string }[]> => {
      const waiting: (() => void)[] = [];
      handlers.setEndpoint = async ({ url }) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        if (url === 'b') throw new AppError('NOT_FOUND');
        return { id: 'ep', url, sealedSecret: '' };
      };
      const queue = new Names(options.namespace).newPassingQueue('gateway');
      await raw.channel.assertQueue(queue, { exclusive: true });
      await raw.channel.bindQueue(queue, `${options.namespace}.${REPLIES_EXCHANGE}`, queue);
      const told: { type: unknown; id: unknown; content: string }[] = [];
      const answers = () => told.filter(({ type }) => type !== 'taken' && type !== 'taken-notes');
      await raw.channel.consume(queue, (message) => {
        const { type, correlationId } = message?.properties ?? {};
        told.push({ type, id: correlationId, content: message?.content.toString() ?? '' });
      });
      for (const id of ids) {
        const properties = { correlationId: id, replyTo: queue, headers: { 'x-time-limit-ms': 10_000, ...headers } };
        const body = JSON.stringify({ ...request, url: id });
        raw.channel.sendToQueue(`${options.namespace}.${setEndpointV1.name}`, Buffer.from(body), properties);
      }
      await eventually(() => expect(waiting.length).toBe(ids.length));
      for (const goOn of waiting) goOn();
      await eventually(() => expect(answers().flatMap(idsIn).length).toBe(ids.length));
      return told;
    };
    const alone = await toldTo({});
    expect(alone.slice(0, 4).map(({ type, id }) => [type, id])).toEqual(ids.map((id) => ['taken', id]));
    const answers = alone.slice(4).map(({ type, id }) => `${String(id)} ${String(type)}`);
    expect(answers.sort()).toEqual(['a undefined', 'b error', 'c undefined', 'd undefined']);
    const grouped = await toldTo({ 'x-reads-groups': true });
    const notes = grouped.slice(0, -1);
    expect(notes.flatMap(({ type, id, content }) => (type === 'taken' ? id : JSON.parse(content)))).toEqual(ids);
    expect(grouped.at(-1)).toMatchObject({ type: 'replies' });
    const group = JSON.parse(grouped.at(-1)?.content ?? '') as { id: string }[];
    expect(group.sort((one, other) => one.id.localeCompare(other.id))).toEqual([
      { id: 'a', body: { id: 'ep', url: 'a', sealedSecret: '' } },
      { id: 'b', type: 'error', body: expect.objectContaining({ code: 'NOT_FOUND' }) as object },
      { id: 'c', body: { id: 'ep', url: 'c', sealedSecret: '' } },
      { id: 'd', body: { id: 'ep', url: 'd', sealedSecret: '' } },
    ]);
    await raw.close();
  });

  it("passes on all fields of the handler's error", async () => {
    const refusal = new AppError('RATE_LIMITED', {
      message: 'slower',
      details: [{ field: 'url', message: 'busy' }],
      retryAfterSeconds: 7,
      extra: { verified: false },
    });
    handlers.setEndpoint = () => {
      throw refusal;
    };
    const error = await gateway.request(setEndpointV1, request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).toBody()).toEqual(refusal.toBody());
  });

  it('receives replies again after the replies exchange was recreated', async () => {
    handlers.setEndpoint = ({ url }) => ({ id: 'ep', url, sealedSecret: '' });
    const { channel, close } = await openRawChannel();
    const exchange = `${options.namespace}.${REPLIES_EXCHANGE}`;
    await channel.deleteExchange(exchange);
    await channel.assertExchange(exchange, 'topic', { durable: true });
    const ask = () => gateway.request(setEndpointV1, request, { timeoutMs: 300 });
    await expect(ask()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await ask()).toMatchObject({ id: 'ep' });
    await close();
  });

  it('reports an unexpected error only as INTERNAL', async () => {
    handlers.setEndpoint = () => Promise.reject(new Error('password is hunter2'));
    await expect(gateway.request(setEndpointV1, request)).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'internal server error',
    });
  });

  it('rejects an invalid body before the handler is called', async () => {
    let calls = 0;
    handlers.setEndpoint = () => {
      calls += 1;
      return setEndpointV1.sample.response;
    };
    await expect(gateway.request(setEndpointV1, { ...request, url: 7 as unknown as string })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    expect(calls).toBe(0);
  });

  it('times out with OUTCOME_UNKNOWN, or UNAVAILABLE when nothing changes', async () => {
    const letGo: (() => void)[] = [];
    const hang = () => new Promise<never>((_resolve, reject) => letGo.push(() => reject(new AppError('UNAVAILABLE'))));
    handlers.setEndpoint = hang;
    handlers.listEndpoints = hang;
    const startedAt = performance.now();
    await expect(gateway.request(setEndpointV1, request, { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    await expect(
      gateway.request(listEndpointsV1, listEndpointsV1.sample.request, { timeoutMs: 300 }),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    for (const end of letGo) end();
  });

  it("passes the caller's deadline to the handler on its own clock", async () => {
    let leftMs = 0;
    handlers.setEndpoint = (_body, { deadline = 0 }) => {
      leftMs = deadline - performance.now();
      return setEndpointV1.sample.response;
    };
    await gateway.request(setEndpointV1, request, { timeoutMs: 4_000 });
    expect(leftMs).toBeGreaterThan(3_000);
    expect(leftMs).toBeLessThanOrEqual(4_000);
  });

  it('fails immediately when no queue receives the command', async () => {
    const startedAt = performance.now();
    await expect(gateway.request(verifyCodeV1, verifyCodeV1.sample.request)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('Broker.request without a running service', () => {
  const options = testBrokerOptions();
  const { request } = setEndpointV1.sample;
  let gateway: Broker;
  let service: WebhooksService | undefined;
  let done: string[];

  const setEndpoint = ({ url }: SetEndpointCommand): SetEndpointReply => {
    done.push(url);
    return { ...setEndpointV1.sample.response, url };
  };
  const askFor = (url: string, askOptions?: RequestOptions) =>
    gateway.request(setEndpointV1, { ...request, url }, askOptions).catch(codeOf);

  beforeEach(async () => {
    done = [];
    await (await startWebhooks(options)).close();
    gateway = await connectGateway(options);
  });

  afterEach(async () => {
    await gateway.close();
    await service?.close();
    service = undefined;
  });

  afterAll(() => deleteNamespace(options.namespace));

  it('fails within two seconds, and the command never runs', async () => {
    const startedAt = performance.now();
    const refused = await Promise.all(['a', 'b', 'c'].map((url) => askFor(url)));
    expect(refused).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    service = await startWebhooks(options, { setEndpoint });
    expect(await askFor('later')).toMatchObject({ url: 'later' });
    expect(done).toEqual(['later']);
  });

  it('succeeds when the service restarts in time', async () => {
    const answer = askFor('soon');
    service = await startWebhooks(options, { setEndpoint });
    expect(await answer).toMatchObject({ url: 'soon' });
    expect(done).toEqual(['soon']);
  });

  it('fails if the command waits too long, and never runs it', async () => {
    const release: (() => void)[] = [];
    service = await startWebhooks(
      { ...options, prefetch: 2 },
      {
        setEndpoint: async (body) => {
          if (body.url === 'slow') await new Promise<void>((resolve) => release.push(resolve));
          return setEndpoint(body);
        },
      },
    );
    const slow = Array.from({ length: 8 }, () => askFor('slow'));
    await eventually(() => expect(release.length).toBe(2));
    expect(await askFor('late', { timeoutMs: 200 })).toBe('UNAVAILABLE');
    // Commands that the service already holds start when earlier ones end.
    await eventually(() => {
      for (const goOn of release) goOn();
      expect(done.length).toBe(8);
    });
    await Promise.all(slow);
    expect(await askFor('next')).toMatchObject({ url: 'next' });
    expect(done).toEqual([...Array.from({ length: 8 }, () => 'slow'), 'next']);
  });

  it('succeeds for commands held beyond the concurrency limit', async () => {
    const release: (() => void)[] = [];
    service = await startWebhooks(
      { ...options, prefetch: 2 },
      {
        setEndpoint: async (body) => {
          if (body.url === 'slow') await new Promise<void>((resolve) => release.push(resolve));
          return setEndpoint(body);
        },
      },
    );
    const slow = [askFor('slow'), askFor('slow')];
    await eventually(() => expect(release.length).toBe(2));
    const kept = askFor('kept', { timeoutMs: 5_000 });
    const behind = Array.from({ length: 6 }, () => askFor('behind', { timeoutMs: 600 }));
    // Rejected by the queue, because the service already holds its maximum.
    expect(await behind[5]).toBe('UNAVAILABLE');
    for (const goOn of release) goOn();
    expect(await kept).toMatchObject({ url: 'kept' });
    await Promise.all(slow);
  });

  it('replaces a queue that another version declared differently', async () => {
    const raw = await openRawChannel();
    const queue = `${options.namespace}.${setEndpointV1.name}`;
    await raw.channel.deleteQueue(queue);
    await raw.channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic' } });
    raw.put(queue, JSON.stringify({ ...request, url: 'old' }));
    service = await startWebhooks(options, { setEndpoint });
    expect(await askFor('new')).toMatchObject({ url: 'new' });
    await service.close();
    expect(await askFor('away')).toBe('UNAVAILABLE');
    expect(done).toEqual(['new']);
    await raw.close();
  });
});

describe('Broker.request to a service that dies', () => {
  const options = testBrokerOptions();
  const { request } = setEndpointV1.sample;
  let gateway: Broker;
  let proxy: TcpProxy;
  let dying: WebhooksService;
  /** Name of the process for each started command. */
  let begun: string[];

  /** Handler that does not end until `letGo` is called. */
  const begin = () => {
    begun.push('dying');
    return new Promise<never>((_resolve, reject) => (letGo = () => reject(new Error('over'))));
  };
  let letGo: () => void;

  beforeEach(async () => {
    begun = [];
    letGo = () => undefined;
    const { hostname, port } = new URL(options.url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    dying = await startWebhooks({ ...options, url: proxy.through(options.url) }, { setEndpoint: begin });
    gateway = await connectGateway(options);
  });

  afterEach(async () => {
    letGo();
    await gateway.close();
    await proxy.close();
    await dying.close();
  });

  afterAll(() => deleteNamespace(options.namespace));

  it('fails with OUTCOME_UNKNOWN soon after the command started', async () => {
    const startedAt = performance.now();
    const answer = gateway.request(setEndpointV1, request).catch(codeOf);
    await eventually(() => expect(begun).toEqual(['dying']));
    await proxy.refuse();
    expect(await answer).toBe('OUTCOME_UNKNOWN');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('fails with OUTCOME_UNKNOWN for several commands started together', async () => {
    const answers = [1, 2, 3].map(() => gateway.request(setEndpointV1, request).catch(codeOf));
    await eventually(() => expect(begun).toEqual(['dying', 'dying', 'dying']));
    await proxy.refuse();
    expect(await Promise.all(answers)).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
  });

  it('returns the reply of the next process that accepts the command', async () => {
    // Start the next process in advance: a busy machine might start it only after the command has expired. The broker
    // delivers to the older consumer first.
    const next = await startWebhooks(options, {
      setEndpoint: (_body, { redelivered }) => {
        begun.push(redelivered ? 'next' : 'never');
        return setEndpointV1.sample.response;
      },
    });
    const answer = gateway.request(setEndpointV1, request).catch(codeOf);
    await eventually(() => expect(begun).toEqual(['dying']));
    await proxy.refuse();
    const told = await answer;
    await next.close();
    expect(told).toEqual(setEndpointV1.sample.response);
    expect(begun).toEqual(['dying', 'next']);
  });

  it('does not start the command while its acceptance note cannot be sent', async () => {
    proxy.mute();
    const answer = gateway.request(setEndpointV1, request).catch(codeOf);
    const raw = await openRawChannel();
    const queue = `${options.namespace}.${setEndpointV1.name}`;
    // The broker has delivered the command, but nothing that the process sends arrives.
    await eventually(async () => expect(await raw.count(queue)).toBe(0));
    await eventually(() => expect(proxy.passed()).toContain(request.url));
    await proxy.refuse();
    expect(await answer).toBe('UNAVAILABLE');
    expect(begun).toEqual([]);
    await raw.close();
  });
});

/** Returns the ids of the commands that a message replies to. */
function idsIn({ type, id, content }: { type: unknown; id: unknown; content: string }): unknown[] {
  return type === 'replies' ? (JSON.parse(content) as object[]) : [id];
}

function codeOf(error: unknown): unknown {
  return error instanceof AppError ? error.code : error;
}
