import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { quantile, round } from './harness/figures';
import { inForm } from './harness/form';
import {
  type Access,
  control,
  type Installation,
  plainTemplate,
  request,
  seedDemo,
  startInstallation,
} from './harness/installation';
import { inPace } from './harness/load';

const ROUNDS = inForm(5, 2);
/** Number of samples of each request per phase: alone, during hostile uploads, alone again. */
const SAMPLES = inForm(300, 100);
const PER_SECOND = 25;
const WARM_UP_SAMPLES = 100;
const FIRST_PHONE = 919_600_000_000;
const IN_A_DAY_MS = 24 * 3_600_000;

/** Latency of other requests with and without hostile spreadsheets that are parsed one after another. */
export interface NeighbourFigure {
  name: string;
  perSecond: number;
  aloneP50Ms: number;
  hostileP50Ms: number;
  aloneP99Ms: number;
  hostileP99Ms: number;
  /** p99 during hostile uploads relative to that of both phases alone. */
  p99Ratio: number;
  /** Ratio of the larger to the smaller p99 of the two phases alone, which shows the noise of the machine. */
  noiseRatio: number;
}

interface Setting extends Access {
  template: { name: string; language: string };
}

/** Request that another user makes during the uploads. */
interface Neighbour {
  name: string;
  alone: number[];
  hostile: number[];
  aloneAgain: number[];
  request(n: number): Promise<unknown>;
}

/**
 * Verifies guarantee 20 of ADR 41 end to end: a separate installation, the public API, and alternating rounds with and
 * without hostile files.
 */
export async function measureNeighbours({
  programs,
  log,
}: {
  programs: string;
  log: (text: string) => void;
}): Promise<NeighbourFigure[]> {
  const installation = await startInstallation('xlsx');
  try {
    const setting = await prepare(installation);
    const neighbours = await neighboursIn(setting);
    const sender = await startSender(setting, programs);
    await askAll(neighbours, { count: WARM_UP_SAMPLES, into: () => [] });
    for (let turn = 1; turn <= ROUNDS; turn += 1) {
      await askAll(neighbours, { count: SAMPLES, into: ({ alone }) => alone });
      const refused = await whileSending(sender, () =>
        askAll(neighbours, { count: SAMPLES, into: ({ hostile }) => hostile }),
      );
      await askAll(neighbours, { count: SAMPLES, into: ({ aloneAgain }) => aloneAgain });
      log(`round ${turn}: ${refused} hostile files were refused meanwhile`);
    }
    sender.disconnect();
    return neighbours.map(figureOf);
  } finally {
    await installation.stop();
  }
}

async function prepare(installation: Installation): Promise<Setting> {
  const { accountId, ...access } = await seedDemo(installation);
  await installation.ops('settings', 'set', '--account', accountId, '--window-policy', 'upstream');
  // Suppress callbacks, because processing them would affect the measurement.
  await control(installation, 'faults', { callbacks: { lose: 1 } });
  return { ...access, template: await plainTemplate(access) };
}

async function neighboursIn(setting: Setting): Promise<Neighbour[]> {
  const { name, language } = setting.template;
  const scheduledAt = new Date(Date.now() + IN_A_DAY_MS).toISOString();
  const job = {
    recipients: [String(FIRST_PHONE)],
    type: 'template',
    template: { name, language: { code: language } },
    scheduledAt,
  };
  const { jobId } = await request<{ jobId: string }>(setting, 'POST', '/messages/send/bulk', job);
  const neighbour = (what: string, asking: Neighbour['request']): Neighbour => ({
    name: what,
    alone: [],
    hostile: [],
    aloneAgain: [],
    request: asking,
  });
  return [
    neighbour('GET /v1/jobs/:jobId', () => request(setting, 'GET', `/jobs/${jobId}`)),
    neighbour('GET /v1/jobs', () => request(setting, 'GET', '/jobs')),
    neighbour('POST /v1/messages/send (text)', (n) =>
      request(setting, 'POST', '/messages/send', {
        to: String(FIRST_PHONE + n),
        type: 'text',
        text: { body: 'Hello' },
      }),
    ),
  ];
}

/** Sends all requests concurrently, each at its own rate. */
async function askAll(
  neighbours: readonly Neighbour[],
  { count, into }: { count: number; into: (neighbour: Neighbour) => number[] },
): Promise<void> {
  const askOne = async (neighbour: Neighbour, n: number): Promise<void> => {
    const startedAt = performance.now();
    await neighbour.request(n);
    into(neighbour).push(performance.now() - startedAt);
  };
  await Promise.all(neighbours.map((neighbour) => inPace(count, PER_SECOND, (n) => askOne(neighbour, n))));
}

async function startSender({ baseUrl, apiKey, template }: Setting, programs: string): Promise<ChildProcess> {
  const sender = fork(join(programs, 'xlsx-sender.mjs'), [baseUrl, apiKey, template.name, template.language]);
  await once(sender, 'message');
  return sender;
}

/** Runs the work while hostile files are uploaded. Returns the number of files rejected meanwhile. */
async function whileSending(sender: ChildProcess, work: () => Promise<void>): Promise<number> {
  sender.send('go');
  await work();
  const ended = once(sender, 'exit').then(() => Promise.reject(new Error('the sender of hostile files ended')));
  const halted = once(sender, 'message') as Promise<[number]>;
  sender.send('halt');
  const [refused] = await Promise.race([halted, ended]);
  return refused;
}

function figureOf({ name, alone, hostile, aloneAgain }: Neighbour): NeighbourFigure {
  const allAlone = [...alone, ...aloneAgain];
  const [aloneP99Ms, hostileP99Ms] = [at(allAlone, 0.99), at(hostile, 0.99)];
  const [first, second] = [at(alone, 0.99), at(aloneAgain, 0.99)];
  return {
    name,
    perSecond: PER_SECOND,
    aloneP50Ms: at(allAlone, 0.5),
    hostileP50Ms: at(hostile, 0.5),
    aloneP99Ms,
    hostileP99Ms,
    p99Ratio: ratio(hostileP99Ms, aloneP99Ms),
    noiseRatio: ratio(Math.max(first, second), Math.min(first, second)),
  };
}

const ratio = (one: number, other: number): number => round(one / other);

const at = (values: readonly number[], share: number): number => Number(quantile(values, share).toFixed(1));
