import 'reflect-metadata';
import type { Broker } from '@switchboard/broker';
import { messageStatusChangedV1, messageStatusChangedV2, newId, setEndpointV1 } from '@switchboard/contracts';
import { inTransit, SecretBox } from '@switchboard/platform';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrations } from '../apps/webhooks/src/migrations';
import { startPrivateRedis } from '../tools/infra/redis.mjs';
import { SERVICE_FLAGS } from '../tools/lib/services.mjs';
import { createBenchDatabase, dropBenchDatabase } from './harness/database';
import { serviceStarted } from './harness/installation';
import { measureClaims } from './webhooks-claims';
import { type Contender, openBullMq, openGraphileWorker, openPgBoss, type Start } from './webhooks-floors';
import { cpuSecondsOf, memoryOf, middleLap, p50AndP99, round, throughputRatio } from './harness/figures';
import { inForm } from './harness/form';
import { brokerOf } from './harness/broker';
import type { BenchOptions } from './harness/options';

const ROUNDS = inForm(5, 3);
/** Program that runs the webhooks service itself. */
const SERVICE = 'webhooks-service';
const ENDPOINTS = 150;
const EVENTS = inForm(5_000, 2_000);
/** Maximum number of concurrent requests per process, for the service and the baselines. */
const IN_FLIGHT = 450;
/** Events per second during the latency measurement. */
const PACE = 200;
const PACED_SECONDS = inForm(30, 10);
const TABLES = { schema: 'webhooks', migrations };
const NO_TABLES = { schema: 'webhooks', migrations: [] };
const FLOOR = 'deliver: BullMQ + undici, no log';
const OURS = 'deliver: ours';
const OURS_TWICE = 'deliver: ours, two processes';
const ONE_ENDPOINT = 'one endpoint: ours';
const ONE_ENDPOINT_TWICE = 'one endpoint: ours, two processes';
const KEY = randomBytes(32).toString('base64');
const box = new SecretBox({ ENCRYPTION_KEY: KEY });

export const about = {
  measures: 'deliveries to 150 endpoints, including signing, logging and retry state',
  floor:
    '`bench/webhooks-floor.ts`, BullMQ on Redis with undici and without a log. For comparison, pg-boss and graphile-worker store their jobs in PostgreSQL',
};

interface Figure {
  name: string;
  perSecond: number;
  /** Time from the event's publication to its arrival at the receiver. */
  p50Ms?: number;
  p99Ms?: number;
  cpuSecondsPer1000?: number;
  peakMegabytes?: number;
  ratio?: number;
}

/**
 * Measures deliveries per second, from a full queue (events in RabbitMQ, jobs in Redis or PostgreSQL) to the receiver's
 * 200. Compares the dispatcher, with storage, log, retry state and SSRF guard, with workers that have none of these.
 * Rounds are interleaved; results are medians. Repeats this with two processes of the dispatcher, and with all events
 * for one endpoint. Then measures the dispatcher's latency at a constant rate, without and with an endpoint that never
 * responds.
 */
