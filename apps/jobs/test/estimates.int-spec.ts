import {
  AppError,
  estimateExcelJobV1,
  type EstimateJobCommand,
  estimateJobV1,
  type EstimateSendsReply,
  type JobRow,
  newId,
  stageJobRowsV1,
} from '@switchboard/contracts';
import { workbooks } from '@switchboard/testing';
import { create, phonesOf, rowsOf, type RunningJobs, TEMPLATE } from './support/start-jobs';
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

/** Counts the rows of every table. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = (await jobs.dataSource.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  )) as { name: string }[];
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = (await jobs.dataSource.query(`SELECT count(*)::int AS count FROM "${name}"`)) as { count: number }[];
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

const csvOf = (phones: readonly string[]): Buffer => Buffer.from(`phone\n${phones.join('\n')}\n`);

describe('estimates of jobs', () => {
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
    const { sendAt } = await estimate(rowsOf(phonesOf(1)), { scheduledAt });
    expect(sendAt).toBe(scheduledAt);
    expect(jobs.messaging.estimates).toEqual([
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
    expect(jobs.messaging.estimates.map(({ recipients }) => recipients.length)).toEqual([1_000, 1_000, 500]);
    const accountId = newId('acc');
    const blobKey = await sheets.store(accountId, csvOf(phonesOf(10)));
    await jobs.gateway.request(estimateExcelJobV1, { accountId, blobKey, maxRows: 100, message: TEMPLATE });
    await expect(estimate(rowsOf(['12']), { ...ids, parts: 0 })).rejects.toMatchObject({ code: 'INVALID_PHONE' });
    expect(await rowCounts()).toEqual(before);
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
    const sizes = jobs.messaging.estimates.map(({ recipients }) => recipients.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    process.stdout.write(`estimate of 100,000 rows in ${sizes.length} parts: ${seconds} s\n`);
  });
});
