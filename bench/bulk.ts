import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { cpuSecondsOf, middleLap, round } from './harness/figures';
import { inForm } from './harness/form';
import {
  type Access,
  control,
  type Installation,
  plainTemplate,
  profilingWith,
  request,
  seedDemo,
  startFloor,
  startInstallation,
} from './harness/installation';
import { inLanes } from './harness/load';
import type { BenchOptions } from './harness/options';

/**
 * Options. `npm run bench -- bulk --recipients 500000` shows how the time grows with the list; `--rounds` sets the
 * number of rounds for both sides.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: {
    recipients: { type: 'string', default: inForm('50000', '5000') },
    rounds: { type: 'string', default: '1' },
    short: { type: 'boolean' },
  },
});
const RECIPIENTS = Number(given.recipients);
const ROUNDS = Number(given.rounds);
/** Number of sends of the baseline, whose time per recipient does not depend on the number of recipients. */
const FLOOR_SENDS = Math.min(RECIPIENTS, inForm(10_000, 3_000));
const IN_FLIGHT = 50;
/** Services that take part in a bulk job. The simulator is excluded, because both sides use it. */
const SERVICES = ['gateway', 'messaging', 'templates', 'jobs'];
const FIRST_PHONE = 919_000_000_000;

export const about = {
  measures: 'the recipients of a bulk job without a rate limit',
  floor: 'a loop over `bench/send-floor.ts` with a concurrency of 50',
};

interface Figure {
  name: string;
  perSecond: number;
  seconds: number;
  recipients: number;
  cpuSecondsPer1000: number;
  /** Duration of the call that creates the job, in seconds. */
  madeSeconds?: number;
  ratio?: number;
}

interface Setting {
  installation: Installation;
  access: Access;
  template: { name: string; language: { code: string } };
}

/**
 * Compares an unthrottled bulk job, from the call to the last recipient accepted upstream, with a loop over a
 * single-file Fastify app.
 */
export default async function measure({ programs, log, home, profileDir }: BenchOptions): Promise<Figure[]> {
  const installation = await startInstallation('bulk', {
    JOBS_MAX_PACE: '0',
    ...profilingWith('send-profile.mjs', programs, profileDir),
  });
  let floor: ChildProcess | undefined;
  try {
    const setting = await prepare(installation);
    const started = await startFloor(installation, { programs, home });
    floor = started.floor;
    const figures: { floor: Figure[]; ours: Figure[] } = { floor: [], ours: [] };
    for (let lap = 1; lap <= ROUNDS; lap += 1) {
      figures.floor.push(await floorLap(started.address, floor.pid ?? 0, setting));
      figures.ours.push(await ourLap(setting, lap));
      log(`round ${lap}: floor ${figures.floor.at(-1)?.perSecond}/s, ours ${figures.ours.at(-1)?.perSecond}/s`);
    }
    const [slow, fast] = [middleLap(figures.floor), middleLap(figures.ours)];
    return [slow, { ...fast, ratio: round(fast.perSecond / slow.perSecond) }];
  } finally {
    floor?.kill();
    await installation.stop();
  }
}

async function prepare(installation: Installation): Promise<Setting> {
  const access = await seedDemo(installation);
  await control(installation, 'faults', { callbacks: { lose: 1 } });
  const { name, language } = await plainTemplate(access);
  return { installation, access, template: { name, language: { code: language } } };
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
  const cpu = cpuSecondsOf(pid);
  const startedAt = performance.now();
  await inLanes(FLOOR_SENDS, IN_FLIGHT, send);
  const figure = figureOf('floor: one Fastify file in a loop', {
    count: FLOOR_SENDS,
    startedAt,
    cpuSeconds: cpuSecondsOf(pid) - cpu,
  });
  await pool.close();
  return figure;
}

async function ourLap({ installation, access, template }: Setting, lap: number): Promise<Figure> {
  const pids = SERVICES.map((name) => installation.pids()[name] ?? 0);
  const recipients = Array.from({ length: RECIPIENTS }, (_unused, index) =>
    String(FIRST_PHONE + lap * 1_000_000 + index),
  );
  const cpu = cpuSecondsOf(...pids);
  const startedAt = performance.now();
  const { jobId, accepted } = await request<{ jobId: string; accepted: number }>(
    access,
    'POST',
    '/messages/send/bulk',
    { recipients, type: 'template', template },
  );
  if (accepted !== RECIPIENTS) throw new Error(`${accepted} of ${RECIPIENTS} recipients were accepted`);
  const madeSeconds = round((performance.now() - startedAt) / 1_000);
  for (;;) {
    const { job } = await request<{ job: { status: string; accepted: number } }>(access, 'GET', `/jobs/${jobId}`);
    if (job.status === 'completed') {
      if (job.accepted !== RECIPIENTS) throw new Error(`the job ended as ${JSON.stringify(job)}`);
      break;
    }
    if (!['queued', 'processing'].includes(job.status)) throw new Error(`the job stopped: ${JSON.stringify(job)}`);
    await delay(100);
  }
  return {
    ...figureOf('ours', { count: RECIPIENTS, startedAt, cpuSeconds: cpuSecondsOf(...pids) - cpu }),
    madeSeconds,
  };
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
    cpuSecondsPer1000: round((cpuSeconds / count) * 1_000),
  };
}
