import {
  AppError,
  createHeldExcelJobV1,
  estimateExcelJobV1,
  type EstimateJobCommand,
  estimateJobV1,
  type EstimateSendsReply,
  firstIdAt,
  type JobRow,
  listJobsV1,
  newId,
  stageJobRowsV1,
  sumEstimatesV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually, workbooks } from '@switchboard/testing';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, TEMPLATE } from './support/start-jobs';
import { type SheetJobs, startSheetJobs } from './support/sheet-jobs';

let sheets: SheetJobs;
let jobs: RunningJobs;

beforeAll(async () => {
  sheets = await startSheetJobs();
  jobs = sheets.jobs;
});
beforeEach(() => {
  jobs.messaging.estimates.length = 0;
});
afterAll(() => sheets.stop());

const estimate = (rows: JobRow[], more: Partial<EstimateJobCommand> = {}) =>
  jobs.gateway.request(estimateJobV1, {
    accountId: newId('acc'),
    jobId: newId('job'),
    message: TEMPLATE,
    rows,
    ...more,
  });

const estimatesOf = (accountId: string) =>
  jobs.messaging.estimates.filter((estimate) => estimate.accountId === accountId);

/** Counts the rows of every table. */
/** Returns the number of rows by table, without those of events, which earlier jobs of this file still publish. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = (await jobs.dataSource.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  )) as { name: string }[];
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    if (name === 'outbox' || name === 'published') continue;
    const [row] = (await jobs.dataSource.query(`SELECT count(*)::int AS count FROM "${name}"`)) as { count: number }[];
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

const eventsOf = (accountIds: string[]): Promise<unknown[]> =>
  query(
    jobs.dataSource,
    `SELECT name FROM (SELECT name, body FROM outbox UNION ALL SELECT name, body FROM published) AS events
     WHERE body::jsonb ->> 'accountId' = ANY ($1)`,
    [accountIds],
  );

const csvOf = (phones: readonly string[]): Buffer => Buffer.from(`phone\n${phones.join('\n')}\n`);

describe('job estimates', () => {
  it('count the recipients like a real job', async () => {
    const rows = rowsOf([...phonesOf(3), '12', phonesOf(1)[0] ?? '']);
    const estimated = await estimate(rows);
    const held = await create(jobs, rows, { hold: true });
    const { jobId: _id, status: _status, ...created } = { ...held, accountId: undefined };
    expect({ ...estimated, accountId: undefined }).toMatchObject(created);
    expect(estimated).toMatchObject({
      dryRun: true,
      total: 5,
      accepted: 3,
      rejected: 1,
      duplicates: 1,
      messages: 3,
      currency: 'USD',
      price: { lowest: '0.03', highest: '0.03', unrated: 0 },
      lines: [{ category: 'utility', market: 'India', messages: 3 }],
      failures: [{ reason: 'invalid', code: 'INVALID_PHONE', recipients: 1, examples: [{ index: 3, phone: '12' }] }],
      durationSeconds: 1,
    });
  });

  it('list recipients whose sends would fail', async () => {
    const reply: EstimateSendsReply = {
      currency: null,
      groups: [],
      rejections: [{ index: 1, reason: 'opted_out', code: 'RECIPIENT_OPTED_OUT' }],
      initiated: 0,
    };
    const usual = jobs.messaging.estimateOf;
    jobs.messaging.estimateOf = () => reply;
    const [first, second] = phonesOf(2);
    const rows = [{ position: 5, phone: '1' }, ...rowsOf([first ?? '', second ?? ''])];
    const { failures, messages } = await estimate(rows).finally(() => (jobs.messaging.estimateOf = usual));
    expect(messages).toBe(1);
    expect(failures).toContainEqual({
      reason: 'opted_out',
      code: 'RECIPIENT_OPTED_OUT',
      recipients: 1,
      examples: [{ index: 1, phone: second }],
    });
  });

  it('use the scheduled time, number and category of the job', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const accountId = newId('acc');
    const { sendAt } = await estimate(rowsOf(phonesOf(1)), { accountId, scheduledAt });
    expect(sendAt).toBe(scheduledAt);
    expect(estimatesOf(accountId)).toEqual([
      expect.objectContaining({ at: scheduledAt, from: '15550783881', category: 'UTILITY' }),
    ]);
  });

  it('fail like a real job', async () => {
    await expect(estimate(rowsOf(['12', '13']))).rejects.toMatchObject({ code: 'INVALID_PHONE' });
    jobs.messaging.refusal = new AppError('TEMPLATE_NOT_FOUND');
    const estimated = estimate(rowsOf(phonesOf(1))).finally(() => (jobs.messaging.refusal = undefined));
    await expect(estimated).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  });

  it('leave no rows in any table', async () => {
    const before = await rowCounts();
    const ids = { accountId: newId('acc'), jobId: newId('job') };
    const phones = phonesOf(2_500);
    const parts = [phones.slice(0, 1_000), phones.slice(1_000, 2_000)];
    for (const [part, some] of parts.entries())
      await jobs.gateway.request(stageJobRowsV1, { ...ids, part, rows: rowsOf(some) });
    const { accepted } = await estimate(rowsOf(phones.slice(2_000)), { ...ids, parts: 2 });
    expect(accepted).toBe(2_500);
    expect(estimatesOf(ids.accountId).map(({ recipients }) => recipients.length)).toEqual([1_000, 1_000, 500]);
    const accountId = newId('acc');
    const blobKey = await sheets.store(accountId, csvOf(phonesOf(10)));
    await jobs.gateway.request(estimateExcelJobV1, { accountId, blobKey, maxRows: 100, message: TEMPLATE });
    await expect(estimate(rowsOf(['12']), { ...ids, parts: 0 })).rejects.toMatchObject({ code: 'INVALID_PHONE' });
    expect(await rowCounts()).toEqual(before);
    expect(await eventsOf([ids.accountId, accountId])).toEqual([]);
    await expect(sheets.blobs.get(blobKey)).rejects.toThrow();
  });

  it('report the format and the row errors of a file', async () => {
    const accountId = newId('acc');
    const { bookOf, inline, row } = workbooks;
    const blobKey = await sheets.store(
      accountId,
      bookOf({ sheets: [{ rows: row(inline('phone')) + row(inline('919812345678')) + row(inline('12')) }] }),
    );
    const command = { accountId, blobKey, maxRows: 100, message: TEMPLATE };
    expect(await jobs.gateway.request(estimateExcelJobV1, command)).toMatchObject({
      sheet: { format: 'xlsx' },
      accepted: 1,
      errors: [{ index: 3, code: 'INVALID_PHONE' }],
      failures: [{ reason: 'invalid', examples: [{ index: 3 }] }],
    });
  });

  it('process 100,000 rows in batches of at most 1,000', async () => {
    const accountId = newId('acc');
    const blobKey = await sheets.store(accountId, csvOf(phonesOf(100_000)));
    const startedAt = performance.now();
    const { accepted, price } = await jobs.gateway.request(estimateExcelJobV1, {
      accountId,
      blobKey,
      maxRows: 100_000,
      message: TEMPLATE,
    });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    expect([accepted, price.lowest]).toEqual([100_000, '1000.00']);
    const sizes = estimatesOf(accountId).map(({ recipients }) => recipients.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    process.stdout.write(`estimate of 100,000 rows in ${sizes.length} parts: ${seconds} s\n`);
  });

  it('cover all numbers of the job', async () => {
    const accountId = newId('acc');
    const numbers = ['15550000001', '15550000002'];
    await estimate(rowsOf(phonesOf(1)), { accountId, numbers });
    expect(estimatesOf(accountId)).toMatchObject([{ from: numbers[0], numbers }]);
  });

  it('report how many messages a spend cap allows', async () => {
    const accountId = newId('acc');
    const rows = rowsOf(phonesOf(3));
    const maxSpend = { amount: '0.02', currency: 'USD' };
    const covered = { messagesAtHighest: 2, messagesAtLowest: 2, wouldPause: true };
    expect((await estimate(rows, { accountId, maxSpend })).spendCap).toEqual({ ...maxSpend, ...covered });
    expect(estimatesOf(accountId)).toMatchObject([{ isCapped: true }]);
    expect((await estimate(rows)).spendCap).toBeNull();
    const blobKey = await sheets.store(accountId, csvOf(phonesOf(3)));
    const command = { accountId, blobKey, maxRows: 100, message: TEMPLATE, maxSpend };
    expect((await jobs.gateway.request(estimateExcelJobV1, command)).spendCap).toMatchObject(covered);
  });

  it("report what the account's spend cap leaves for the job", async () => {
    const rows = rowsOf(phonesOf(3));
    expect((await estimate(rows)).accountSpendCap).toBeNull();
    const spendCap = { amount: '0.10', currency: 'USD', month: '2026-11', spent: '0.07', reserved: '0.01' };
    jobs.messaging.spendCap = spendCap;
    const estimated = await estimate(rows).finally(() => (jobs.messaging.spendCap = null));
    const covered = { messagesAtHighest: 2, messagesAtLowest: 2, wouldPause: true };
    expect(estimated).toMatchObject({ spendCap: null, accountSpendCap: { ...spendCap, ...covered } });
  });
});

describe('stored job estimate', () => {
  const usual = () => jobs.messaging.estimateOf;
  let estimateOf: ReturnType<typeof usual>;
  beforeEach(() => {
    estimateOf = usual();
  });
  afterEach(() => {
    jobs.messaging.estimateOf = estimateOf;
  });

  const estimated = (created: { accountId: string; jobId: string }) =>
    eventually(async () => {
      const { estimate: stored = null } = await jobOf(jobs, created);
      expect(stored).not.toBeNull();
      return stored;
    });
  const createFromSheet = async (rows: number) => {
    const ids = { accountId: newId('acc'), jobId: newId('job') };
    const blobKey = await sheets.store(ids.accountId, csvOf(phonesOf(rows)));
    await jobs.gateway.request(createHeldExcelJobV1, { ...ids, blobKey, maxRows: rows, message: TEMPLATE });
    return ids;
  };
  const due = ({ accountId, jobId }: { accountId: string; jobId: string }) =>
    query<{ after: Date | null }>(
      jobs.dataSource,
      'SELECT estimate_after AS after FROM jobs WHERE account_id = $1 AND id = $2',
      [accountId, jobId],
    );
  const isDone = (created: { accountId: string; jobId: string }) =>
    eventually(async () => expect(await due(created)).toEqual([{ after: null }]));

  it('equals the dry-run estimate for lists and spreadsheets', async () => {
    const rows = rowsOf([...phonesOf(3), '12', '919800000000']);
    const accountId = newId('acc');
    const dry = await estimate(rows);
    const created = await create(jobs, rows, { accountId, hold: true });
    expect(await estimated(created)).toEqual({
      currency: dry.currency,
      ...dry.price,
      messages: dry.messages,
      free: 0,
      charged: 3,
      estimatedAt: expect.any(String) as string,
    });
    const { jobs: listed } = await jobs.gateway.request(listJobsV1, { accountId, page: 1, limit: 20 });
    expect(listed).toMatchObject([{ estimate: { messages: 3 } }]);
    const ofSheet = await createFromSheet(2_500);
    expect(await estimated(ofSheet)).toMatchObject({ lowest: '25.00', messages: 2_500 });
    const parts = estimatesOf(ofSheet.accountId).map(({ recipients }) => recipients.length);
    expect(parts).toEqual([1_000, 1_000, 500]);
  });

  it("uses the job's time, category and cap", async () => {
    const accountId = newId('acc');
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const maxSpend = { amount: '1', currency: 'USD' };
    await estimated(await create(jobs, rowsOf(phonesOf(1)), { accountId, scheduledAt, maxSpend }));
    expect(estimatesOf(accountId)).toMatchObject([{ at: scheduledAt, category: 'UTILITY', isCapped: true }]);
  });

  it('is absent if the price is unknown, and the job runs', async () => {
    jobs.messaging.estimateOf = ({ recipients }) => ({
      currency: null,
      groups: [],
      rejections: [],
      initiated: recipients.length,
    });
    const created = await create(jobs, rowsOf(phonesOf(3)));
    await isDone(created);
    expect(await becomes(jobs, created, { status: 'completed' })).toMatchObject({ estimate: null, accepted: 3 });
  });

  it('is absent if messaging rejects the request, and the job runs', async () => {
    jobs.messaging.estimateOf = () => {
      throw new AppError('INVALID_VALUE');
    };
    const created = await create(jobs, rowsOf(phonesOf(3)));
    await isDone(created);
    expect(await becomes(jobs, created, { status: 'completed' })).toMatchObject({ estimate: null });
  });

  it('is stored once if another process continues it', async () => {
    let calls = 0;
    jobs.messaging.estimateOf = () => {
      calls += 1;
      throw new AppError('UNAVAILABLE');
    };
    const created = await create(jobs, rowsOf(phonesOf(2)), { hold: true });
    await eventually(() => expect(calls).toBe(1));
    expect((await due(created))[0]?.after?.getTime()).toBeGreaterThan(Date.now());
    jobs.messaging.estimateOf = estimateOf;
    const forward = () =>
      query(jobs.dataSource, 'UPDATE jobs SET estimate_after = now() WHERE account_id = $1 AND id = $2', [
        created.accountId,
        created.jobId,
      ]);
    await forward();
    const first = await estimated(created);
    await forward();
    await isDone(created);
    expect(await estimated(created)).toEqual(first);
  });

  it('is abandoned after an hour', async () => {
    jobs.messaging.estimateOf = () => {
      throw new AppError('UNAVAILABLE');
    };
    const created = await create(jobs, rowsOf(phonesOf(2)), { hold: true });
    await eventually(() => expect(estimatesOf(created.accountId)).toHaveLength(1));
    jobs.messaging.estimateOf = estimateOf;
    await query(
      jobs.dataSource,
      "UPDATE jobs SET estimate_after = now(), created_at = now() - interval '2 hours' WHERE account_id = $1",
      [created.accountId],
    );
    await isDone(created);
    expect((await jobOf(jobs, created)).estimate).toBeNull();
  });

  it('is totalled by month', async () => {
    const accountId = newId('acc');
    await estimated(await create(jobs, rowsOf(phonesOf(2)), { accountId, hold: true }));
    await estimated(await create(jobs, rowsOf(phonesOf(3)), { accountId, hold: true }));
    const old = firstIdAt('job', Date.parse('2026-01-31T23:59:59Z'));
    await estimated(await create(jobs, rowsOf(phonesOf(7)), { accountId, jobId: old, hold: true }));
    const sum = (month: string, currency = 'USD') =>
      jobs.gateway.request(sumEstimatesV1, { accountId, month, currency });
    const month = new Date().toISOString().slice(0, 7);
    const nothing = { lowest: null, highest: null, unrated: 0, messages: 0 };
    expect(await sum(month)).toEqual({
      lowest: '0.05',
      highest: '0.05',
      unrated: 0,
      jobs: 2,
      messages: 5,
      withoutEstimate: 0,
    });
    expect(await sum(month, 'EUR')).toEqual({ ...nothing, jobs: 0, withoutEstimate: 2 });
    expect(await sum('2026-01')).toMatchObject({ jobs: 1, messages: 7 });
    expect(await sum('2026-02')).toEqual({ ...nothing, jobs: 0, withoutEstimate: 0 });
    const page = { accountId, page: 1, limit: 20 };
    expect(await jobs.gateway.request(listJobsV1, { ...page, month: '2026-01' })).toMatchObject({
      jobs: [{ jobId: old }],
      total: 1,
    });
    expect((await jobs.gateway.request(listJobsV1, { ...page, month })).jobs).toHaveLength(2);
  });

  it('does not delay the creation of a job', async () => {
    const took = async (): Promise<number> => {
      const startedAt = performance.now();
      await createFromSheet(10_000);
      return performance.now() - startedAt;
    };
    await took();
    // Estimates that take longer than the test: creations do not wait for them.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const answer = estimateOf;
    let waiting = 0;
    jobs.messaging.estimateOf = (command) => {
      waiting += 1;
      return held.then(() => answer(command)) as never;
    };
    const first = await took();
    await eventually(() => expect(waiting).toBe(1));
    const second = await took();
    expect(waiting).toBe(1);
    release();
    process.stdout.write(`creation of 10,000 recipients: ${first.toFixed(0)} and ${second.toFixed(0)} ms\n`);
  });
});
