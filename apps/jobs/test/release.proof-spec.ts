import { newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { becomes, create, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

// The tests wait for real release rates, on machines of any speed.
jest.setTimeout(90_000);
let jobs: RunningJobs;

beforeEach(async () => {
  jobs = await startJobs({ JOBS_MAX_OUTSTANDING: 100 });
});
afterEach(() => jobs.stop());

/** Returns the maximum number of recipients released within any second. */
function busiestSecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

it("keeps a number's rate across two processes", async () => {
  jobs.messaging.throughput = 50;
  await jobs.startService();
  const created = await create(jobs, rowsOf(phonesOf(150)));
  await becomes(jobs, created, { status: 'completed', accepted: 150 });
  const { sent } = jobs.messaging;
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(150);
  // The saved allowance of a second, plus the difference between two clocks.
  expect(busiestSecond(sent.map(({ at }) => at))).toBeLessThanOrEqual(50 + 50 + 15);
  expect(Math.max(...sent.map(({ at }) => at)) - Math.min(...sent.map(({ at }) => at))).toBeGreaterThan(1_500);
});

it('shares a number fairly among its jobs without slowing others', async () => {
  jobs.messaging.throughput = 60;
  const accountId = newId('acc');
  const long = await create(jobs, rowsOf(phonesOf(200)), { accountId });
  await eventually(() => expect(jobs.messaging.sent.length).toBeGreaterThan(20));
  const before = jobs.messaging.sent.length;
  const short = await create(jobs, rowsOf(phonesOf(20)), { accountId });
  const other = await create(jobs, rowsOf(phonesOf(20)));
  await Promise.all([becomes(jobs, short, { status: 'completed' }), becomes(jobs, other, { status: 'completed' })]);
  const since = jobs.messaging.sent.slice(before);
  const lastOf = (jobId: string): number =>
    Math.max(...since.filter((sent) => sent.jobId === jobId).map(({ at }) => at));
  const ofLong = since.filter(({ jobId, at }) => jobId === long.jobId && at <= lastOf(short.jobId)).length;
  // Within one round, both jobs release equally many recipients in the same time.
  expect(ofLong).toBeGreaterThan(5);
  expect(ofLong).toBeLessThan(60);
  expect((await becomes(jobs, long, { status: 'completed' })).accepted).toBe(200);
});

it("creates a job while the number's row is locked", async () => {
  const accountId = newId('acc');
  await becomes(jobs, await create(jobs, rowsOf(phonesOf(1)), { accountId }), { status: 'completed' });
  const holder = jobs.dataSource.createQueryRunner();
  try {
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM lanes FOR UPDATE');
    const created = await create(jobs, rowsOf(phonesOf(1)), { accountId });
    await holder.rollbackTransaction();
    await becomes(jobs, created, { status: 'completed', accepted: 1 });
  } finally {
    if (holder.isTransactionActive) await holder.rollbackTransaction();
    await holder.release();
  }
});

it("applies the newest job's throughput and recovers after a minute", async () => {
  const accountId = newId('acc');
  const lane = async (): Promise<unknown[]> =>
    query(jobs.dataSource, 'SELECT throughput, rate, slowed_at IS NOT NULL AS "wasSlowed" FROM lanes');
  const createOne = async (): Promise<void> => {
    await becomes(jobs, await create(jobs, rowsOf(phonesOf(1)), { accountId }), { status: 'completed' });
  };
  await createOne();
  await query(jobs.dataSource, "UPDATE lanes SET rate = 5, slowed_at = now() - interval '2 minutes'");
  await createOne();
  expect(await lane()).toEqual([{ throughput: 1_000, rate: 1_000, wasSlowed: false }]);
  jobs.messaging.throughput = 60;
  await createOne();
  expect(await lane()).toEqual([{ throughput: 60, rate: 60, wasSlowed: false }]);
  await query(jobs.dataSource, 'UPDATE lanes SET rate = 5, slowed_at = now()');
  jobs.messaging.throughput = 80;
  await create(jobs, rowsOf(phonesOf(1)), { accountId });
  expect(await lane()).toMatchObject([{ throughput: 80, wasSlowed: true }]);
});

it('limits recipients without a result', async () => {
  const { sent } = jobs.messaging;
  const reported = new Set<string>();
  let most = 0;
  jobs.messaging.outcomeOf = () => {
    most = Math.max(most, sent.length - reported.size);
    return undefined;
  };
  const created = await create(jobs, rowsOf(phonesOf(500)));
  // Rounds run every 0.2 s. A round that would fill less than a quarter of the limit is skipped.
  for (const results of [60, 120, 180]) {
    await eventually(() => expect(sent.length - reported.size).toBeGreaterThan(75));
    const next = sent.slice(reported.size, results).map(({ messageId }) => messageId);
    for (const messageId of next) reported.add(messageId);
    await jobs.messaging.report(
      created,
      next.map((messageId) => ({ messageId, status: 'accepted' })),
    );
  }
  await becomes(jobs, created, { status: 'processing', accepted: 180, pending: 320 });
  expect(most).toBeGreaterThan(75);
  expect(most).toBeLessThanOrEqual(100);
});

it('slows down on throttling and resends without failures', async () => {
  jobs.messaging.throughput = 1_000;
  const seen = new Map<string, number>();
  jobs.messaging.outcomeOf = ({ messageId }) => {
    const times = (seen.get(messageId) ?? 0) + 1;
    seen.set(messageId, times);
    return times === 1 && seen.size <= 40 ? { status: 'throttled', retryAfterMs: 300 } : { status: 'accepted' };
  };
  const created = await create(jobs, rowsOf(phonesOf(120)));
  await eventually(async () => {
    const [lane] = await query<{ rate: number }>(jobs.dataSource, 'SELECT rate FROM lanes');
    expect(lane?.rate).toBeLessThan(600);
  });
  await becomes(jobs, created, { status: 'completed', accepted: 120, failed: 0 });
  expect([seen.size, [...seen.values()].filter((times) => times === 2).length]).toEqual([120, 40]);
});

it('delays one throttled recipient while the others continue', async () => {
  let throttledAt = 0;
  jobs.messaging.outcomeOf = ({ to }) => {
    if (to !== '919800000000' || throttledAt) return { status: 'accepted' };
    throttledAt = Date.now();
    return { status: 'throttled', scope: 'recipient', retryAfterMs: 1_200 };
  };
  const created = await create(jobs, rowsOf(phonesOf(60)));
  await becomes(jobs, created, { accepted: 59, pending: 1 });
  await becomes(jobs, created, { status: 'completed', accepted: 60 });
  const [lane] = await query<{ rate: number }>(jobs.dataSource, 'SELECT rate FROM lanes');
  expect(lane?.rate).toBe(1_000);
  const again = jobs.messaging.sent.filter(({ to }) => to === '919800000000').at(-1);
  expect((again?.at ?? 0) - throttledAt).toBeGreaterThan(1_000);
});

it('resumes after a restart and queries messages without a result', async () => {
  await jobs.stop();
  jobs = await startJobs({ JOBS_MAX_OUTSTANDING: 100, JOBS_RESULT_GRACE_SECONDS: 1 });
  const fates = ['none', 'accepted', 'unknown'] as const;
  const fateOf = (messageId: string): (typeof fates)[number] =>
    fates[(jobs.messaging.sent.findIndex((sent) => sent.messageId === messageId) % 3) as 0 | 1 | 2];
  jobs.messaging.outcomeOf = () => undefined;
  jobs.messaging.sendOf = (messageId) => ({ state: fateOf(messageId), upstreamId: null, error: null });
  const created = await create(jobs, rowsOf(phonesOf(30)));
  await eventually(() => expect(jobs.messaging.sent.length).toBe(30));
  await jobs.stopServices();
  const first = jobs.messaging.sent.map(({ messageId }) => messageId);
  jobs.messaging.outcomeOf = () => ({ status: 'accepted' });
  await jobs.startService();
  // Ten recipients had received the message. Ten had not and receive it now under their own ids. Ten stay open until
  // their outcome is known.
  await becomes(jobs, created, { status: 'processing', accepted: 20, pending: 10 });
  expect(
    jobs.messaging.sent
      .slice(30)
      .map(({ messageId }) => messageId)
      .sort(),
  ).toEqual(first.filter((id) => fateOf(id) === 'none').sort());
  await jobs.messaging.report(
    created,
    first.filter((id) => fateOf(id) === 'unknown').map((messageId) => ({ messageId, status: 'delivered' })),
  );
  await becomes(jobs, created, { status: 'completed', accepted: 20, delivered: 10 });
});

describe('8 MB component limit per transaction', () => {
  const COMPONENTS = 60_000;
  const COUNT = 400;
  const MOST = 8_388_608 + 2 * COMPONENTS;

  /** Creates a scheduled job whose recipients have large components. */
  async function createLong(): Promise<{ accountId: string; jobId: string }> {
    await jobs.stop();
    jobs = await startJobs({ JOBS_MAX_OUTSTANDING: 1_000, JOBS_MAX_PACE: 0 });
    const created = await create(jobs, rowsOf(phonesOf(COUNT)), {
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const components = [
      {
        type: 'body',
        parameters: Array.from({ length: 60 }, () => ({ type: 'text', text: 'x'.repeat(COMPONENTS / 60) })),
      },
    ];
    await query(jobs.dataSource, 'UPDATE recipients SET components = $2::jsonb WHERE job_id = $1', [
      created.jobId,
      JSON.stringify(components),
    ]);
    return created;
  }

  /** Returns the maximum size of components with the same time, that is, in one transaction. */
  async function largestStep(column: 'released_at' | 'failed_at', { jobId }: { jobId: string }): Promise<number> {
    const sum = `SELECT sum(octet_length(components::text))::int AS bytes FROM recipients WHERE job_id = $1 GROUP BY ${column} ORDER BY bytes DESC LIMIT 1`;
    return (await query<{ bytes: number }>(jobs.dataSource, sum, [jobId]))[0]?.bytes ?? 0;
  }

  it('applies when recipients are released', async () => {
    const created = await createLong();
    await query(jobs.dataSource, 'UPDATE jobs SET scheduled_at = now() WHERE id = $1', [created.jobId]);
    await becomes(jobs, created, { status: 'completed', accepted: COUNT });
    expect(jobs.messaging.sent).toHaveLength(COUNT);
    expect(await largestStep('released_at', created)).toBeLessThanOrEqual(MOST);
  });

  it('applies when recipients are closed', async () => {
    const created = await createLong();
    await query(jobs.dataSource, "UPDATE jobs SET status = 'processing', expire_at = now() WHERE id = $1", [
      created.jobId,
    ]);
    await becomes(jobs, created, { status: 'completed', failed: COUNT });
    await eventually(() => expect(jobs.messaging.failed.flatMap(({ recipients }) => recipients).length).toBe(COUNT));
    expect(await largestStep('failed_at', created)).toBeLessThanOrEqual(MOST);
  });
});
