import { getJobV1, newId } from '@switchboard/contracts';
import { type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;
const accountId = newId('acc');
const jobId = newId('job');

beforeAll(async () => {
  jobs = await startJobs();
  await jobs.dataSource.query(
    `INSERT INTO jobs (account_id, id, type, status, template, total, created_at)
     VALUES ($1, $2, 'bulk', 'processing', 'order_update', 3, '2026-03-02T10:15:00.120Z')`,
    [accountId, jobId],
  );
});
afterAll(() => jobs.stop());

it("answers with the account's job", async () => {
  const reply = await jobs.gateway.ask(getJobV1, { accountId, jobId });
  expect(reply.job).toEqual({
    jobId,
    type: 'bulk',
    status: 'processing',
    template: 'order_update',
    total: 3,
    createdAt: '2026-03-02T10:15:00.120Z',
  });
});

it.each([
  ['an unknown job', { accountId, jobId: newId('job') }],
  ["another account's job", { accountId: newId('acc'), jobId }],
  ['a text that is no id', { accountId, jobId: 'job_\u0000' }],
])('answers NOT_FOUND for %s, all in the same words', async (_case, request) => {
  await expect(jobs.gateway.ask(getJobV1, request)).rejects.toMatchObject({ name: 'AppError', code: 'NOT_FOUND', message: 'not found', extra: undefined });
});
