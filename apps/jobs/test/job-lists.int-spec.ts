import {
  getJobV1,
  type JobRecord,
  jobsErasePersonV1,
  listJobsV1,
  listRecipientsV1,
  newId,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { becomes, create, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;

beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs.stop());

describe('job and recipient lists', () => {
  it("list an account's jobs page by page, newest first", async () => {
    const accountId = newId('acc');
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await create(jobs, rowsOf(phonesOf(1)), { accountId })).jobId);
    await becomes(jobs, { accountId, jobId: made[0] ?? '' }, { status: 'completed' });
    const page = (
      more: object,
    ): Promise<{ jobs: JobRecord[]; total: number; hasNext: boolean; nextCursor: string | null }> =>
      jobs.gateway.request(listJobsV1, { accountId, page: 1, limit: 2, ...more });
    const first = await page({});
    expect([first.jobs.map(({ jobId }) => jobId), first.total, first.hasNext]).toEqual([made.slice(0, 2), 5, true]);
    expect((await page({ page: 2 })).jobs.map(({ jobId }) => jobId)).toEqual(made.slice(2, 4));
    const second = await page({ cursor: first.nextCursor });
    const third = await page({ cursor: second.nextCursor });
    expect([...second.jobs, ...third.jobs].map(({ jobId }) => jobId)).toEqual(made.slice(2));
    expect([third.hasNext, third.nextCursor]).toEqual([false, null]);
    expect(await page({ status: 'cancelled' })).toMatchObject({ jobs: [], total: 0 });
    await expect(page({ cursor: 'AAAA' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('list recipients in order, page by page', async () => {
    const job = await create(jobs, rowsOf([...phonesOf(4), '12']));
    await becomes(jobs, job, { status: 'completed' });
    const page = (
      more: object,
    ): Promise<{ recipients: { index: number }[]; total: number; nextCursor: string | null }> =>
      jobs.gateway.request(listRecipientsV1, {
        accountId: job.accountId,
        jobId: job.jobId,
        page: 1,
        limit: 2,
        ...more,
      });
    const first = await page({});
    expect([first.recipients.map(({ index }) => index), first.total]).toEqual([[0, 1], 5]);
    const second = await page({ cursor: first.nextCursor });
    expect(second.recipients.map(({ index }) => index)).toEqual([2, 3]);
    expect(await page({ cursor: second.nextCursor })).toMatchObject({ recipients: [{ index: 4 }], nextCursor: null });
    expect((await page({ page: 3 })).recipients.map(({ index }) => index)).toEqual([4]);
    expect(await page({ status: 'accepted', page: 2 })).toMatchObject({
      total: 4,
      recipients: [{ index: 2 }, { index: 3 }],
    });
    await expect(
      jobs.gateway.request(listRecipientsV1, { accountId: newId('acc'), jobId: job.jobId, page: 1, limit: 2 }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([newId('job'), 'job_\u0000'])('return NOT_FOUND for the job id %j', async (jobId) => {
    await expect(jobs.gateway.request(getJobV1, { accountId: newId('acc'), jobId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'not found: no such job',
    });
  });
});

it('recipient lists omit an erased contact and keep counts consistent', async () => {
  const accountId = newId('acc');
  const rows = rowsOf(['919811111111', '919822222222', '+919811111111']).map((row) => ({
    ...row,
    clientRef: 'secret-ref',
  }));
  const done = await create(jobs, rows, { accountId });
  const elsewhere = await create(jobs, rows);
  const later = await create(jobs, rows, { accountId, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
  for (const job of [done, elsewhere]) await becomes(jobs, job, { status: 'completed' });
  const erase = (dryRun: boolean): Promise<object> =>
    jobs.gateway.request(jobsErasePersonV1, { accountId, phones: ['919811111111', '918888888888'], dryRun });
  expect(await erase(true)).toEqual({ recipients: 4, done: true });
  expect(await erase(false)).toEqual({ recipients: 4, done: true });
  expect(await erase(false)).toEqual({ recipients: 0, done: true });
  await becomes(jobs, later, { status: 'queued', pending: 1, cancelled: 1, rejected: 1 });
  await becomes(jobs, done, { status: 'completed', accepted: 2, rejected: 1 });
  const { recipients } = await jobs.gateway.request(listRecipientsV1, {
    accountId,
    jobId: done.jobId,
    page: 1,
    limit: 10,
  });
  expect(recipients.map(({ phone, clientRef }) => [phone, clientRef])).toEqual([
    [null, null],
    ['919822222222', 'secret-ref'],
    [null, null],
  ]);
  const left = await query(
    jobs.dataSource,
    "SELECT 1 FROM recipients WHERE account_id = $1 AND recipients::text LIKE '%9811111111%'",
    [accountId],
  );
  expect(left).toEqual([]);
});
