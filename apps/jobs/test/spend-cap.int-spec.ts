import { AppError, controlJobV1, retryFailedV1, newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

const MAX_SPEND = { amount: '0.0140', currency: 'USD' };

describe('a job at a spend cap', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  beforeEach(() => {
    jobs.messaging.outcomeOf = () => ({ status: 'accepted', upstreamId: 'wamid.OUT' });
    jobs.messaging.refusal = undefined;
    jobs.messaging.hasSpendCaps = true;
    jobs.messaging.tasks.length = 0;
    jobs.messaging.checks.length = 0;
  });
  afterAll(() => jobs.stop());

  const resume = ({ accountId, jobId }: { accountId: string; jobId: string }) =>
    jobs.gateway.request(controlJobV1, { accountId, jobId, action: 'resume' });

  it('pauses without losing recipients and can be resumed', async () => {
    let left = 10;
    jobs.messaging.outcomeOf = () =>
      (left -= 1) >= 0 ? { status: 'accepted' } : { status: 'held', reason: 'SPEND_CAP' };
    const created = await create(jobs, rowsOf(phonesOf(30)), { maxSpend: MAX_SPEND });
    await becomes(jobs, created, { status: 'paused', pauseReason: 'SPEND_CAP', accepted: 10, pending: 20, failed: 0 });
    expect(jobs.messaging.tasks.map(({ maxSpend }) => maxSpend)).toEqual(jobs.messaging.tasks.map(() => MAX_SPEND));
    await eventually(() =>
      expect(jobs.notices.filter(({ body }) => 'reason' in body && body.reason === 'SPEND_CAP')).toHaveLength(1),
    );
    jobs.messaging.refusal = new AppError('SPEND_CAP_REACHED', { message: 'raise it first' });
    const released = jobs.messaging.tasks.length;
    await expect(resume(created)).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED', message: 'raise it first' });
    expect(await jobOf(jobs, created)).toMatchObject({
      status: 'paused',
      pauseReason: 'SPEND_CAP',
      maxSpend: MAX_SPEND,
    });
    expect(jobs.messaging.tasks).toHaveLength(released);
    jobs.messaging.refusal = undefined;
    left = 20;
    await resume(created);
    expect(jobs.messaging.checks.at(-1)).toMatchObject({ jobId: created.jobId, maxSpend: MAX_SPEND });
    await becomes(jobs, created, { status: 'completed', accepted: 30 });
    expect(jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId)).toHaveLength(50);
  });

  it('is not created while messaging does not know caps', async () => {
    jobs.messaging.hasSpendCaps = false;
    await expect(create(jobs, rowsOf(phonesOf(3)), { maxSpend: MAX_SPEND })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    const { jobId } = await create(jobs, rowsOf(phonesOf(3)));
    expect(jobId).toBeDefined();
  });

  it('passes its cap on to a retry of failed recipients', async () => {
    const error = { code: 131026, title: 'No', message: 'no', category: 'undeliverable' as const, retriable: false };
    jobs.messaging.outcomeOf = () => ({ status: 'failed', error });
    const created = await create(jobs, rowsOf(phonesOf(3)), { maxSpend: MAX_SPEND });
    await becomes(jobs, created, { status: 'completed', failed: 3 });
    const { accountId, jobId } = created;
    const retry = await jobs.gateway.request(retryFailedV1, { accountId, jobId, newJobId: newId('job') });
    expect(await jobOf(jobs, { accountId, jobId: retry.jobId })).toMatchObject({ maxSpend: MAX_SPEND });
  });
});
