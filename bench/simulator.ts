import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuSecondsOf, memoryOf, p50AndP99, round } from './harness/figures';
import { inForm } from './harness/form';
import type { BenchOptions } from './harness/options';

const TOKEN = 'bench-token';
const SENDS_PATH = '/v24.0/200000000000002/messages';
const IN_FLIGHT = 64;
const WARM_UP_MS = inForm(3_000, 1_500);
const MEASURED_MS = inForm(12_000, 5_000);
const CUSTOMERS = 10_000;

export const about = {
  measures: 'sends to the simulator with three callbacks each',
  floor: '`bench/simulator-floor.ts`, a Fastify server that parses requests and responds. The ratio is of CPU',
};

interface Figure {
  name: string;
  perSecond: number;
  /** CPU time of the simulator alone, including its callbacks. */
  cpuMicrosPerUnit: number;
  /** Number of sends per second that one core can handle at this cost. */
  perCorePerSecond: number;
  p50Ms: number;
  p99Ms: number;
  residentMegabytes: number;
  /** Number of updates received per send; three when all callbacks keep up. */
  updatesPerSend?: number;
  /** CPU time relative to the baseline. */
  ratio?: number;
}

/**
 * Compares sends to the simulator, including three callbacks per send, with a bare Fastify server that parses and
 * responds.
 */
export default async function benchSimulator({ programs, log }: BenchOptions): Promise<Figure[]> {
  const bundled = spawnSync(process.execPath, ['tools/bundle.mjs', 'apps/simulator'], { stdio: 'inherit' });
  if (bundled.status !== 0) throw new Error('the simulator could not be bundled');
  const receiver = await startReceiver();
  try {
    log('floor: bare Fastify');
    const floor = await measure('floor: bare Fastify', { program: join(programs, 'simulator-floor.mjs'), receiver });
    log('simulator');
    const ours = await measure('simulator', { program: 'dist/apps/simulator/main.mjs', receiver });
    return [floor, { ...ours, ratio: round(ours.cpuMicrosPerUnit / floor.cpuMicrosPerUnit) }];
  } finally {
    receiver.server.close();
    receiver.server.closeAllConnections();
  }
}

interface CallbackReceiver {
  server: Server;
  url: string;
  updates: number;
}

/** Starts a receiver that counts the statuses in callbacks without parsing them. */
async function startReceiver(): Promise<CallbackReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receiver.updates += Buffer.concat(chunks).toString('latin1').split('"recipient_id"').length - 1;
      response.end();
    });
  });
  const receiver: CallbackReceiver = { server, url: '', updates: 0 };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks/upstream`;
  return receiver;
}

async function measure(
  name: string,
  { program, receiver }: { program: string; receiver: CallbackReceiver },
): Promise<Figure> {
  const port = 40_000 + Math.floor(Math.random() * 10_000);
  const child = start(program, port, receiver.url);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: IN_FLIGHT });
  try {
    await untilUp(pool);
    await load(pool, WARM_UP_MS);
    const before = { cpu: cpuSecondsOf(child.pid) * 1_000_000, updates: receiver.updates, at: performance.now() };
    const latencies = await load(pool, MEASURED_MS);
    // Statuses arrive up to 0.8 s after their send. Late ones from before the lap compensate for those still pending at
    // its end.
    const cpu = cpuSecondsOf(child.pid) * 1_000_000 - before.cpu;
    const seconds = (performance.now() - before.at) / 1_000;
    const cpuMicrosPerUnit = Math.round(cpu / latencies.length);
    return {
      name,
      perSecond: Math.round(latencies.length / seconds),
      cpuMicrosPerUnit,
      perCorePerSecond: Math.round(1_000_000 / cpuMicrosPerUnit),
      ...p50AndP99(latencies),
      residentMegabytes: memoryOf(child.pid).residentMb,
      updatesPerSend: round((receiver.updates - before.updates) / latencies.length),
    };
  } finally {
    await pool.destroy();
    child.kill('SIGTERM');
  }
}

function start(program: string, port: number, callbackUrl: string): ChildProcess {
  const environment = {
    SIMULATOR_PORT: String(port),
    SIMULATOR_CALLBACK_URL: callbackUrl,
    SIMULATOR_APP_SECRET: 'bench',
    SIMULATOR_VERIFY_TOKEN: 'bench',
    SIMULATOR_ACCESS_TOKEN: TOKEN,
    LOG_LEVEL: 'error',
  };
  return spawn(process.execPath, ['--enable-source-maps', program], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function untilUp(pool: Pool): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isUp = await pool.request({ path: '/live', method: 'GET' }).then(
      async ({ body }) => body.dump().then(() => true),
      () => false,
    );
    if (isUp) return;
    await delay(50);
  }
  throw new Error('the program does not answer');
}

/** Sends templates with one request in flight per connection of the pool. @returns the latencies in milliseconds */
async function load(pool: Pool, forMs: number): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + forMs;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const sender = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      const { statusCode, body } = await pool.request({ path: SENDS_PATH, method: 'POST', headers, body: sendBody() });
      await body.text();
      if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sender));
  return latencies;
}

function sendBody(): string {
  const to = `+9198${String(Math.floor(Math.random() * CUSTOMERS)).padStart(8, '0')}`;
  const parameters = [
    { type: 'text', text: 'A-17' },
    { type: 'text', text: 'Monday' },
  ];
  const components = [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
  ];
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    biz_opaque_callback_data: `msg_${randomUUID()}`,
    template: { name: 'order_update', language: { code: 'en_US' }, components },
  });
}
