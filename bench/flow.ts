import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuSecondsOf, p50AndP99, round } from './harness/figures';
import { inForm } from './harness/form';
import { control, type Installation, seedDemo, startInstallation } from './harness/installation';
import { inPace } from './harness/load';
import type { BenchOptions } from './harness/options';

/** Sends per second. */
const RATES = [20, 60, 120];
const SECONDS = inForm(30, 10);
const WARM_UP_SENDS = inForm(3_000, 600);
const EVENTS_OF_A_SEND = 3;
const CONTACTS = Array.from({ length: 50 }, (_unused, index) => String(919812345600 + index));

export const about = {
  measures:
    'the CPU of each process for the full flow of a message: a send, three callbacks and three webhooks to one endpoint. `--cluster` uses three broker nodes and a database with a synchronous standby',
  floor: 'none. capacity.md uses these results',
};

/** CPU seconds for 1,000 messages, by process. */
interface Figure {
  [figure: string]: string | number;
  name: string;
  p50Ms: number;
  p99Ms: number;
}

/** Measures paced sends while their statuses and webhooks are processed, one rate after the other. */
export default async function measure({ programs, log }: BenchOptions): Promise<Figure[]> {
  const redundancy = process.argv.includes('--cluster') ? { brokerNodes: 3, standby: true } : {};
  const installation = await startInstallation('flow', { JOBS_MAX_PACE: '0' }, redundancy);
  const receiver = spawn(process.execPath, [join(programs, 'webhooks-receiver.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(receiver.stdout, 'data')) as [Buffer];
    const receiverUrl = address.toString().trim();
    const send = await sender(installation, receiverUrl);
    await inPace(WARM_UP_SENDS, RATES[1] ?? 1, send.once);
    await untilReceived(receiverUrl, send.count() * EVENTS_OF_A_SEND);
    const figures: Figure[] = [];
    for (const rate of RATES) {
      figures.push(await lap(installation, { rate, send, receiverUrl }));
      log(JSON.stringify(figures.at(-1)));
    }
    await send.close();
    return figures;
  } finally {
    receiver.kill();
    await installation.stop();
  }
}

interface Sender {
  once(n: number): Promise<void>;
  /** Number of sends so far. */
  count(): number;
  /** Durations since the previous call, in milliseconds. */
  waits(): number[];
  close(): Promise<void>;
}

async function sender(installation: Installation, receiverUrl: string): Promise<Sender> {
  const { apiKey, accountId } = await seedDemo(installation);
  const endpoint = ['--url', `${receiverUrl}/hook`, '--verify-token', 'flow'];
  await installation.ops('webhooks', 'set', '--account', accountId, ...endpoint);
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  const { origin, pathname } = new URL(`${installation.baseUrl}/messages/send`);
  const pool = new Pool(origin, { connections: 100 });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  let waits: number[] = [];
  let sent = 0;
  const post = async (n: number): Promise<number> => {
    const text = { body: 'Your order has shipped and will arrive on Monday' };
    const body = JSON.stringify({ to: CONTACTS[n % CONTACTS.length], type: 'text', text });
    const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  };
  for (const index of CONTACTS.keys()) while ((await post(index)) !== 200) await delay(100);
  sent = CONTACTS.length;
  return {
    once: async (n) => {
      const at = performance.now();
      const status = await post(n);
      if (status !== 200) throw new Error(`a send was answered ${status}`);
      waits.push(performance.now() - at);
      sent += 1;
    },
    count: () => sent,
    waits: () => {
      const taken = waits;
      waits = [];
      return taken;
    },
    close: () => pool.close(),
  };
}

async function lap(
  installation: Installation,
  { rate, send, receiverUrl }: { rate: number; send: Sender; receiverUrl: string },
): Promise<Figure> {
  send.waits();
  const before = cpuByPart(installation);
  await inPace(rate * SECONDS, rate, send.once);
  await untilReceived(receiverUrl, send.count() * EVENTS_OF_A_SEND);
  const after = cpuByPart(installation);
  const per1000 = Object.entries(after).map(([part, seconds]) => [
    part,
    round(((seconds - (before[part] ?? 0)) / (rate * SECONDS)) * 1_000),
  ]);
  return { name: `${rate} messages a second`, ...p50AndP99(send.waits()), ...Object.fromEntries(per1000) };
}

/** Returns the CPU seconds used so far by each service, and by the servers together. */
function cpuByPart({ pids, broker, cluster, database }: Installation): Record<string, number> {
  const services = Object.entries(pids()).map(([name, pid]) => [name, cpuSecondsOf(pid)]);
  const nodes = cluster?.nodes.map(({ pid }) => pid) ?? [broker.pid];
  return {
    ...Object.fromEntries(services),
    rabbitmq: cpuSecondsOf(...nodes),
    postgres: cpuSecondsOf(...database.pids()),
  };
}

/** Waits for all events, including those of inbound messages. */
async function untilReceived(receiverUrl: string, events: number): Promise<void> {
  await fetch(`${receiverUrl}/_reached?count=${events}`);
}
