import 'reflect-metadata';
import { type CommandQueueType, createBroker } from '@switchboard/broker';
import { deliverEventV1, getJobV1 } from '@switchboard/contracts';
import { createLogger } from '@switchboard/platform';
// eslint-disable-next-line no-restricted-imports -- the floor is bare amqplib
import { connect } from 'amqplib';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { middleLap, p50AndP99, throughputRatio } from './harness/figures';
import { inForm } from './harness/form';
import { inLanes } from './harness/load';
import type { BenchOptions } from './harness/options';

const ROUNDS = inForm(5, 3);
const ASKS = inForm(10_000, 3_000);
const ASK_CONCURRENCY = 50;
const MESSAGES = inForm(20_000, 6_000);
const PUBLISH_IN_FLIGHT = 500;
const BODY = 'x'.repeat(1_000);

export const about = {
  measures: 'the throughput of commands and of tasks published with confirms over RabbitMQ',
  floor: 'amqplib without the broker library, in `bench/broker.ts`',
};

interface Figure {
  name: string;
  perSecond: number;
  cpuMicrosPerUnit: number;
  p50Ms: number;
  p99Ms: number;
  ratio?: number;
}

interface Lap {
  perSecond: number;
  cpuMicrosPerUnit: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Compares requests and confirmed publishes of the broker library with the same operations by bare amqplib. Rounds are
 * interleaved; results are medians.
 */
export default async function measure({ rabbitmqUrl: url, programs, log }: BenchOptions): Promise<Figure[]> {
  const namespace = `bench-${randomUUID().slice(0, 8)}`;
  const ours = await openOurs(url, namespace, 'classic');
  const onQuorum = await openOurs(url, `${namespace}-q`, 'quorum');
  const raw = await openRaw(url, namespace);
  const answerers = [
    await startAnswerer(programs, 'classic', url, namespace),
    await startAnswerer(programs, 'quorum', url, `${namespace}-q`),
    await startAnswerer(programs, 'raw', url, namespace),
  ];
  const contenders = {
    'request: bare amqplib': () => lap(ASKS, ASK_CONCURRENCY, raw.request),
    'request: ours': () => lap(ASKS, ASK_CONCURRENCY, ours.request),
    'request: ours, quorum queues': () => lap(ASKS, ASK_CONCURRENCY, onQuorum.request),
    'publish: bare amqplib': () => lap(MESSAGES, PUBLISH_IN_FLIGHT, raw.publish),
    'publish: ours': () => lap(MESSAGES, PUBLISH_IN_FLIGHT, ours.publish),
  };
  const laps = new Map<string, Lap[]>(Object.keys(contenders).map((name) => [name, []]));
  for (const each of [raw, ours, onQuorum]) await lap(2_000, ASK_CONCURRENCY, each.request);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const result = await run();
      laps.get(name)?.push(result);
      log(`round ${round}: ${name}: ${result.perSecond}/s`);
      await raw.purge();
    }
  }
  for (const answerer of answerers) answerer.kill();
  await raw.close();
  await ours.close();
  await onQuorum.close();
  const medians = [...laps].map(([name, results]): Figure => ({ name, ...middleLap(results) }));
  return medians.map((figure) => {
    const floor = figure.name.replace(/: .*/, ': bare amqplib');
    return floor === figure.name
      ? figure
      : { ...figure, ratio: throughputRatio(laps.get(figure.name) ?? [], laps.get(floor) ?? []) };
  });
}

interface Contender {
  request(): Promise<unknown>;
  publish(): Promise<unknown>;
  close(): Promise<unknown>;
}

async function openOurs(url: string, namespace: string, commandQueues: CommandQueueType): Promise<Contender> {
  const options = { url, namespace, commandQueues, logger: createLogger('gateway', 'error') };
  const [broker, sender] = [
    createBroker({ service: 'gateway', ...options }),
    createBroker({ service: 'webhooks', ...options }),
  ];
  await Promise.all([broker.connect(), sender.connect()]);
  return {
    request: () => broker.request(getJobV1, { accountId: 'acc_bench', jobId: BODY }),
    publish: () => sender.enqueue(deliverEventV1, { deliveryId: BODY }),
    close: () => Promise.all([broker.close(), sender.close()]),
  };
}

async function openRaw(url: string, namespace: string): Promise<Contender & { purge(): Promise<void> }> {
  const connection = await connect(url, { noDelay: true });
  const asking = await connection.createChannel();
  const confirming = await connection.createConfirmChannel();
  const waiting = new Map<string, (reply: unknown) => void>();
  const queue = `${namespace}.raw-tasks`;
  await confirming.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await asking.consume(
    'amq.rabbitmq.reply-to',
    (reply) => {
      const id = String(reply?.properties.correlationId);
      waiting.get(id)?.(JSON.parse(String(reply?.content)));
      waiting.delete(id);
    },
    { noAck: true },
  );
  return {
    request: () =>
      new Promise((resolve) => {
        const correlationId = randomUUID();
        waiting.set(correlationId, resolve);
        const content = Buffer.from(JSON.stringify({ accountId: 'acc_bench', jobId: BODY }));
        asking.sendToQueue(`${namespace}.raw`, content, { correlationId, replyTo: 'amq.rabbitmq.reply-to' });
      }),
    publish: () =>
      new Promise((resolve, reject) => {
        const content = Buffer.from(JSON.stringify({ deliveryId: BODY }));
        confirming.sendToQueue(queue, content, { persistent: true, messageId: randomUUID() }, (error: unknown) =>
          error ? reject(error) : resolve(undefined),
        );
      }),
    purge: async () => {
      for (const name of [queue, `${namespace}.${deliverEventV1.name}`]) await confirming.purgeQueue(name);
    },
    close: async () => {
      await confirming.deleteQueue(queue);
      await connection.close();
    },
  };
}

async function startAnswerer(
  programs: string,
  kind: string,
  url: string,
  namespace: string,
): Promise<{ kill(): void }> {
  const child = spawn(process.execPath, [join(programs, 'broker-answerer.mjs'), kind, url, namespace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { kill: () => child.kill() };
}

/** Runs a unit of work `count` times with the given concurrency. */
async function lap(count: number, concurrency: number, unit: () => Promise<unknown>): Promise<Lap> {
  const waits: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await inLanes(count, concurrency, async () => {
    const at = performance.now();
    await unit();
    waits.push(performance.now() - at);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: Math.round(count / seconds),
    cpuMicrosPerUnit: Math.round((user + system) / count),
    ...p50AndP99(waits),
  };
}
