import {
  AppError,
  exchangeOf,
  REPLIES_EXCHANGE,
  type SetEndpointCommand,
  type SetEndpointReply,
  setEndpointV1,
} from '@switchboard/contracts';
import { deleteNamespace, eventually, startTcpProxy, type TcpProxy, testBrokerOptions } from '@switchboard/testing';
import type { ConsumeMessage } from 'amqplib';
import type { Broker } from '../src/index';
import { Names } from '../src/names';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, type ServiceOptions, startWebhooks, type WebhooksService } from './support/webhooks-service';

const command = { ...setEndpointV1, grouped: true };
const { request, response } = setEndpointV1.sample;
const options = testBrokerOptions();
const queue = `${options.namespace}.${command.name}`;
const repliesExchange = `${options.namespace}.${REPLIES_EXCHANGE}`;

let gateway: Broker;
let raw: RawChannel;
let services: WebhooksService[];
/** Commands that were started, by process and url. */
let begun: string[];
/** Completes the latest command that started with this URL. */
let end: Map<string, (error?: Error) => void>;
let endAll: (() => void)[];

/** Sends all commands in one tick. Each promise resolves with the URL of the reply or the error code. */
const askFor = (...urls: string[]): Promise<unknown>[] =>
  urls.map((url) => gateway.request(command, { ...request, url }).then((reply) => reply.url, codeOf));

const codeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error);

/** Starts a process that accepts everything and completes commands immediately, unless their URL starts with "held". */
async function start(name: string, more: Partial<ServiceOptions> = {}): Promise<WebhooksService> {
  const setEndpoint = async ({ url }: SetEndpointCommand): Promise<SetEndpointReply> => {
    begun.push(`${name}: ${url}`);
    if (url.startsWith('held'))
      await new Promise<void>((resolve, reject) => {
        end.set(url, (error) => (error ? reject(error) : resolve()));
        endAll.push(resolve);
      });
    if (url.startsWith('refused')) throw new AppError('NOT_FOUND');
    if (url.startsWith('away')) throw new AppError('UNAVAILABLE');
    return { ...response, url };
  };
  const service = await startWebhooks({ ...options, ...more }, { setEndpoint });
  services.push(service);
  return service;
}

/** Records type and number of commands of each command message that the gateway sends. */
async function watch(): Promise<string[]> {
  const seen: string[] = [];
  const copies = await raw.channel.assertQueue('', { exclusive: true, autoDelete: true });
  await raw.channel.bindQueue(copies.queue, `${options.namespace}.${exchangeOf('gateway')}`, command.name);
  const look = (message: ConsumeMessage | null) => {
    const body = JSON.parse(message?.content.toString() ?? '') as object;
    seen.push(Array.isArray(body) ? `commands ${body.length}` : String(message?.properties.type));
  };
  await raw.channel.consume(copies.queue, look, { noAck: true });
  return seen;
}

beforeEach(async () => {
  begun = [];
  end = new Map();
  endAll = [];
  services = [];
  raw = await openRawChannel();
  await (await startWebhooks(options)).close();
  gateway = await connectGateway(options);
});

afterEach(async () => {
  for (const goOn of endAll) goOn();
  await gateway.close();
  await Promise.all(services.map((service) => service.close()));
  await raw.close();
});

afterAll(() => deleteNamespace(options.namespace));

