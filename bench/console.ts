import 'reflect-metadata';
import { FREEZE_MS, measurePages, type PageFigure } from './console-pages';
import { type AccountSize, type SeededRows, seedRows } from './console-seed';
import { figureOf, type SizeFigure } from './harness/figures';
import { inForm } from './harness/form';
import { type Installation, startInstallation } from './harness/installation';
import type { BenchOptions } from './harness/options';
import { newCustomer, newOwner } from '../tools/chaos/customers.mjs';

/** Sizes of the compared accounts: a thousand rows of each kind, and as many as the largest accounts have. */
const SIZES: AccountSize[] = [
  { messages: 1_000, contacts: 1_000, jobs: 1_000, recipients: 1_000, deliveries: 1_000, entries: 1_000 },
  inForm(
    {
      messages: 1_000_000,
      contacts: 100_000,
      jobs: 10_000,
      recipients: 100_000,
      deliveries: 1_000_000,
      entries: 100_000,
    },
    {
      messages: 50_000,
      contacts: 10_000,
      jobs: 2_000,
      recipients: 10_000,
      deliveries: 50_000,
      entries: 10_000,
    },
  ),
];
const ROUNDS = inForm(5, 3);
const READS_PER_ROUND = inForm(40, 10);
const WARM_UP_READS = inForm(20, 5);
/** Maximum ratio of the large account's p99 to that of the small one. */
const GOAL = 1.5;

export const about = {
  measures: `the requests of the dashboard pages with ${SIZES[1]?.messages.toLocaleString('en')} messages`,
  floor: `the same with ${SIZES[0]?.messages.toLocaleString('en')} of each; ratios are of p99`,
};

/** Account with a signed-in dashboard user. */
interface Desk {
  rows: SeededRows;
  email: string;
  password: string;
  read(path: string): Promise<Record<string, unknown>>;
}

/**
 * Measures the requests of the dashboard pages, with a thousand rows of each kind and with a million messages and
 * deliveries. Rounds are interleaved, and requests pass through the gateway and all services.
 */
export default async function measure({ environment, log }: BenchOptions): Promise<(SizeFigure | PageFigure)[]> {
  const installation = await startInstallation('console', { CONSOLE_REQUESTS_PER_MINUTE: '100000' });
  try {
    const desks: Desk[] = [];
    for (const [index, size] of SIZES.entries()) {
      const beganAt = performance.now();
      desks.push(await openDesk(installation, `console-${index}`, size));
      log(`seeded ${size.messages} messages and the rest in ${Math.round((performance.now() - beganAt) / 1_000)} s`);
    }
    const times = await timesOf(desks);
    const figures = [...times].map(([name, [small = [], large = []]]) => figureOf(name, small, large));
    const missed = figures.filter(({ ratioP99 }) => ratioP99 > GOAL);
    log(
      missed.length === 0
        ? `every read keeps ${GOAL} x`
        : `above ${GOAL} x: ${missed.map(({ name }) => name).join('; ')}`,
    );
    const origin = installation.baseUrl.replace(/\/v1$/, '');
    const [, { rows, email, password }] = desks as [Desk, Desk];
    const pages = await measurePages({ origin, rows, email, password, environment, log });
    const frozen = pages.filter(({ longestTaskMs }) => longestTaskMs > FREEZE_MS);
    log(
      frozen.length === 0
        ? `no page freezes for ${FREEZE_MS} ms`
        : `longer than ${FREEZE_MS} ms: ${frozen.map(({ name }) => name).join('; ')}`,
    );
    return [...figures, ...pages];
  } finally {
    await installation.stop();
  }
}

