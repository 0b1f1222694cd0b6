import { controlJobV1, newId, runJobRetentionV1, type RunJobRetentionReply } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;
type Ids = { accountId: string; jobId: string };

beforeAll(async () => {
  jobs = await startJobs();
});
beforeEach(() => {
  jobs.messaging.messageDaysOf = () => 30;
});
afterAll(() => jobs.stop());

const run = (request: { accountId?: string; dryRun: boolean }): Promise<RunJobRetentionReply> =>
  jobs.gateway.request(runJobRetentionV1, request);
const rowsOfJob = async ({ jobId }: Ids): Promise<number> =>
  (
    await query<{ count: number }>(jobs.dataSource, 'SELECT count(*)::int AS count FROM recipients WHERE job_id = $1', [
      jobId,
    ])
  )[0]?.count ?? 0;

/** Creates a job that ended the given number of days ago. */
async function ended(daysAgo: number, { accountId = newId('acc'), phones = phonesOf(3) } = {}): Promise<Ids> {
  const job = await create(jobs, rowsOf(phones), { accountId });
  await becomes(jobs, job, { status: 'completed' });
  await jobs.dataSource.query(
    "UPDATE jobs SET created_at = now() - interval '400 days', completed_at = now() - make_interval(days => $2::int) WHERE id = $1",
    [job.jobId, daysAgo],
  );
  return job;
}

it('deletes expired jobs completely, after a dry run that counts them', async () => {
  const accountId = newId('acc');
  const old = await ended(31, { accountId, phones: [...phonesOf(3), '12', phonesOf(1)[0] ?? ''] });
  const older = await ended(300, { accountId });
  const younger = await ended(29, { accountId });
  expect(await run({ accountId, dryRun: true })).toEqual({ jobs: 2, recipients: 7, done: true });
  expect(await rowsOfJob(old)).toBe(4);
  expect(await run({ accountId, dryRun: false })).toEqual({ jobs: 2, recipients: 7, done: true });
  for (const gone of [old, older]) {
    await expect(jobOf(jobs, gone)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await rowsOfJob(gone)).toBe(0);
  }
  expect(await jobOf(jobs, younger)).toMatchObject({ status: 'completed', total: 3 });
  expect(await rowsOfJob(younger)).toBe(3);
  expect(await run({ accountId, dryRun: false })).toEqual({ jobs: 0, recipients: 0, done: true });
});

it('counts recipients beyond the int4 range', async () => {
  const accountId = newId('acc');
  for (const job of [await ended(31, { accountId }), await ended(31, { accountId })])
    await query(jobs.dataSource, 'UPDATE jobs SET total = 2000000000 WHERE id = $1', [job.jobId]);
  expect(await run({ accountId, dryRun: true })).toEqual({ jobs: 2, recipients: 4_000_000_000, done: true });
});

it('ignores reports about a deleted job', async () => {
  const old = await ended(31);
  const [sent] = jobs.messaging.sent.filter(({ jobId }) => jobId === old.jobId);
  await run({ accountId: old.accountId, dryRun: false });
  await jobs.messaging.report(old, [{ messageId: sent?.messageId ?? '', status: 'read' }]);
  await becomes(jobs, await create(jobs, rowsOf(phonesOf(1))), { status: 'completed' });
  expect(await rowsOfJob(old)).toBe(0);
});

it('keeps jobs forever if the account keeps messages forever', async () => {
  const old = await ended(3_000);
  jobs.messaging.messageDaysOf = () => null;
  for (const dryRun of [true, false])
    expect(await run({ accountId: old.accountId, dryRun })).toEqual({ jobs: 0, recipients: 0, done: true });
  expect(await rowsOfJob(old)).toBe(3);
  jobs.messaging.messageDaysOf = () => 3_001;
  expect(await run({ accountId: old.accountId, dryRun: false })).toMatchObject({ jobs: 0 });
});

it('keeps jobs of any age while they have open recipients', async () => {
  const accountId = newId('acc');
  await ended(31, { accountId });
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = await create(jobs, rowsOf(phonesOf(1)), { accountId, scheduledAt });
  jobs.messaging.outcomeOf = () => undefined;
  const out = await create(jobs, rowsOf(phonesOf(1)), { accountId });
  await eventually(() => expect(jobs.messaging.sent.map(({ jobId }) => jobId)).toContain(out.jobId));
  jobs.messaging.outcomeOf = () => ({ status: 'accepted' });
  await jobs.gateway.request(controlJobV1, { accountId, jobId: out.jobId, action: 'cancel' });
  await jobs.dataSource.query(
    "UPDATE jobs SET created_at = now() - interval '400 days', completed_at = completed_at - interval '400 days' WHERE id = ANY ($1)",
    [[later.jobId, out.jobId]],
  );
  expect(await run({ accountId, dryRun: true })).toMatchObject({ jobs: 1 });
  expect(await run({ accountId, dryRun: false })).toMatchObject({ jobs: 1 });
  expect(await jobOf(jobs, { accountId, jobId: later.jobId })).toMatchObject({ status: 'queued' });
  expect(await jobOf(jobs, { accountId, jobId: out.jobId })).toMatchObject({ status: 'cancelled', pending: 1 });
});

it('deletes a bounded number per step, over all accounts', async () => {
  while (!(await run({ dryRun: false })).done);
  const [forEver, one, other] = [await ended(31), await ended(31), await ended(31)];
  jobs.messaging.messageDaysOf = (accountId) => (accountId === forEver.accountId ? null : 30);
  // Add rows of a large job. A step ends with the job that reaches its limit.
  await jobs.dataSource.query(
    `INSERT INTO recipients (job_id, account_id, position, phone, status) SELECT $1, $2, position, '919800000000', 'read' FROM generate_series(100, 20100) AS position`,
    [one.jobId, one.accountId],
  );
  const first = await run({ dryRun: false });
  const second = await run({ dryRun: false });
  expect([first.done, second.done]).toEqual([false, true]);
  expect([first.jobs + second.jobs, first.recipients + second.recipients]).toEqual([2, 20_007]);
  for (const gone of [one, other]) expect(await rowsOfJob(gone)).toBe(0);
  expect(await rowsOfJob(forEver)).toBe(3);
}, 60_000);
