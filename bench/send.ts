import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';
import { cpuSecondsOf, inLanes, inPace } from './send-load';

const ROUNDS = 3;
const SENDS = 2_000;
const IN_FLIGHT = 50;
const PACED_SENDS = 1_500;
const CONTACTS = Array.from({ length: 50 }, (_unused, index) => String(919812345600 + index));
/** The services whose work a send is; the simulator is on both sides. */
const SERVICES = ['gateway', 'messaging', 'templates'];
const NO_CALLBACKS = { callbacks: { lose: 1 } };
const FLOOR = 'floor: one Fastify file';
const OURS = 'ours';
const WHOLE = 'ours, three callbacks per send applied meanwhile';

interface Options {
  /** Folder of the bundled programs. */
  programs: string;
  log(text: string): void;
  /** The checkout's own folder of data and secrets. */
  home: string;
  /** Where CPU profiles go; none when absent. */
  profileDir?: string;
}

interface Lap {
  perSecond: number;
  /** Of the services or the floor; the database, the broker and the simulator are not counted. */
  cpuSecondsPer1000: number;
  p50Ms: number;
  p99Ms: number;
}

interface Figure extends Lap {
  name: string;
  /** At half the throughput of ours, paced evenly. */
  p99AtHalfLoadMs?: number;
  ratio?: number;
  p99Ratio?: number;
}

/** The part of `tools/faults/installation.mjs` that is used here. */
interface Installation {
  baseUrl: string;
  simulatorUrl: string;
  databaseUrl: string;
  pids(): Record<string, number>;
  ops(...args: string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

interface Target {
  url: string;
  headers: Record<string, string>;
  pids: number[];
  /** How the simulator treats the target's sends. */
  faults: object;
}

/**
 * `POST /v1/messages/send` through all services against one Fastify file, rounds interleaved, medians; then both at
 * half load.
 */
export default async function measure({ programs, log, home, profileDir }: Options): Promise<Figure[]> {
  const { startInstallation } = (await import(pathToFileURL(resolve('tools/faults/installation.mjs')).href)) as {
    startInstallation(options: object): Promise<Installation>;
  };
  const environment = {
    LOG_LEVEL: 'info',
    ...(profileDir && {
      NODE_OPTIONS: `--import=${join(programs, 'send-profile.mjs')}`,
      BENCH_PROFILE_DIR: profileDir,
    }),
  };
  const installation = await startInstallation({ name: 'bench-send', environment });
  try {
    const targets = await openTargets(installation, { programs, home });
    const laps = new Map<string, Lap[]>(Object.keys(targets.all).map((name) => [name, []]));
    for (const target of Object.values(targets.all)) await lap(installation, target, { sends: SENDS / 4 });
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [name, target] of Object.entries(targets.all)) {
        const result = await lap(installation, target, { sends: SENDS });
        laps.get(name)?.push(result);
        log(`round ${round}: ${name}: ${result.perSecond}/s, p99 ${result.p99Ms} ms`);
      }
    }
    const halfLoad = Math.round(median(laps.get(OURS) ?? []).perSecond / 2);
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
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000');
  const { apiKey } = await installation.ops('demo', 'seed');
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  const url = `${installation.baseUrl}/messages/send`;
  const headers = { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' };
  await Promise.all(CONTACTS.map((to) => untilOpen(url, headers, to)));
  const { token, path } = simulatorAccess(home);
  const floor = spawn(
    process.execPath,
    [join(programs, 'send-floor.mjs'), installation.databaseUrl, installation.simulatorUrl, path, token],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [address] = (await once(floor.stdout, 'data')) as [Buffer];
  const pids = SERVICES.map((name) => installation.pids()[name] ?? 0);
  const ours = { url, headers, pids };
  const all = {
    [FLOOR]: {
      url: `${address.toString().trim()}/send`,
      headers: { 'content-type': 'application/json' },
      pids: [floor.pid ?? 0],
      faults: NO_CALLBACKS,
    },
    [OURS]: { ...ours, faults: NO_CALLBACKS },
    [WHOLE]: { ...ours, faults: {} },
  };
  return { all, floor };
}

/** The demo number of the simulator and the token that it wants, as the installation's secrets have it. */
function simulatorAccess(home: string): { token: string; path: string } {
  const { accessToken: token } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as {
    accessToken: string;
  };
  return { token, path: '/v24.0/200000000000002/messages' };
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

/** So many sends, 50 at a time, or evenly paced. */
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
  const cpu = cpuSecondsOf(pids);
  const startedAt = performance.now();
  await (perSecond === undefined ? inLanes(sends, IN_FLIGHT, send) : inPace(sends, perSecond, send));
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = cpuSecondsOf(pids) - cpu;
  await pool.close();
  waits.sort((one, other) => one - other);
  const at = (share: number): number => Number((waits[Math.floor(waits.length * share)] ?? NaN).toFixed(1));
  return {
    perSecond: Math.round(sends / seconds),
    cpuSecondsPer1000: Number(((cpuSeconds / sends) * 1_000).toFixed(2)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

async function control({ simulatorUrl }: Installation, path: string, body: object): Promise<void> {
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
}

function figuresOf(laps: Map<string, Lap[]>, paced: Map<string, number>): Figure[] {
  const floor = median(laps.get(FLOOR) ?? []);
  return [...laps].map(([name, all]) => {
    const figure: Figure = { name, ...median(all), p99AtHalfLoadMs: paced.get(name) };
    if (name === FLOOR) return figure;
    const p99Ratio = round((paced.get(name) ?? NaN) / (paced.get(FLOOR) ?? NaN));
    return {
      ...figure,
      ratio: round(figure.perSecond / floor.perSecond),
      ...(Number.isFinite(p99Ratio) && { p99Ratio }),
    };
  });
}

function median(laps: readonly Lap[]): Lap {
  const sorted = [...laps].sort((one, other) => one.perSecond - other.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('no laps');
  return middle;
}

const round = (value: number): number => Math.round(value * 100) / 100;