describe('command grouping', () => {
  it('groups up to sixteen commands of one tick, with separate replies', async () => {
    await start('one');
    const seen = await watch();
    const plain = Array.from({ length: 18 }, (_unused, index) => `plain ${index}`);
    const urls = ['refused', 'away', ...plain];
    const expected = ['NOT_FOUND', 'UNAVAILABLE', ...plain];
    expect(await Promise.all(askFor(...urls))).toEqual(expected);
    expect(await askFor('alone')[0]).toBe('alone');
    await eventually(() => expect(seen).toEqual(['commands 16', 'commands 4', command.name]));
    await eventually(async () => expect(await raw.count(queue)).toBe(0));
  });

  it('replies to each command of a group independently', async () => {
    await start('one');
    const [held, ...others] = askFor('held', 'a', 'b');
    expect(await Promise.all(others)).toEqual(['a', 'b']);
    end.get('held')?.();
    expect(await held).toBe('held');
  });

  it.each([1_000, command.timeoutMs + 1])(
    'sends a command individually if its caller waits for %i ms',
    async (timeoutMs) => {
      await start('one');
      const seen = await watch();
      await Promise.all([1, 2].map(() => gateway.request(command, request, { timeoutMs })));
      await eventually(() => expect(seen).toEqual([command.name, command.name]));
    },
  );

  it('fails the commands immediately when there is no queue', async () => {
    await raw.channel.deleteQueue(queue);
    expect(await Promise.all(askFor('a', 'b'))).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });

  it('fails commands without a consumer within two seconds and never runs them', async () => {
    const startedAt = performance.now();
    expect(await Promise.all(askFor('a', 'b', 'c'))).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await start('later');
    expect(await askFor('next')[0]).toBe('next');
    expect(begun).toEqual(['later: next']);
  });

  it('resends the commands individually when an earlier version rejects the group', async () => {
    const seen = await watch();
    // Reply of an earlier version to a body that is not an object.
    await raw.channel.consume(queue, (message) => {
      if (!message) return;
      const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
      const body = JSON.parse(message.content.toString()) as SetEndpointCommand | object[];
      const type = Array.isArray(body) ? 'error' : undefined;
      const answer = Array.isArray(body) ? new AppError('INVALID_PARAMETER').toBody() : { ...response, url: body.url };
      for (const [content, kind] of [
        ['', 'taken'],
        [JSON.stringify(answer), type],
      ] as const)
        raw.channel.publish(repliesExchange, replyTo, Buffer.from(content), {
          type: kind,
          correlationId,
        });
      raw.channel.ack(message);
    });
    expect(await Promise.all(askFor('a', 'b'))).toEqual(['a', 'b']);
    expect(await Promise.all(askFor('c', 'd'))).toEqual(['c', 'd']);
    await eventually(() => expect(seen).toEqual(['commands 2', ...Array.from({ length: 4 }, () => command.name)]));
  });

  it('resends the commands individually when a process has no room', async () => {
    await start('busy', { prefetch: 2 });
    const held = askFor(...Array.from({ length: 8 }, (_unused, index) => `held ${index}`));
    await eventually(() => expect(begun.length).toBe(2));
    const seen = await watch();
    const behind = askFor('x', 'y', 'z');
    await eventually(() => expect(seen).toEqual(['commands 3', command.name, command.name, command.name]));
    await eventually(() => {
      for (const goOn of endAll) goOn();
      expect(begun.length).toBe(11);
    });
    expect(await Promise.all(behind)).toEqual(['x', 'y', 'z']);
    expect(await Promise.all(held)).toHaveLength(8);
  });

  it('leaves a group queued until a process has room for a command', async () => {
    await start('busy', { prefetch: 2 });
    const alone = Array.from({ length: 8 }, (_unused, index) =>
      gateway.request(setEndpointV1, { ...request, url: `held ${index}` }),
    );
    await eventually(() => expect(begun.length).toBe(2));
    const seen = await watch();
    const behind = askFor('x', 'y', 'z');
    // The broker has delivered as many messages as the process may hold.
    await eventually(async () => expect(await raw.count(queue)).toBe(1));
    endAll[0]?.();
    await eventually(async () => expect(await raw.count(queue)).toBe(0));
    await eventually(() => {
      for (const goOn of endAll) goOn();
      expect(begun.length).toBe(11);
    });
    expect(await Promise.all([...behind, ...alone])).toHaveLength(11);
    expect(seen).toEqual(['commands 3']);
  });

  it('does not send commands if the process was blocked past their deadline', async () => {
    await start('one');
    const [other] = askFor('held');
    await eventually(() => expect(begun).toEqual(['one: held']));
    const late = askFor('a', 'b');
    // Let the commands be collected. They are sent after this tick of the event loop.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // Block the process, as if it had been stopped.
    const stoppedAt = performance.now();
    while (performance.now() - stoppedAt < 1_600);
    expect(await Promise.all(late)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    end.get('held')?.();
    expect(await other).toBe('held');
    expect(await Promise.all(askFor('c', 'd'))).toEqual(['c', 'd']);
    expect(begun).toEqual(['one: held', 'one: c', 'one: d']);
  });

  it('passes the commands to another process when the receiving one stops', async () => {
    const stopping = await start('stopping');
    const [held] = askFor('held');
    await eventually(() => expect(begun).toEqual(['stopping: held']));
    const closed = stopping.close();
    const others = askFor('a', 'b');
    await start('next');
    expect(await Promise.all(others)).toEqual(['a', 'b']);
    end.get('held')?.();
    expect(await held).toBe('held');
    await closed;
    expect(begun).toEqual(['stopping: held', 'next: a', 'next: b']);
  });
});

describe('command group in a process that dies', () => {
  let proxy: TcpProxy;

  beforeEach(async () => {
    const { hostname, port } = new URL(options.url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    await start('dying', { url: proxy.through(options.url) });
  });
  afterEach(() => proxy.close());

  it('retains the replies already sent and reports the rest as unknown', async () => {
    const answers = askFor('done', 'held 1', 'held 2');
    expect(await answers[0]).toBe('done');
    await eventually(() => expect(begun.length).toBe(3));
    const startedAt = performance.now();
    await proxy.refuse();
    expect(await Promise.all(answers)).toEqual(['done', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('completes in the next process without repeating commands that have a reply', async () => {
    // The broker delivers to the older consumer first.
    await start('next');
    const answers = askFor('done', 'held');
    expect(await answers[0]).toBe('done');
    await eventually(() => expect(begun.length).toBe(2));
    await proxy.refuse();
    await eventually(() => expect(begun.slice(2)).toEqual(['next: held']));
    end.get('held')?.();
    expect(await Promise.all(answers)).toEqual(['done', 'held']);
    expect(begun).toHaveLength(3);
  });

  it('has an unknown outcome even when the next process reports UNAVAILABLE', async () => {
    await start('next');
    const answers = askFor('held 1', 'held 2');
    await eventually(() => expect(begun.length).toBe(2));
    await proxy.refuse();
    await eventually(() => expect(begun.slice(2)).toEqual(['next: held 1', 'next: held 2']));
    for (const url of ['held 1', 'held 2']) end.get(url)?.(new AppError('UNAVAILABLE'));
    expect(await Promise.all(answers)).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
  });

  it('does not start while acceptance notes cannot be sent', async () => {
    proxy.mute();
    const answers = askFor('a', 'b');
    await eventually(() => expect(proxy.passed()).toContain('"url":"a"'));
    await proxy.refuse();
    expect(await Promise.all(answers)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    expect(begun).toEqual([]);
  });
});

it('replies to an unreadable command group and runs later commands', async () => {
  await start('one');
  const replies = new Names(options.namespace).newPassingQueue('gateway');
  await raw.channel.assertQueue(replies, { exclusive: true });
  await raw.channel.bindQueue(replies, repliesExchange, replies);
  const told: unknown[] = [];
  await raw.channel.consume(replies, (message) => told.push(message?.properties.correlationId), { noAck: true });
  for (const [correlationId, content] of Object.entries({ a: '[', b: '[]', c: '[{"body":{}}]' }))
    raw.channel.sendToQueue(queue, Buffer.from(content), { type: 'commands', correlationId, replyTo: replies });
  await eventually(() => expect(told).toEqual(['a', 'b', 'c']));
  expect(await Promise.all(askFor('x', 'y'))).toEqual(['x', 'y']);
  expect(begun).toEqual(['one: x', 'one: y']);
});
