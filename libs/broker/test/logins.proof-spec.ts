import {
  accessChangedV1,
  deliverEventV1,
  fetchMediaV1,
  messageReceivedV1,
  numberCredentialsChangedV1,
  SERVICES,
  type ServiceName,
  setEndpointV1,
  verifyCodeV1,
} from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Broker,
  createBroker,
  listDeadLetters,
  PermanentError,
  prepareBroker,
  returnDeadLetters,
} from '../src/index';
import { startProcess } from './support/service-process';
import { type PrivateBroker, startThrowAwayBroker } from './support/private-broker';
import { startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

let rabbit: PrivateBroker & { folder: string; remove(): Promise<void> };
let beforeSetUp: unknown;

beforeAll(async () => {
  rabbit = await startThrowAwayBroker();
  const early = createBroker({ service: 'jobs', url: rabbit.logins.jobs, namespace: '', logger: silentLogger });
  beforeSetUp = await early.connect().catch((error: unknown) => error);
  await early.close();
  await prepareBroker({ adminUrl: rabbit.url, namespace: '', loginUrls: {} });
});

afterAll(() => rabbit.remove());

describe('the files of a private broker', () => {
  it('are accessible to their owner only', async () => {
    const names = await readdir(rabbit.folder, { recursive: true });
    const files = [rabbit.folder, ...names.map((name) => join(rabbit.folder, name))];
    const modes = await Promise.all(
      files.map(async (path) => ({ path, mode: (await lstat(path).catch(() => undefined))?.mode ?? 0 })),
    );
    expect(names).toEqual(
      expect.arrayContaining(['definitions.json', 'rabbitmq.conf', 'password', 'home/.erlang.cookie', 'mnesia', 'log']),
    );
    expect(modes.filter(({ mode }) => mode & 0o077)).toEqual([]);
  });
});

describe('service with a separate login', () => {
  const brokers: Broker[] = [];
  let webhooks: WebhooksService;
  const handlers: Partial<WebhooksHandlers> = {};

  const brokerOf = async (service: ServiceName): Promise<Broker> => {
    const broker = createBroker({ service, url: rabbit.logins[service], namespace: '', logger: silentLogger });
    brokers.push(broker);
    await broker.connect();
    return broker;
  };

  beforeAll(async () => {
    webhooks = await startWebhooks(
      { url: rabbit.logins.webhooks, namespace: '' },
      {
        setEndpoint: (body, delivery) => handlers.setEndpoint?.(body, delivery) ?? setEndpointV1.sample.response,
        deliver: (body, delivery) => handlers.deliver?.(body, delivery),
        takeReceived: (body, delivery) => handlers.takeReceived?.(body, delivery),
      },
    );
  });

  afterAll(async () => {
    await webhooks.close();
    await Promise.all(brokers.map((broker) => broker.close()));
  });

  it('reports a missing topology before set-up instead of declaring it', () => {
    expect(beforeSetUp).toMatchObject({
      name: 'TopologyMismatchError',
      message: expect.stringContaining("run the broker's set-up of this version first"),
    });
  });

  it('connects', async () => {
    for (const service of SERVICES) await (await brokerOf(service)).close();
  });

  it('sends commands and receives replies', async () => {
    const gateway = await brokerOf('gateway');
    await expect(gateway.request(setEndpointV1, setEndpointV1.sample.request)).resolves.toEqual(
      setEndpointV1.sample.response,
    );
  });

  it('runs a command despite its invalid reply address, and later commands', async () => {
    const accounts: string[] = [];
    handlers.setEndpoint = ({ accountId }) => {
      accounts.push(accountId);
      return setEndpointV1.sample.response;
    };
    const { request } = setEndpointV1.sample;
    const model = await connect(rabbit.logins.gateway);
    const channel = await model.createChannel();
    const astray = Buffer.from(JSON.stringify({ ...request, accountId: 'acc_astray' }));
    channel.publish('sb.gateway', setEndpointV1.name, astray, { replyTo: 'elsewhere', correlationId: '1' });
    await eventually(() => expect(accounts).toEqual(['acc_astray']));
    const gateway = await brokerOf('gateway');
    await expect(gateway.request(setEndpointV1, request)).resolves.toEqual(setEndpointV1.sample.response);
    expect(accounts).toEqual(['acc_astray', request.accountId]);
    await model.close();
  });

  it('publishes its own messages and delays its tasks', async () => {
    const received: unknown[] = [];
    handlers.takeReceived = (body) => received.push(body.id);
    handlers.deliver = ({ deliveryId }) => received.push(deliveryId);
    await (await brokerOf('messaging')).publish(messageReceivedV1, messageReceivedV1.sample);
    await webhooks.broker.enqueue(deliverEventV1, { deliveryId: 'dlv_now' });
    await webhooks.broker.enqueue(deliverEventV1, { deliveryId: 'dlv_later' }, { delaySeconds: 5 });
    await eventually(
      () => expect(new Set(received)).toEqual(new Set([messageReceivedV1.sample.id, 'dlv_now', 'dlv_later'])),
      { timeoutMs: 20_000 },
    );
  });

  it('receives its broadcasts', async () => {
    const heard: unknown[] = [];
    const { broker, close } = await startProcess(
      'gateway',
      { url: rabbit.logins.gateway, namespace: '' },
      ({ name }, body) => void heard.push({ name, body }),
    );
    await broker.publish(accessChangedV1, { keyId: 'key_1' });
    await eventually(() => expect(heard).toEqual([{ name: accessChangedV1.name, body: { keyId: 'key_1' } }]));
    await close();
  });

  it('retries and dead-letters tasks, which the operator can return', async () => {
    const tries: string[] = [];
    handlers.deliver = ({ deliveryId }) => {
      tries.push(deliveryId);
      if (tries.length === 1) throw new Error('once');
      if (tries.length === 2) throw new PermanentError('never');
    };
    await webhooks.broker.enqueue(deliverEventV1, { deliveryId: 'dlv_poison' });
    const operator = { url: rabbit.logins.operator, namespace: '' };
    await eventually(async () =>
      expect(await listDeadLetters(operator, deliverEventV1.name, 10)).toMatchObject([{ reason: 'never' }]),
    );
    expect(await returnDeadLetters(operator, deliverEventV1.name)).toBe(1);
    await eventually(() => expect(tries.length).toBe(3));
  });
});

describe('a login', () => {
  let connection: ChannelModel;
  const other = deliverEventV1.name;
  const own = fetchMediaV1.name;

  beforeAll(async () => {
    connection = await connect(rabbit.logins.messaging);
  });

  afterAll(async () => {
    await connection.close();
  });

  /** Runs the work on a separate channel. @returns `done`, or the AMQP error code */
  async function answerTo(work: (channel: Channel) => Promise<unknown> | boolean): Promise<unknown> {
    const channel = await connection.createChannel();
    const lost = new Promise<unknown>((resolve) =>
      channel.on('error', (error: { code?: number }) => resolve(error.code)),
    );
    const done = (async () => {
      await work(channel);
      // The broker does not respond to a rejected publish, so wait for the response to a later request.
      await channel.checkExchange('amq.direct');
      await channel.close();
      return 'done';
    })();
    return Promise.race([lost, done.catch(() => lost)]);
  }

  const refused: [string, (channel: Channel) => Promise<unknown> | boolean][] = [
    ["consuming another service's queue", (channel) => channel.consume(other, () => undefined)],
    ['getting messages from it', (channel) => channel.get(other)],
    ['reading its dead letters', (channel) => channel.get(`${other}.dlq`)],
    ['purging it', (channel) => channel.purgeQueue(other)],
    ['deleting it', (channel) => channel.deleteQueue(other)],
    ['declaring it', (channel) => channel.assertQueue(other, { durable: true })],
    ['declaring a queue under its name', (channel) => channel.assertQueue('webhooks.listens.v1')],
    [
      "declaring a queue under another service's passing prefix",
      (channel) => channel.assertQueue('sb.passing.webhooks.mine', { exclusive: true }),
    ],
    ['deleting a queue of its own', (channel) => channel.deleteQueue(own)],
    ['publishing to a queue by its name', (channel) => channel.sendToQueue(other, Buffer.from('{}'))],
    ['publishing into its dead letters', (channel) => channel.sendToQueue(`${other}.dlq`, Buffer.from('{}'))],
    ['publishing as another service', (channel) => channel.publish('sb.gateway', verifyCodeV1.name, Buffer.from('{}'))],
    [
      'publishing a broadcast of another service',
      (channel) => channel.publish('sb.broadcasts', accessChangedV1.name, Buffer.from('{}')),
    ],
    ['deleting its own exchange', (channel) => channel.deleteExchange('sb.messaging')],
    ['binding its queue to a foreign exchange', (channel) => channel.bindQueue(own, 'sb.gateway', verifyCodeV1.name)],
    ['adding a binding to its own exchange', (channel) => channel.bindQueue(other, 'sb.messaging', other)],
    ['binding its own exchange to another one', (channel) => channel.bindExchange('sb.messaging', 'sb.gateway', '#')],
  ];

  it.each(refused)('is denied %s', async (_, work) => {
    expect(await answerTo(work)).toBe(403);
  });

  it('may not bind its queue to foreign replies or broadcasts', async () => {
    const passing = async (channel: Channel, exchange: string, key: string): Promise<unknown> => {
      const { queue } = await channel.assertQueue('sb.passing.messaging.mine', { exclusive: true });
      return channel.bindQueue(queue, exchange, key);
    };
    expect(await answerTo((channel) => passing(channel, 'sb.replies', '#'))).toBe(403);
    expect(await answerTo((channel) => passing(channel, 'sb.replies', 'sb.passing.gateway.any'))).toBe(403);
    expect(await answerTo((channel) => passing(channel, 'sb.broadcasts', accessChangedV1.name))).toBe(403);
    expect(await answerTo((channel) => passing(channel, 'sb.replies', 'sb.passing.messaging.mine'))).toBe('done');
    expect(await answerTo((channel) => passing(channel, 'sb.broadcasts', numberCredentialsChangedV1.name))).toBe(
      'done',
    );
  });

  it.each(['CC', 'BCC'])('cannot reach other queues by the %s header or dead-lettering', async (header) => {
    const admin = await connect(rabbit.url);
    const look = await admin.createChannel();
    const before = (await look.checkQueue(other)).messageCount;
    await answerTo((channel) =>
      channel.publish('sb.messaging', 'nowhere', Buffer.from('{}'), { [header]: [other, `${other}.dlq`] }),
    );
    await answerTo(async (channel) => {
      const options = {
        exclusive: true,
        messageTtl: 1,
        deadLetterExchange: 'sb.messaging',
        deadLetterRoutingKey: other,
      };
      await channel.assertQueue('sb.passing.messaging.sly', options);
      await channel.bindQueue('sb.passing.messaging.sly', 'sb.replies', 'sb.passing.messaging.sly');
      channel.publish('sb.replies', 'sb.passing.messaging.sly', Buffer.from('{}'));
      await eventually(async () => expect((await channel.checkQueue('sb.passing.messaging.sly')).messageCount).toBe(0));
    });
    expect((await look.checkQueue(other)).messageCount).toBe(before);
    await admin.close();
    expect(
      await answerTo((channel) =>
        channel.assertQueue('sb.passing.messaging.slyer', { exclusive: true, deadLetterExchange: '' }),
      ),
    ).toBe(403);
  });
});
