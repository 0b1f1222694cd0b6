import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuSecondsOf, middleLap, p50AndP99, round } from './harness/figures';
import { inForm } from './harness/form';
import {
  control,
  type Installation,
  profilingWith,
  seedDemo,
  startFloor,
  startInstallation,
} from './harness/installation';
import { inLanes, inPace } from './harness/load';
import type { BenchOptions } from './harness/options';

const ROUNDS = 3;
const SENDS = inForm(2_000, 800);
const IN_FLIGHT = 50;
const PACED_SENDS = inForm(1_500, 500);
const CONTACTS = Array.from({ length: 50 }, (_unused, index) => String(919812345600 + index));
/** Services that take part in a send. The simulator is excluded, because both sides use it. */
const SERVICES = ['gateway', 'messaging', 'templates'];
const NO_CALLBACKS = { callbacks: { lose: 1 } };
const FLOOR = 'floor: one Fastify file';
const OURS = 'ours';
const WHOLE = 'ours, three callbacks per send applied meanwhile';

export const about = {
  measures: 'single sends through all services with a concurrency of 50',
  floor: '`bench/send-floor.ts`, one Fastify file with one INSERT and one UPDATE per send',
};

interface Lap {
  perSecond: number;
  /** CPU time of the services or the baseline, excluding database, broker and simulator. */
  cpuSecondsPer1000: number;
  p50Ms: number;
  p99Ms: number;
}

interface Figure extends Lap {
  name: string;
  /** p99 at a constant rate of half the measured throughput. */
  p99AtHalfLoadMs?: number;
  ratio?: number;
  p99Ratio?: number;
}

interface Target {
  url: string;
  headers: Record<string, string>;
  pids: number[];
  /** Simulator faults for the target's sends. */
  faults: object;
}

/**
 * Compares `POST /v1/messages/send` through all services with a single-file Fastify app. Rounds are interleaved;
 * results are medians. Then measures both at half load.
 */
export default async function measure({ programs, log, home, profileDir }: BenchOptions): Promise<Figure[]> {
  const installation = await startInstallation('send', profilingWith('send-profile.mjs', programs, profileDir));
  try {
    const targets = await openTargets(installation, { programs, home });
    const laps = new Map<string, Lap[]>(Object.keys(targets.all).map((name) => [name, []]));
    for (const target of Object.values(targets.all)) await lap(installation, target, { sends: SENDS / 4 });
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      for (const [name, target] of Object.entries(targets.all)) {
        const result = await lap(installation, target, { sends: SENDS });
        laps.get(name)?.push(result);
        log(`round ${turn}: ${name}: ${result.perSecond}/s, p99 ${result.p99Ms} ms`);
      }
    }
    const halfLoad = Math.round(middleLap(laps.get(OURS) ?? []).perSecond / 2);
    const paced = new Map<string, number>();
    for (const name of [FLOOR, OURS])
      paced.set(
        name,
        (await lap(installation, targets.all[name] as Target, { sends: PACED_SENDS, perSecond: halfLoad })).p99Ms,
      );
    targets.floor.kill();
    return figuresOf(laps, paced);
  } finally {
    await installation.stop();
  }
}

async function openTargets(
  installation: Installation,
  { programs, home }: { programs: string; home: string },
): Promise<{ all: Record<string, Target>; floor: ChildProcess }> {
  const { apiKey } = await seedDemo(installation);
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  const url = `${installation.baseUrl}/messages/send`;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  await Promise.all(CONTACTS.map((to) => untilOpen(url, headers, to)));
  const { floor, address } = await startFloor(installation, { programs, home });
  const pids = SERVICES.map((name) => installation.pids()[name] ?? 0);
  const ours = { url, headers, pids };
  const all = {
    [FLOOR]: {
      url: `${address}/send`,
      headers: { 'content-type': 'application/json' },
      pids: [floor.pid ?? 0],
      faults: NO_CALLBACKS,
    },
    [OURS]: { ...ours, faults: NO_CALLBACKS },
    [WHOLE]: { ...ours, faults: {} },
  };
  return { all, floor };
}

async function untilOpen(url: string, headers: Record<string, string>, to: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await fetch(url, { method: 'POST', headers, body: bodyFor(to) });
    if (answer.ok) return;
    await delay(100);
  }
  throw new Error('a window did not open');
}

const bodyFor = (to: string): string =>
  JSON.stringify({ to, type: 'text', text: { body: 'Your order has shipped and will arrive on Monday' } });

/** Runs the sends with a concurrency of 50, or at a constant rate. */
async function lap(
  installation: Installation,
  { url, headers, pids, faults }: Target,
  { sends, perSecond }: { sends: number; perSecond?: number },
): Promise<Lap> {
  await control(installation, 'faults', faults);
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: IN_FLIGHT * 2 });
  const waits: number[] = [];
  const send = async (n: number): Promise<void> => {
    const at = performance.now();
    const answer = await pool.request({
      path,
      method: 'POST',
      headers,
      body: bodyFor(CONTACTS[n % CONTACTS.length] ?? ''),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a send was answered ${answer.statusCode}: ${text}`);
    waits.push(performance.now() - at);
  };
  const cpu = cpuSecondsOf(...pids);
  const startedAt = performance.now();
  await (perSecond === undefined ? inLanes(sends, IN_FLIGHT, send) : inPace(sends, perSecond, send));
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = cpuSecondsOf(...pids) - cpu;
  await pool.close();
  return {
    perSecond: Math.round(sends / seconds),
    cpuSecondsPer1000: round((cpuSeconds / sends) * 1_000),
    ...p50AndP99(waits),
  };
}

function figuresOf(laps: Map<string, Lap[]>, paced: Map<string, number>): Figure[] {
  const floor = middleLap(laps.get(FLOOR) ?? []);
  return [...laps].map(([name, all]) => {
    const figure: Figure = { name, ...middleLap(all), p99AtHalfLoadMs: paced.get(name) };
    if (name === FLOOR) return figure;
    const p99Ratio = round((paced.get(name) ?? NaN) / (paced.get(FLOOR) ?? NaN));
    return {
      ...figure,
      ratio: round(figure.perSecond / floor.perSecond),
      ...(Number.isFinite(p99Ratio) && { p99Ratio }),
    };
  });
}
