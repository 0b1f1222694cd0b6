import 'reflect-metadata';
import { prepareBroker } from '@switchboard/broker';
import {
  ALL_CONTRACTS,
  deadLetterQueueOf,
  FAILURE_DELAYS_SECONDS,
  type MessageStatusChangedV2,
  messageStatusChangedV2,
  newId,
  queueOf,
  SERVICES,
  upstreamMessagesReceivedV1,
  waitQueueOf,
} from '@switchboard/contracts';
// eslint-disable-next-line no-restricted-imports -- the webhooks service's queue is counted without that service
import { type Channel, connect, type ConsumeMessage } from 'amqplib';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { dropBenchDatabase } from './harness/database';
import { cpuSecondsOf, middleLap, round } from './harness/figures';
import { inForm } from './harness/form';
import { serviceStarted } from './harness/installation';
import { brokerOf } from './harness/broker';
import type { BenchOptions } from './harness/options';
import { FLOOR_UPDATE, PHONE_NUMBER_ID, prepareDatabase } from './status-database';

const MESSAGES = inForm(20_000, 5_000);
const STATUSES = ['sent', 'delivered', 'read'] as const;
/** Numbers of statuses per callback. Upstream sends most of them individually and batches many under load. */
const PER_CALLBACK = [1, 20] as const;
const CONNECTIONS = 10;

export const about = {
  measures: 'statuses of the platform, applied and published',
  floor: 'one UPDATE per status on a plain table, over ten connections, in `bench/status.ts`',
};

interface Lap {
  perSecond: number;
  cpuMicrosPerUnit: number;
}

interface Figure extends Lap {
  name: string;
  ratio?: number;
}

/**
 * Compares the unmodified service, which applies statuses and publishes their events, with one UPDATE per status on a
 * plain table over as many connections. Rounds are interleaved; results are medians. The callbacks are queued before
 * the measurement starts.
 */
export default async function measure(options: BenchOptions): Promise<Figure[]> {
  const laps: Record<string, Lap[]> = { 'floor: one UPDATE per status': [] };
  for (const size of PER_CALLBACK) {
    const { url, ids } = await prepareDatabase(options.databaseUrl, MESSAGES);
    const bench = await openBench(options, url);
    const name = `ours: ${size} per callback`;
    for (const status of STATUSES) {
      const ours = await bench.lapOurs(ids, status, size);
      const floor = await bench.lapFloor(ids, status);
      options.log(`${status}: ${name}: ${ours.perSecond}/s, floor: ${floor.perSecond}/s`);
      (laps[name] ??= []).push(ours);
      laps['floor: one UPDATE per status']?.push(floor);
    }
    await bench.close();
    await dropBenchDatabase(options.databaseUrl, url);
  }
  const floor = middleLap(laps['floor: one UPDATE per status'] ?? []);
  return Object.entries(laps).map(([name, all]) => {
    const figure = { name, ...middleLap(all) };
    return name.startsWith('floor') ? figure : { ...figure, ratio: round(figure.perSecond / floor.perSecond) };
  });
}

interface Bench {
  lapOurs(ids: readonly string[], status: string, size: number): Promise<Lap>;
  lapFloor(ids: readonly string[], status: string): Promise<Lap>;
  close(): Promise<void>;
}

