import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { middleBy, p50AndP99, round } from './harness/figures';
import { inForm } from './harness/form';
import { type Access, type Installation, seedDemo, startInstallation } from './harness/installation';
import { inPace } from './harness/load';
import type { BenchOptions } from './harness/options';

const ROUNDS = inForm(5, 3);
const CALLS = inForm(600, 200);
const CALLS_PER_SECOND = 40;
const SENDS_PER_ROUND = 200;
const SEND_ROUNDS = 8;
const SENDS_PER_SECOND = 10;
/**
 * Number of sends before the measurement. They take over a minute: autovacuum collects statistics of new tables once a
 * minute, and query plans are bad without statistics.
 */
const WARM_UP_SENDS = 750;
const RECIPIENTS = 50_000;
/** Wait after a pause or a resume, until pending work is done or the job runs at full speed again. */
const SETTLE_MS = 6_000;
const CREDITS = 10_000;
const READ = 'a bare authenticated read (GET /v1/templates)';
const VERIFY = 'POST /v1/otp/verify';
const ALONE = `sends of codes, a job of ${RECIPIENTS} recipients paused`;
const BESIDE = 'sends of codes, the job running';

export const about = {
  measures: 'the verification of one-time codes at 40 per second',
  floor: 'a read of templates with the same API key; ratios are of p99',
};

interface Lap {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** p99 over the calls of all rounds. A single second of other load on the machine can dominate this figure. */
  p99OfAllMs?: number;
}

interface Figure extends Lap {
  name: string;
  p99Ratio?: number;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  expected: number[];
}

/**
 * Compares verification with a bare read at the same constant rate. With `--beside-bulk`, compares code sends during a
 * bulk job with sends while the job is paused. Rounds are interleaved; the result is the median round by p99.
 */
export default async function measure({ log }: BenchOptions): Promise<Figure[]> {
  const installation = await startInstallation('otp');
  try {
    const client = openClient(await prepare(installation));
    return process.argv.includes('--beside-bulk')
      ? await besideBulk(client, log)
      : await verifyAgainstRead(client, log);
  } finally {
    await installation.stop();
  }
}

async function prepare(installation: Installation): Promise<Access> {
  const { accountId, ...access } = await seedDemo(installation);
  const { ops } = installation;
  const ofAccount = ['--account', accountId];
  await ops('credits', 'top-up', ...ofAccount, '--amount', String(CREDITS), '--reason', 'bench');
  for (let tries = 0; ; tries += 1) {
    try {
      await ops('otp', 'set', ...ofAccount, '--template', 'verification_code', '--sends-per-prefix', '1000');
      return access;
    } catch (error) {
      if (tries === 60) throw error;
      await delay(500);
    }
  }
}

type Client = (call: Call) => Promise<{ tookMs: number; text: string }>;

/** Returns a function that makes one call and returns its duration and response. */
function openClient({ baseUrl, apiKey }: Access): Client {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections: 50 });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return async ({ method, path, body, expected }) => {
    const at = performance.now();
    const answer = await pool.request({
      path: `${pathname}${path}`,
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (!expected.includes(answer.statusCode))
      throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
    return { tookMs: performance.now() - at, text };
  };
}

async function verifyAgainstRead(client: Client, log: BenchOptions['log']): Promise<Figure[]> {
  const read = (): Call => ({ method: 'GET', path: '/templates', expected: [200] });
  // A rejection takes as long as a success, which prevents a timing side channel.
  const verify = (): Call => ({
    method: 'POST',
    path: '/otp/verify',
    body: { phone: freshPhone(), otp: '482913' },
    expected: [400],
  });
  const laps = { [READ]: [] as Lap[], [VERIFY]: [] as Lap[] };
  for (const call of [read, verify]) await lap(client, call, { calls: CALLS, perSecond: CALLS_PER_SECOND });
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    for (const [name, call] of [
      [READ, read],
      [VERIFY, verify],
    ] as const) {
      const result = await lap(client, call, { calls: CALLS, perSecond: CALLS_PER_SECOND });
      laps[name]?.push(result);
      log(`round ${turn}: ${name}: p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms`);
    }
  }
  return compared(READ, middle(laps[READ] ?? []), VERIFY, middle(laps[VERIFY] ?? []));
}

async function besideBulk(client: Client, log: BenchOptions['log']): Promise<Figure[]> {
  const send = (): Call => ({
    method: 'POST',
    path: '/messages/send/authentication/utility',
    body: { to: freshPhone(), otp: '482913' },
    expected: [200],
  });
  const warmUp = () => lap(client, send, { calls: WARM_UP_SENDS, perSecond: SENDS_PER_SECOND });
  await warmUp();
  const recipients = Array.from({ length: RECIPIENTS }, (_unused, index) => String(447_400_000_000 + index));
  const job = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } }, recipients };
  const { text } = await client({ method: 'POST', path: '/messages/send/bulk', body: job, expected: [201] });
  const { jobId } = JSON.parse(text) as { jobId: string };
  await warmUp();
  const waits = { [ALONE]: [] as number[][], [BESIDE]: [] as number[][] };
  for (let turn = 1; turn <= SEND_ROUNDS; turn += 1) {
    for (const [name, own] of Object.entries(waits)) {
      await client({
        method: 'POST',
        path: `/jobs/${jobId}/${name === ALONE ? 'pause' : 'resume'}`,
        body: {},
        expected: [200],
      });
      await delay(SETTLE_MS);
      const latest = await waitsOf(client, send, { calls: SENDS_PER_ROUND, perSecond: SENDS_PER_SECOND });
      own.push(latest);
      const { p50Ms, p99Ms } = lapOf(latest, SENDS_PER_SECOND);
      log(`round ${turn}: ${name}: p50 ${p50Ms} ms, p99 ${p99Ms} ms`);
    }
  }
  const ofRounds = (rounds: readonly number[][] = []): Lap => ({
    ...middle(rounds.map((waitsMs) => lapOf(waitsMs, SENDS_PER_SECOND))),
    p99OfAllMs: lapOf(rounds.flat(), SENDS_PER_SECOND).p99Ms,
  });
  return compared(ALONE, ofRounds(waits[ALONE]), BESIDE, ofRounds(waits[BESIDE]));
}

interface Pace {
  calls: number;
  perSecond: number;
}

async function lap(client: Client, call: () => Call, pace: Pace): Promise<Lap> {
  const startedAt = performance.now();
  const waits = await waitsOf(client, call, pace);
  return lapOf(waits, Math.round(pace.calls / ((performance.now() - startedAt) / 1_000)));
}

/** Returns the latencies of calls at a constant rate, in milliseconds. */
async function waitsOf(client: Client, call: () => Call, { calls, perSecond }: Pace): Promise<number[]> {
  const waits: number[] = [];
  await inPace(calls, perSecond, async () => void waits.push((await client(call())).tookMs));
  return waits;
}

function lapOf(waits: readonly number[], perSecond: number): Lap {
  return { perSecond, ...p50AndP99(waits) };
}

function freshPhone(): string {
  return `9198${randomInt(10_000_000, 99_999_999)}`;
}

function compared(floor: string, of: Lap, ours: string, measured: Lap): Figure[] {
  return [
    { name: floor, ...of },
    { name: ours, ...measured, p99Ratio: round(measured.p99Ms / of.p99Ms) },
  ];
}

function middle(laps: readonly Lap[]): Lap {
  return middleBy(laps, ({ p99Ms }) => p99Ms);
}
