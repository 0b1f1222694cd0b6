import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { CpuShares } from './harness/cpu-share';
import { cpuSecondsOf, middleLap, round } from './harness/figures';
import { inForm } from './harness/form';
import { control, type Installation, seedDemo, startInstallation } from './harness/installation';
import { inLanes } from './harness/load';
import type { BenchOptions } from './harness/options';

/** Services that every message passes through. */
const SERVICES = ['gateway', 'messaging', 'webhooks'];
const THIRD = 1 / 3;
/**
 * CPU share of each process. It is small, so that four processes leave room for the other services, the database, the
 * broker and the load generator. With an even smaller share, a process handles the broker's heartbeat too late and
 * considers the broker lost.
 */
const SMALL = 0.15;
const REPLICAS = [1, 2, 4];
const ROUNDS = inForm(3, 1);
const SENDS_OF_A_THIRD = inForm(900, 300);
/** Number of sends per process. */
const SENDS_OF_SMALL = inForm(250, 80);
const IN_FLIGHT_OF_A_THIRD = 50;
/**
 * Number of concurrent sends per process. It is low, because a command that is not accepted within 1.5 s is rejected.
 */
const IN_FLIGHT_OF_SMALL = 8;
/**
 * Maximum concurrent requests to the endpoint. With the default of ten, the endpoint limits the throughput and not the
 * processes (ADR 93).
 */
const IN_FLIGHT_AT_ENDPOINT = '100';
/** Statuses: sent, delivered and read. */
const EVENTS_PER_SEND = 3;
const CONTACTS = Array.from({ length: 50 }, (_unused, index) => String(919812345600 + index));
const VERIFY_TOKEN = 'scale';
const READY_TIMEOUT_MS = 120_000;
const TOLD_TIMEOUT_MS = 300_000;

export const about = {
  measures:
    'sends with three callbacks and three webhooks each, until the last webhook. One service gets a third of a core, then two and four processes with a small share each',
  floor: 'one process of the service with the same share. Perfect scaling gives ratios of 2 and 4',
};

interface Figure {
  name: string;
  perSecond: number;
  /** CPU time of the limited processes. */
  cpuSecondsPer1000: number;
  ratio?: number;
}

/** Functions of `tools/chaos/installation.mjs` that only this benchmark uses. */
interface Scaled extends Installation {
  addReplica(name: string): void;
  removeReplica(name: string): Promise<void>;
  takesWork(name: string): Promise<boolean>;
  portOf(name: string): number;
}

interface Work {
  gateways: number;
  sends: number;
  inFlight: number;
  /** Processes whose CPU time counts. */
  pids?: number[];
}

const OF_A_THIRD: Work = { gateways: 1, sends: SENDS_OF_A_THIRD, inFlight: IN_FLIGHT_OF_A_THIRD };

interface Load {
  installation: Scaled;
  headers: Record<string, string>;
  told: { events: number };
}

/**
 * Measures how the throughput grows with the number of processes, and what each service achieves on a third of a core.
 */
export default async function measure({ log }: BenchOptions): Promise<Figure[]> {
  const installation = (await startInstallation('scale', {
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_CONCURRENCY_PER_ENDPOINT: IN_FLIGHT_AT_ENDPOINT,
  })) as Scaled;
  const receiver = await startReceiver();
  try {
    const load = await openLoad(installation, receiver);
    await lap(load, OF_A_THIRD);
    const thirds: Figure[] = [];
    for (const service of SERVICES) {
      const figure = await withThird(load, service);
      log(`${figure.name}: ${figure.perSecond}/s`);
      thirds.push(figure);
    }
    const further: Figure[] = [];
    for (const service of SERVICES) further.push(...(await withReplicas(load, service, log)));
    return [...thirds, ...further];
  } finally {
    await installation.stop();
    receiver.close();
  }
}

/** Runs one process of the service on a third of a core, while the other services are not limited. */
async function withThird(load: Load, service: string): Promise<Figure> {
  const shares = new CpuShares();
  const pid = load.installation.pids()[service] ?? 0;
  shares.limit(pid, THIRD);
  try {
    const laps: Omit<Figure, 'name'>[] = [];
    for (let turn = 0; turn < ROUNDS; turn += 1) laps.push(await lap(load, { ...OF_A_THIRD, pids: [pid] }));
    return { name: `${service} with a third of a core`, ...middleLap(laps) };
  } finally {
    shares.end();
  }
}

/**
 * Runs one, two and four processes of the service, each with a small share, while the other services are not limited.
 */
