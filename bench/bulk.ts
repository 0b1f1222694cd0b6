import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { cpuSecondsOf, inLanes } from './send-load';

/**
 * `npm run bench -- bulk --recipients 500000` shows how the time grows with the list; `--rounds` says how often both
 * are measured.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: { recipients: { type: 'string', default: '50000' }, rounds: { type: 'string', default: '1' } },
});
const RECIPIENTS = Number(given.recipients);
const ROUNDS = Number(given.rounds);
/** The floor takes as long per recipient however many there are. */
const FLOOR_SENDS = Math.min(RECIPIENTS, 10_000);
const IN_FLIGHT = 50;
/** The services whose work a bulk job is; the simulator is on both sides. */
const SERVICES = ['gateway', 'messaging', 'templates', 'jobs'];
const FIRST_PHONE = 919_000_000_000;

interface Options {
  /** Folder of the bundled programs. */
  programs: string;
  log(text: string): void;
  /** The checkout's own folder of data and secrets. */
  home: string;
  /** Where CPU profiles go; none when absent. */
  profileDir?: string;
}

interface Figure {
  name: string;
  perSecond: number;
  seconds: number;
  recipients: number;
  cpuSecondsPer1000: number;
  /** Of making the job: the answer to the call. */
  madeSeconds?: number;
  ratio?: number;
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

interface Setting {
  installation: Installation;
  apiKey: string;
  template: { name: string; language: { code: string } };
}

/**
 * A bulk job with the pace off, from the call to the last recipient accepted upstream, against a loop over one Fastify
 * file.
 */
export default async function measure({ programs, log, home, profileDir }: Options): Promise<Figure[]> {
  const { startInstallation } = (await import(pathToFileURL(resolve('tools/faults/installation.mjs')).href)) as {
    startInstallation(options: object): Promise<Installation>;
  };
  const profiling = profileDir
    ? { NODE_OPTIONS: `--import=${join(programs, 'bulk-profile.mjs')}`, BENCH_PROFILE_DIR: profileDir }
    : {};
  const environment = { LOG_LEVEL: 'info', JOBS_MAX_PACE: '0', ...profiling };
  const installation = await startInstallation({ name: 'bench-bulk', environment });
  let floor: ChildProcess | undefined;
  try {
    const setting = await prepare(installation);
    const started = await startFloor(installation, { programs, home });
    floor = started.floor;
    const figures: { floor: Figure[]; ours: Figure[] } = { floor: [], ours: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      figures.floor.push(await floorLap(started.address, floor.pid ?? 0, setting));
      figures.ours.push(await ourLap(setting, round));
      log(`round ${round}: floor ${figures.floor.at(-1)?.perSecond}/s, ours ${figures.ours.at(-1)?.perSecond}/s`);
    }
    const [slow, fast] = [median(figures.floor), median(figures.ours)];
    return [slow, { ...fast, ratio: Math.round((fast.perSecond / slow.perSecond) * 100) / 100 }];
  } finally {
    floor?.kill();
    await installation.stop();
  }
}

async function prepare(installation: Installation): Promise<Setting> {
  await installation.ops(
    'plans',
    'set',
    '--name',
    'growth',
    '--rate-limit',
    '1000000',
    '--bulk-recipients',
    String(RECIPIENTS),
  );
  const { apiKey } = await installation.ops('demo', 'seed');
  await control(installation, 'faults', { callbacks: { lose: 1 } });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { templates = [] } = (await ask(installation, String(apiKey), 'GET', '/templates')) as {
      templates?: { name: string; language: string; components: object[] }[];
    };
    const plain = templates.find(({ components }) => !JSON.stringify(components).includes('{{'));
    if (plain)
      return {
        installation,
        apiKey: String(apiKey),
        template: { name: plain.name, language: { code: plain.language } },
      };
    await delay(250);
  }
  throw new Error('no template without variables appeared');
}

async function startFloor(
  installation: Installation,
  { programs, home }: { programs: string; home: string },
): Promise<{ floor: ChildProcess; address: string }> {
  const { accessToken } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as { accessToken: string };
  const path = '/v24.0/200000000000002/messages';
  const floor = spawn(
    process.execPath,
    [join(programs, 'send-floor.mjs'), installation.databaseUrl, installation.simulatorUrl, path, accessToken],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(floor, 'exit').then(() => Promise.reject(new Error('the floor ended before it was asked to')));
  const [address] = (await Promise.race([once(floor.stdout, 'data'), ended])) as [Buffer];
  return { floor, address: address.toString().trim() };
}

async function floorLap(address: string, pid: number, { template }: Setting): Promise<Figure> {
  const pool = new Pool(address, { connections: IN_FLIGHT });
  const send = async (n: number): Promise<void> => {
    const body = JSON.stringify({ to: String(FIRST_PHONE + n), type: 'template', template });
    const answer = await pool.request({
      path: '/send',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`the floor answered ${answer.statusCode}: ${text}`);
  };
  await inLanes(500, IN_FLIGHT, send);
  const cpu = cpuSecondsOf([pid]);
  const startedAt = performance.now();
  await inLanes(FLOOR_SENDS, IN_FLIGHT, send);
  const figure = figureOf('floor: one Fastify file in a loop', {
    count: FLOOR_SENDS,
    startedAt,
    cpuSeconds: cpuSecondsOf([pid]) - cpu,
  });
  await pool.close();
  return figure;
}

async function ourLap({ installation, apiKey, template }: Setting, round: number): Promise<Figure> {
  const pids = SERVICES.map((name) => installation.pids()[name] ?? 0);
  const recipients = Array.from({ length: RECIPIENTS }, (_unused, index) =>
    String(FIRST_PHONE + round * 1_000_000 + index),
  );
  const cpu = cpuSecondsOf(pids);
  const startedAt = performance.now();
  const { jobId, accepted } = (await ask(installation, apiKey, 'POST', '/messages/send/bulk', {
    recipients,
    type: 'template',
    template,
  })) as { jobId: string; accepted: number };
  if (accepted !== RECIPIENTS) throw new Error(`${accepted} of ${RECIPIENTS} recipients were accepted`);
  const madeSeconds = Math.round((performance.now() - startedAt) / 10) / 100;
  for (;;) {
    const { job } = (await ask(installation, apiKey, 'GET', `/jobs/${jobId}`)) as {
      job: { status: string; accepted: number };
    };
    if (job.status === 'completed') {
      if (job.accepted !== RECIPIENTS) throw new Error(`the job ended as ${JSON.stringify(job)}`);
      break;
    }
    if (!['queued', 'processing'].includes(job.status)) throw new Error(`the job stopped: ${JSON.stringify(job)}`);
    await delay(100);
  }
  return { ...figureOf('ours', { count: RECIPIENTS, startedAt, cpuSeconds: cpuSecondsOf(pids) - cpu }), madeSeconds };
}

function figureOf(
  name: string,
  { count, startedAt, cpuSeconds }: { count: number; startedAt: number; cpuSeconds: number },
): Figure {
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    name,
    perSecond: Math.round(count / seconds),
    seconds: Math.round(seconds * 10) / 10,
    recipients: count,
    cpuSecondsPer1000: Math.round((cpuSeconds / count) * 100_000) / 100,
  };
}

async function ask(
  { baseUrl }: Installation,
  apiKey: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok)
    throw new Error(`${method} ${path} was answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
  return answer.json();
}

async function control({ simulatorUrl }: Installation, path: string, body: object): Promise<void> {
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
}

function median(figures: readonly Figure[]): Figure {
  const sorted = [...figures].sort((one, other) => one.perSecond - other.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}