export default async function measure({
  rabbitmqUrl,
  databaseUrl,
  programs,
  log,
  profileDir,
}: BenchOptions): Promise<Figure[]> {
  const children: ChildProcess[] = [];
  const start: Start = async (program, args, env = {}) => {
    const profiling = profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir];
    const child = spawn(process.execPath, [...SERVICE_FLAGS, ...profiling, join(programs, `${program}.mjs`), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    if (program === SERVICE) {
      await serviceStarted(child.stdout);
      return { pid: child.pid ?? 0, line: '' };
    }
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    child.stdout.resume();
    return { pid: child.pid ?? 0, line: line.toString().trim() };
  };
  const { line: receiver } = await start('webhooks-receiver', []);
  const dir = mkdtempSync(join(tmpdir(), 'switchboard-bench-'));
  const redis = await startPrivateRedis({ dir, port: await freePort(), log });
  const database = await createBenchDatabase(databaseUrl, TABLES);
  const bossDatabase = await createBenchDatabase(databaseUrl, NO_TABLES);
  const graphileDatabase = await createBenchDatabase(databaseUrl, NO_TABLES);
  const namespace = `bench-${randomUUID().slice(0, 8)}`;
  const broker = brokerOf('messaging', rabbitmqUrl, namespace);
  const gateway = brokerOf('gateway', rabbitmqUrl, namespace);
  try {
    const options = { receiver, endpoints: ENDPOINTS, inFlight: IN_FLIGHT, start };
    const bullMq = await openBullMq(redis.url, options);
    const floors = {
      [FLOOR]: bullMq,
      'deliver: pg-boss + undici, no log': await openPgBoss(bossDatabase, options),
      'deliver: graphile-worker + undici, no log': await openGraphileWorker(graphileDatabase, options),
    };
    const ours = await openOurs({ broker, gateway, rabbitmqUrl, database, namespace, receiver }, start);
    const one = await rounds({ ...floors, [OURS]: ours, [ONE_ENDPOINT]: ours.toOneEndpoint }, { receiver, log });
    const pair = await ours.startSecond();
    const two = await rounds(
      { [FLOOR]: bullMq, [OURS_TWICE]: pair, [ONE_ENDPOINT_TWICE]: pair.toOneEndpoint },
      { receiver, log },
    );
    await end(children.pop() as ChildProcess);
    for (const floor of Object.values<Contender>(floors)) await floor.close?.();
    const alone = await paced('steady: ours', ours, receiver);
    const bad = await ours.addBlackHole();
    const beside = await paced(
      'steady: ours, beside a black hole',
      { ...ours, produce: (count) => Promise.all([ours.produce(count), bad()]).then(() => undefined) },
      receiver,
    );
    return [
      ...Object.keys(floors).map((name) => middleLap(one(name))),
      { ...middleLap(one(OURS)), ratio: throughputRatio(one(OURS), one(FLOOR)) },
      { ...middleLap(two(OURS_TWICE)), ratio: throughputRatio(two(OURS_TWICE), two(FLOOR)) },
      middleLap(one(ONE_ENDPOINT)),
      { ...middleLap(two(ONE_ENDPOINT_TWICE)), ratio: throughputRatio(two(ONE_ENDPOINT_TWICE), one(ONE_ENDPOINT)) },
      alone,
      { ...beside, ratio: round((beside.p99Ms ?? NaN) / (alone.p99Ms ?? NaN)) },
      ...(await claimsOnTheirOwn(databaseUrl)),
    ];
  } finally {
    await Promise.all(children.map(end));
    await Promise.all([broker.close(), gateway.close()]);
    await redis.stop();
    for (const url of [database, bossDatabase, graphileDatabase]) await dropBenchDatabase(databaseUrl, url);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Terminates a program, and kills it when it does not exit. */
async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
  await ended;
  clearTimeout(timer);
}

async function claimsOnTheirOwn(serverUrl: string): Promise<Figure[]> {
  const databases = [
    await createBenchDatabase(serverUrl, TABLES),
    await createBenchDatabase(serverUrl, TABLES),
    await createBenchDatabase(serverUrl, TABLES),
  ];
  try {
    return await measureClaims(databases);
  } finally {
    for (const database of databases) await dropBenchDatabase(serverUrl, database);
  }
}

interface Ours {
  broker: Broker;
  /** Broker connection of the gateway, because messaging may not configure endpoints. */
  gateway: Broker;
  rabbitmqUrl: string;
  database: string;
  namespace: string;
  receiver: string;
}

interface Service extends Contender {
  /** The same dispatcher with all events for one endpoint. */
  toOneEndpoint: Contender;
}

async function openOurs(
  { broker, gateway, rabbitmqUrl, database, namespace, receiver }: Ours,
  start: Start,
): Promise<Service & { startSecond(): Promise<Service>; addBlackHole(): Promise<() => Promise<void>> }> {
  const env = {
    DATABASE_URL: database,
    RABBITMQ_URL: rabbitmqUrl,
    BROKER_NAMESPACE: namespace,
    ENCRYPTION_KEY: KEY,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'info',
    WEBHOOK_CONCURRENCY: String(IN_FLIGHT),
  };
  const { pid } = await start(SERVICE, [], env);
  await Promise.all([broker.connect(), gateway.connect()]);
  const addAccount = async (path: string): Promise<string> => {
    const accountId = newId('acc');
    const sealedVerifyToken = box.seal('token', inTransit(setEndpointV1, 'sealedVerifyToken', accountId));
    await gateway.request(
      setEndpointV1,
      { accountId, url: `${receiver}/${path}`, sealedVerifyToken },
      { timeoutMs: 20_000 },
    );
    return accountId;
  };
  const report = (accountId: string): Promise<void> => {
    const id = newId('msg');
    const timestamp = new Date().toISOString();
    const change = { ...messageStatusChangedV1.sample, id, upstreamId: `wamid.${id}`, accountId, timestamp };
    return broker.publish(messageStatusChangedV2, { changes: [change] });
  };
  const accounts: string[] = [];
  // Run sequentially, because parallel calls wait too long for connections on a busy machine.
  for (let n = 0; n < ENDPOINTS; n += 1) accounts.push(await addAccount(String(n)));
  const produce = async (count: number, endpoints: number): Promise<void> => {
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < count) await report(accounts[next++ % endpoints] ?? '');
    };
    await Promise.all(Array.from({ length: 200 }, lane));
  };
  const serviceOf = (...pids: number[]): Service => ({
    pids,
    produce: (count) => produce(count, ENDPOINTS),
    toOneEndpoint: { pids, produce: (count) => produce(count, 1) },
  });
  return {
    ...serviceOf(pid),
    startSecond: async () => serviceOf(pid, (await start(SERVICE, [], env)).pid),
    addBlackHole: async () => {
      const accountId = await addAccount('black-hole');
      for (let n = 0; n < 500; n += 1) await report(accountId);
      return () => report(accountId);
    },
  };
}