async function withReplicas(load: Load, service: string, log: (text: string) => void): Promise<Figure[]> {
  const laps = new Map(REPLICAS.map((count) => [count, [] as Omit<Figure, 'name'>[]]));
  for (let turn = 0; turn < ROUNDS; turn += 1)
    for (const count of REPLICAS) {
      const result = await lapWithReplicas(load, service, count);
      log(`${count} of ${service}: ${result.perSecond}/s`);
      laps.get(count)?.push(result);
    }
  const middles = REPLICAS.map((count) => middleLap(laps.get(count) ?? []));
  return middles.map((figure, index) => {
    const count = REPLICAS[index] ?? 1;
    const ratio = count > 1 && { ratio: round(figure.perSecond / (middles[0]?.perSecond ?? NaN)) };
    return { name: `${service}: ${count} with ${SMALL} cores each`, ...figure, ...ratio };
  });
}

/** Starts processes without a limit, and limits them once they are ready. */
async function lapWithReplicas(load: Load, service: string, count: number): Promise<Omit<Figure, 'name'>> {
  const { installation } = load;
  const further = Array.from({ length: count - 1 }, (_unused, index) => `${service}-${index + 2}`);
  further.forEach((name) => installation.addReplica(name));
  for (const name of further) await untilReady(installation, name);
  const pids = [service, ...further].map((name) => installation.pids()[name] ?? 0);
  const gateways = service === 'gateway' ? count : 1;
  const work = { gateways, sends: SENDS_OF_SMALL * count, inFlight: IN_FLIGHT_OF_SMALL * count, pids };
  // Warm up new processes, because they compile their code first.
  await lap(load, work);
  const shares = new CpuShares();
  for (const pid of pids) shares.limit(pid, SMALL);
  try {
    return await lap(load, work);
  } finally {
    shares.end();
    for (const name of further) await installation.removeReplica(name);
  }
}

/** Sends messages through the gateways with the given concurrency, until the last webhook has arrived. */
async function lap(
  { installation, headers, told }: Load,
  { gateways, sends, inFlight, pids = [] }: Work,
): Promise<Omit<Figure, 'name'>> {
  const origins = ['gateway', 'gateway-2', 'gateway-3', 'gateway-4'].slice(0, gateways);
  const pools = origins.map(
    (name) => new Pool(`http://127.0.0.1:${installation.portOf(name)}`, { connections: inFlight }),
  );
  const cpu = cpuSecondsOf(...pids);
  const before = told.events;
  const startedAt = performance.now();
  await inLanes(sends, inFlight, async (n) => {
    const body = JSON.stringify({ to: CONTACTS[n % CONTACTS.length], type: 'text', text: { body: 'Your order' } });
    const pool = pools[n % pools.length] as Pool;
    const answer = await pool.request({ path: '/v1/messages/send', method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a send was answered ${answer.statusCode}: ${text}`);
  });
  await untilTrue(() => told.events >= before + sends * EVENTS_PER_SEND, 'every webhook', TOLD_TIMEOUT_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = cpuSecondsOf(...pids) - cpu;
  await Promise.all(pools.map((pool) => pool.close()));
  return { perSecond: round(sends / seconds), cpuSecondsPer1000: round((cpuSeconds / sends) * 1_000) };
}

async function openLoad(installation: Scaled, receiver: Receiver): Promise<Load> {
  const { apiKey, accountId } = await seedDemo(installation);
  const endpoint = ['--url', receiver.url, '--verify-token', VERIFY_TOKEN];
  await installation.ops('webhooks', 'set', '--account', accountId, ...endpoint);
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const before = receiver.told.events;
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  // A service window is open once the webhook for its message has arrived.
  await untilTrue(() => receiver.told.events >= before + CONTACTS.length, 'the windows', READY_TIMEOUT_MS);
  return { installation, headers, told: receiver.told };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a webhook receiver that passes the verification challenge and counts events. */
async function startReceiver(): Promise<{ url: string; told: { events: number }; close(): void }> {
  const told = { events: 0 };
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://receiver').searchParams.get('hub.challenge');
    if (request.method === 'POST') told.events += 1;
    request.resume().on('end', () => response.end(challenge ?? 'ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, told, close };
}

function untilReady(installation: Scaled, name: string): Promise<void> {
  return untilTrue(() => installation.takesWork(name), `${name} to take work`, READY_TIMEOUT_MS);
}

async function untilTrue(isTrue: () => boolean | Promise<boolean>, what: string, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > until) throw new Error(`waited in vain for ${what}`);
    await delay(10);
  }
}