async function openBench({ rabbitmqUrl, programs, profileDir }: BenchOptions, databaseUrl: string): Promise<Bench> {
  const namespace = `bench-${randomBytes(4).toString('hex')}`;
  const env = serviceSettings(databaseUrl, rabbitmqUrl, namespace);
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir];
  const start = () => startService([...profiling, join(programs, 'status-service.mjs')], env);
  await prepareBroker({ adminUrl: rabbitmqUrl, namespace, loginUrls: {} });
  const connection = await connect(rabbitmqUrl);
  const channel = await connection.createChannel();
  const queue = `${namespace}.${queueOf(messageStatusChangedV2, 'webhooks')}`;
  const broker = brokerOf('gateway', rabbitmqUrl, namespace);
  await broker.connect();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, options: '-c search_path=messaging' });
  return {
    lapOurs: async (ids, status, size) => {
      await Promise.all(callbacksOf(ids, status, size).map((body) => broker.publish(upstreamMessagesReceivedV1, body)));
      await channel.purgeQueue(queue);
      const service = await start();
      const lap = await countEvents(channel, queue, service);
      await stopService(service);
      return lap;
    },
    lapFloor: (ids, status) => updateOneByOne(pool, ids, status),
    close: async () => {
      await pool.end();
      await broker.close();
      for (const name of queuesOf(namespace)) await channel.deleteQueue(name);
      await connection.close();
    },
  };
}

/** Returns every queue that the service may have declared. */
function queuesOf(namespace: string): string[] {
  const queues = ALL_CONTRACTS.flatMap((contract) =>
    SERVICES.map((service) => ({
      name: queueOf(contract, service),
      delays: contract.kind === 'task' ? contract.delaysSeconds : [],
    })),
  );
  return queues.flatMap(({ name, delays }) =>
    [
      name,
      deadLetterQueueOf(name),
      ...[...FAILURE_DELAYS_SECONDS, ...delays].map((seconds) => waitQueueOf(name, seconds)),
    ].map((each) => `${namespace}.${each}`),
  );
}

function callbacksOf(ids: readonly string[], status: string, size: number) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return Array.from({ length: Math.ceil(ids.length / size) }, (_unused, index) => ({
    callbackId: newId('cb'),
    wabaId: '100000000000001',
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: PHONE_NUMBER_ID },
      statuses: ids
        .slice(index * size, (index + 1) * size)
        .map((id) => ({ id: `wamid.${id}`, status, timestamp, biz_opaque_callback_data: id })),
    },
  }));
}

/** Measures from the first events to the last, which excludes the startup of the service. */
async function countEvents(channel: Channel, queue: string, service: ChildProcess): Promise<Lap> {
  let [count, first, startedAt, cpu] = [0, 0, 0, 0];
  return new Promise((resolve, reject) => {
    const take = (message: ConsumeMessage | null): void => {
      if (message === null) return reject(new Error('the queue is gone'));
      count += (JSON.parse(message.content.toString()) as MessageStatusChangedV2).changes.length;
      if (first === 0) [first, startedAt, cpu] = [count, performance.now(), cpuSecondsOf(service.pid)];
      if (count < MESSAGES) return;
      const seconds = (performance.now() - startedAt) / 1_000;
      const used = cpuSecondsOf(service.pid) - cpu;
      const lap = {
        perSecond: Math.round((count - first) / seconds),
        cpuMicrosPerUnit: Math.round((used * 1e6) / (count - first)),
      };
      channel.cancel(message.fields.consumerTag).then(() => resolve(lap), reject);
    };
    channel.consume(queue, take, { noAck: true }).catch(reject);
  });
}

async function updateOneByOne(pool: pg.Pool, ids: readonly string[], status: string): Promise<Lap> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < ids.length) {
      const id = ids[(next += 1) - 1] ?? '';
      await pool.query({ name: 'floor', text: FLOOR_UPDATE, values: [`wamid.${id}`, status, new Date()] });
    }
  };
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: Math.round(ids.length / seconds), cpuMicrosPerUnit: Math.round((user + system) / ids.length) };
}

function serviceSettings(databaseUrl: string, rabbitmqUrl: string, namespace: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    RABBITMQ_URL: rabbitmqUrl,
    BROKER_NAMESPACE: namespace,
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'info',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    UPSTREAM_BASE_URL: 'http://127.0.0.1:9',
  };
}

async function startService(args: readonly string[], env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await serviceStarted(child.stdout);
  return child;
}

async function stopService(service: ChildProcess): Promise<void> {
  service.kill('SIGTERM');
  if (service.exitCode === null) await once(service, 'exit');
}