/** Runs laps of all contenders in alternation. @returns the laps of one contender, in the order of the rounds */
async function rounds(
  contenders: Record<string, Contender>,
  { receiver, log }: { receiver: string; log(text: string): void },
): Promise<(name: string) => Figure[]> {
  const laps = new Map(Object.keys(contenders).map((name) => [name, [] as Figure[]]));
  for (const contender of Object.values(contenders)) await lap('warm-up', contender, receiver, EVENTS / 2);
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    for (const [name, contender] of Object.entries(contenders))
      laps.get(name)?.push(await lap(name, contender, receiver, EVENTS));
    const rates = [...laps].map(([name, all]) => `${name} ${all.at(-1)?.perSecond}/s`);
    log(`round ${turn}: ${rates.join('; ')}`);
  }
  return (name) => laps.get(name) ?? [];
}

/** Fills the queue while the dispatcher is stopped, then measures until the receiver has every event. */
async function lap(name: string, { pids, produce }: Contender, receiver: string, count: number): Promise<Figure> {
  await ask(receiver, '_ages');
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await produce(count);
  const cpu = cpuSecondsOf(...pids);
  const startedAt = performance.now();
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  await ask(receiver, `_reached?count=${count}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = cpuSecondsOf(...pids) - cpu;
  return {
    name,
    perSecond: Math.round(count / seconds),
    cpuSecondsPer1000: round((used / count) * 1_000),
    peakMegabytes: Math.max(...pids.map((pid) => memoryOf(pid).peakMb)),
  };
}

/** Publishes events at a low constant rate. */
async function paced(name: string, contender: Contender, receiver: string): Promise<Figure> {
  await delay(2_000);
  await ask(receiver, '_ages');
  const startedAt = performance.now();
  for (let step = 1; step <= PACED_SECONDS * 20; step += 1) {
    await contender.produce(PACE / 20);
    await delay(Math.max(0, startedAt + step * 50 - performance.now()));
  }
  await ask(receiver, `_reached?count=${PACE * PACED_SECONDS}`);
  return { name, perSecond: PACE, ...p50AndP99(JSON.parse(await ask(receiver, '_ages')) as number[]) };
}

async function ask(receiver: string, path: string): Promise<string> {
  return (await fetch(`${receiver}/${path}`)).text();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
