import { AppError, controlJobV1, retryFailedV1, newId, type SpendLimit } from '@switchboard/contracts';
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

  const resume = ({ accountId, jobId }: { accountId: string; jobId: string }, maxSpend?: SpendLimit) =>
    jobs.gateway.request(controlJobV1, { accountId, jobId, action: 'resume', ...(maxSpend && { maxSpend }) });

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
    const check = jobs.messaging.checks.at(-1);
    expect(check).toMatchObject({ jobId: created.jobId, maxSpend: MAX_SPEND });
    expect(check?.nextRecipients).toEqual(phonesOf(30).slice(10));
    expect(check).not.toHaveProperty('at');
    await becomes(jobs, created, { status: 'completed', accepted: 30 });
    expect(jobs.messaging.sent.filter(({ jobId }) => jobId === created.jobId)).toHaveLength(50);
  });

  it('continues with a higher cap, stored with the new state', async () => {
    const higher = { amount: '0.0280', currency: 'USD' };
    jobs.messaging.outcomeOf = () => ({ status: 'held', reason: 'SPEND_CAP' });
    const created = await create(jobs, rowsOf(phonesOf(3)), { maxSpend: MAX_SPEND });
    await becomes(jobs, created, { status: 'paused', pauseReason: 'SPEND_CAP' });
    // Messages in flight were released with the cap of 0.0140.
    for (const lower of [
      { ...MAX_SPEND, amount: '0.0139' },
      { ...higher, currency: 'EUR' },
    ])
      await expect(resume(created, lower)).rejects.toMatchObject({
        code: 'INVALID_VALUE',
        details: [{ field: 'maxSpend' }],
      });
    expect(await jobOf(jobs, created)).toMatchObject({ status: 'paused', maxSpend: MAX_SPEND });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted' });
    jobs.messaging.tasks.length = 0;
    expect((await resume(created, higher)).job).toMatchObject({ maxSpend: higher });
    expect(jobs.messaging.checks.at(-1)).toMatchObject({ maxSpend: higher });
    await becomes(jobs, created, { status: 'completed', accepted: 3 });
    expect(jobs.messaging.tasks.map(({ maxSpend }) => maxSpend)).toEqual(jobs.messaging.tasks.map(() => higher));
  });

  it('accepts the same cap but rejects a different one while running', async () => {
    jobs.messaging.outcomeOf = () => undefined;
    const created = await create(jobs, rowsOf(phonesOf(3)), { maxSpend: MAX_SPEND });
    await becomes(jobs, created, { status: 'processing' });
    expect((await resume(created, MAX_SPEND)).job.status).toBe('processing');
    await expect(resume(created, { ...MAX_SPEND, amount: '5' })).rejects.toMatchObject({ code: 'JOB_STATE_CONFLICT' });
    expect(await jobOf(jobs, created)).toMatchObject({ maxSpend: MAX_SPEND });
    const uncapped = await create(jobs, rowsOf(phonesOf(3)), { hold: true });
    await expect(resume(uncapped, MAX_SPEND)).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      details: [{ field: 'maxSpend' }],
    });
    expect(await jobOf(jobs, uncapped)).toMatchObject({ status: 'paused', maxSpend: null });
  });

  it('is checked for its scheduled start when held', async () => {
    const scheduledAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const created = await create(jobs, rowsOf(phonesOf(2)), { scheduledAt, hold: true });
    await resume(created);
    expect(jobs.messaging.checks.at(-1)).toMatchObject({ jobId: created.jobId, at: scheduledAt });
  });

  it('is not created while messaging does not support spend caps', async () => {
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