/** Returns the requests of each page: on opening, with filters and, for lists, for a later page. */
function readsOf({ messageId, contactId, phone, jobId, eventId, toldMessageId }: SeededRows): Record<string, string> {
  return {
    overview: '/figures?days=14',
    'overview, 90 days': '/figures?days=90',
    'overview: steps': '/first-steps',
    account: '/account',
    messages: '/messages',
    'messages: failed': '/messages?status=failed',
    'messages: received images': '/messages?direction=inbound&type=image',
    'messages: of a phone': `/messages?phone=${phone}`,
    message: `/messages/${messageId}`,
    conversations: '/conversations',
    'conversations: open windows': '/conversations?windowOpen=true',
    'conversations: search': '/conversations?search=asha',
    conversation: `/conversations/${phone}/messages`,
    contacts: '/contacts',
    'contacts: search': '/contacts?search=asha',
    'contacts: opted out': '/contacts?optedOut=true',
    contact: `/contacts/${contactId}`,
    templates: '/templates',
    jobs: '/jobs',
    'jobs: completed': '/jobs?status=completed',
    'jobs: failed (none)': '/jobs?status=failed',
    job: `/jobs/${jobId}`,
    'job: recipients': `/jobs/${jobId}/recipients`,
    'job: failed recipients': `/jobs/${jobId}/recipients?status=failed`,
    'webhook log': '/webhook-events',
    'webhook log: dropped': '/webhook-events?state=dropped',
    'webhook log: of a message': `/webhook-events?messageId=${toldMessageId}`,
    'webhook event': `/webhook-events/${eventId}`,
    'webhook endpoints': '/webhook-endpoints',
    'webhook replays: count': `/webhook-replays/count?since=${new Date(Date.now() - 86_400_000).toISOString()}`,
    numbers: '/numbers',
    'credit ledger': '/credits',
    'audit log': '/audit-log',
    'audit log: an action': '/audit-log?action=key',
    keys: '/keys',
    'one-time passwords': '/otp/figures?days=30',
  };
}

/** Returns whether the response is a list with a second page to read. */
const isList = (page: Record<string, unknown>): page is { nextCursor: string } => typeof cursorOf(page) === 'string';
const cursorOf = ({ nextCursor, pagination }: Record<string, unknown>): unknown =>
  nextCursor ?? (pagination as { nextCursor?: unknown } | undefined)?.nextCursor;

async function timesOf(desks: readonly Desk[]): Promise<Map<string, number[][]>> {
  const paths = await Promise.all(desks.map(withNextPages));
  const names = Object.keys(paths[0] ?? {});
  const times = new Map(names.map((name) => [name, desks.map((): number[] => [])]));
  const repeat = async (name: string, index: number, reads: number): Promise<number[]> => {
    const durations: number[] = [];
    for (let each = 0; each < reads; each += 1) {
      const beganAt = performance.now();
      await desks[index]?.read(paths[index]?.[name] ?? '');
      durations.push(performance.now() - beganAt);
    }
    return durations;
  };
  for (const name of names) for (const index of desks.keys()) await repeat(name, index, WARM_UP_READS);
  for (let lap = 0; lap < ROUNDS; lap += 1)
    for (const name of names)
      for (const index of desks.keys()) times.get(name)?.[index]?.push(...(await repeat(name, index, READS_PER_ROUND)));
  return times;
}

async function withNextPages({ rows, read }: Desk): Promise<Record<string, string>> {
  const paths = readsOf(rows);
  for (const [name, path] of Object.entries(paths)) {
    const page = await read(path);
    if (isList(page))
      paths[`${name}, next page`] =
        `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(String(cursorOf(page)))}`;
  }
  return paths;
}

async function openDesk(installation: Installation, name: string, size: AccountSize): Promise<Desk> {
  const { accountId } = await newCustomer(installation, name, { credits: 1_000 });
  const rows = await seedRows(installation.databaseUrl, accountId, size);
  const { email, password, call } = await newOwner(installation, { accountId, email: `${name}@example.com` });
  return {
    rows,
    email,
    password,
    read: async (path) => {
      const { status, body } = await call('GET', path);
      if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}
