import {
  AppError,
  controlJobV1,
  type JobAction,
  type JobRecord,
  type JobStatus,
  listJobsV1,
  listRecipientsV1,
  type MessageError,
  newId,
  renameJobV1,
  retryFailedV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

let jobs: RunningJobs;
const ERROR: MessageError = {
  code: 131026,
  title: 'Undeliverable',
  message: 'not on the network',
  category: 'undeliverable',
  retriable: false,
};
type Ids = { accountId: string; jobId: string };

beforeAll(async () => {
  jobs = await startJobs();
});
beforeEach(() => {
  jobs.messaging.sent.length = 0;
  jobs.messaging.throughput = 1_000;
  jobs.messaging.refusal = undefined;
  jobs.messaging.outcomeOf = () => ({ status: 'accepted' });
});
afterAll(() => jobs.stop());

const control = async ({ accountId, jobId }: Ids, action: JobAction): Promise<JobRecord> =>
  (await jobs.gateway.request(controlJobV1, { accountId, jobId, action })).job;
const sentOf = ({ jobId }: Ids): string[] =>
  jobs.messaging.sent.filter((sent) => sent.jobId === jobId).map(({ to }) => to);
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const slowJob = async (): Promise<Ids> => {
  jobs.messaging.throughput = 20;
  const created = await create(jobs, rowsOf(phonesOf(100)));
  await eventually(() => expect(sentOf(created).length).toBeGreaterThan(0));
  return created;
};

describe('job control', () => {
  it('pauses a job and resumes it where it stopped', async () => {
    const job = await slowJob();
    expect(await control(job, 'pause')).toMatchObject({ status: 'paused', pauseReason: 'REQUESTED' });
    expect((await control(job, 'pause')).status).toBe('paused');
    const { pending = 0 } = await becomes(jobs, job, { accepted: sentOf(job).length });
    expect(pending).toBeGreaterThan(0);
    await jobs.dataSource.query("UPDATE lanes SET next_round_at = now(), round_at = now() - interval '1 minute'");
    const other = await create(jobs, rowsOf(['919900000000']));
    await becomes(jobs, other, { status: 'completed' });
    expect((await jobOf(jobs, job)).pending).toBe(pending);
    jobs.messaging.throughput = 1_000;
    expect(await control(job, 'resume')).toMatchObject({ status: 'processing', pauseReason: null });
    await becomes(jobs, job, { status: 'completed', accepted: 100 });
    expect(new Set(sentOf(job)).size).toBe(100);
    expect(sentOf(job)).toHaveLength(100);
  });

  it('completes a paused job whose last messages were already passed on', async () => {
    jobs.messaging.outcomeOf = () => undefined;
    const job = await create(jobs, rowsOf(phonesOf(5)));
    await eventually(() => expect(sentOf(job)).toHaveLength(5));
    expect((await control(job, 'pause')).status).toBe('paused');
    const [last, ...others] = jobs.messaging.sent.map(({ messageId }) => ({ messageId, status: 'delivered' as const }));
    await jobs.messaging.report(job, others);
    expect(await becomes(jobs, job, { delivered: 4 })).toMatchObject({ status: 'paused', pending: 1 });
    if (last) await jobs.messaging.report(job, [last]);
    await becomes(jobs, job, { status: 'completed', delivered: 5, pauseReason: null });
  });

  it('resumes a job only if it can be sent', async () => {
    const job = await slowJob();
    await control(job, 'pause');
    jobs.messaging.refusal = new AppError('TEMPLATE_NOT_APPROVED');
    await expect(control(job, 'resume')).rejects.toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' });
    expect((await jobOf(jobs, job)).status).toBe('paused');
    await control(job, 'cancel');
  });

  it('sends nothing after a cancellation and keeps all counts consistent', async () => {
    const job = await slowJob();
    expect((await control(job, 'cancel')).status).toBe('cancelled');
    const { accepted = 0, cancelled = 0 } = await becomes(jobs, job, { status: 'cancelled', pending: 0 });
    expect([accepted + cancelled, accepted]).toEqual([100, sentOf(job).length]);
    expect((await control(job, 'cancel')).status).toBe('cancelled');
    for (const action of ['pause', 'resume'] as const)
      await expect(control(job, action)).rejects.toMatchObject({ code: 'JOB_STATE_CONFLICT' });
    const { recipients, total } = await jobs.gateway.request(listRecipientsV1, {
      accountId: job.accountId,
      jobId: job.jobId,
      status: 'cancelled',
      page: 1,
      limit: 100,
    });
    expect([recipients.length, total]).toEqual([cancelled, cancelled]);
  });

  it('does not resend a returned recipient of a cancelled job', async () => {
    jobs.messaging.outcomeOf = () => undefined;
    const job = await create(jobs, rowsOf(phonesOf(5)));
    await eventually(() => expect(jobs.messaging.sent.length).toBe(5));
    await control(job, 'cancel');
    const [a, b] = jobs.messaging.sent.map(({ messageId }) => ({ messageId }));
    await jobs.messaging.report(job, [
      { messageId: a?.messageId ?? '', status: 'throttled' },
      { messageId: b?.messageId ?? '', status: 'delivered' },
    ]);
    await becomes(jobs, job, { status: 'cancelled', cancelled: 1, delivered: 1, pending: 3 });
    expect(jobs.messaging.sent).toHaveLength(5);
  });

  it('sets no deadline by default', async () => {
    const job = await slowJob();
    await jobs.dataSource.query(
      "UPDATE jobs SET started_at = now() - interval '40 days', deadline_at = now() - interval '39 days' WHERE id = $1",
      [job.jobId],
    );
    jobs.messaging.throughput = 1_000;
    await control(job, 'pause');
    await control(job, 'resume');
    expect(await becomes(jobs, job, { status: 'completed', accepted: 100 })).toMatchObject({
      expireAt: null,
      failed: 0,
    });
  });

  it('does not count paused time towards the expiry', async () => {
    const expireAt = inAnHour();
    jobs.messaging.throughput = 20;
    const job = await create(jobs, rowsOf(phonesOf(100)), { expireAt });
    expect((await jobOf(jobs, job)).expireAt).toBe(expireAt);
    await eventually(() => expect(sentOf(job).length).toBeGreaterThan(0));
    await control(job, 'pause');
    // Simulate a pause of two hours.
    await jobs.dataSource.query(
      "UPDATE jobs SET expire_at = now() - interval '1 hour', paused_at = now() - interval '2 hours' WHERE id = $1",
      [job.jobId],
    );
    // The same run closes a job that is not paused.
    const other = await slowJob();
    await jobs.dataSource.query('UPDATE jobs SET expire_at = now() WHERE id = $1', [other.jobId]);
    await becomes(jobs, other, { status: 'completed', pending: 0 });
    expect(await jobOf(jobs, job)).toMatchObject({ status: 'paused', failed: 0 });
    jobs.messaging.throughput = 1_000;
    const { expireAt: moved } = await control(job, 'resume');
    expect(Math.abs(Date.parse(moved ?? '') - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await becomes(jobs, job, { status: 'completed', accepted: 100, failed: 0 });
  });

  it('fails unreached recipients at expiry and records each once', async () => {
    const job = await slowJob();
    await jobs.dataSource.query('UPDATE jobs SET expire_at = now() WHERE id = $1', [job.jobId]);
    const { accepted = 0, failed = 0 } = await becomes(jobs, job, { status: 'completed', pending: 0 });
    expect([accepted + failed, failed > 0]).toEqual([100, true]);
    const { recipients } = await jobs.gateway.request(listRecipientsV1, {
      accountId: job.accountId,
      jobId: job.jobId,
      status: 'failed',
      page: 1,
      limit: 100,
    });
    const recorded = (): typeof jobs.messaging.failed =>
      jobs.messaging.failed.filter(({ jobId }) => jobId === job.jobId);
    await eventually(() =>
      expect(
        recorded()
          .flatMap((task) => task.recipients.map(({ messageId, to }) => [messageId, to]))
          .sort(),
      ).toEqual(recipients.map(({ id, phone }) => [id, phone]).sort()),
    );
    expect(recorded()[0]).toMatchObject({ accountId: job.accountId, error: { title: 'Job expired' } });
    expect(recipients.filter(({ phone }) => sentOf(job).includes(phone ?? ''))).toEqual([]);
    expect(recipients[0]).toMatchObject({
      error: {
        reason: 'JOB_EXPIRED',
        title: 'Job expired',
        message: "the job's expireAt passed before this recipient was sent to",
        retriable: true,
      },
      failedAt: expect.any(String),
    });
  });

  it('retries failed recipients once as a new job', async () => {
    jobs.messaging.outcomeOf = ({ to }) =>
      Number(to) % 2 ? { status: 'failed', error: ERROR } : { status: 'accepted' };
    const rows = rowsOf(phonesOf(10)).map((row) => ({ ...row, clientRef: `ref-${row.position}` }));
    const job = await create(jobs, rows);
    await becomes(jobs, job, { status: 'completed', failed: 5 });
    jobs.messaging.outcomeOf = () => ({ status: 'accepted' });
    const request = { accountId: job.accountId, jobId: job.jobId, newJobId: newId('job') };
    const answers = await Promise.all([1, 2].map(() => jobs.gateway.request(retryFailedV1, request)));
    expect(answers).toEqual([
      answers[0],
      { jobId: request.newJobId, status: 'queued', total: 5, accepted: 5, rejected: 0, duplicates: 0, errors: [] },
    ]);
    const again = { accountId: job.accountId, jobId: request.newJobId };
    expect((await becomes(jobs, again, { status: 'completed', accepted: 5 })).retryOf).toBe(job.jobId);
    expect(
      jobs.messaging.sent
        .filter(({ jobId }) => jobId === again.jobId)
        .map(({ clientRef }) => clientRef)
        .sort(),
    ).toEqual(['ref-1', 'ref-3', 'ref-5', 'ref-7', 'ref-9']);
    await expect(jobs.gateway.request(retryFailedV1, { ...again, newJobId: newId('job') })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    });
    await expect(
      jobs.gateway.request(retryFailedV1, { ...request, accountId: newId('acc'), newJobId: newId('job') }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  describe.each<{ status: JobStatus; scheduled?: boolean; pause: string; resume: string; cancel: string }>([
    { status: 'queued', scheduled: true, pause: 'paused', resume: 'queued', cancel: 'cancelled' },
    { status: 'processing', pause: 'paused', resume: 'processing', cancel: 'cancelled' },
    { status: 'paused', scheduled: true, pause: 'paused', resume: 'queued', cancel: 'cancelled' },
    { status: 'paused', pause: 'paused', resume: 'processing', cancel: 'cancelled' },
    { status: 'completed', pause: 'conflict', resume: 'conflict', cancel: 'conflict' },
    { status: 'failed', pause: 'conflict', resume: 'conflict', cancel: 'conflict' },
    { status: 'cancelled', pause: 'conflict', resume: 'conflict', cancel: 'cancelled' },
  ])('of a $status job (scheduled: $scheduled)', ({ status, scheduled = false, ...actions }) => {
    it.each(Object.entries(actions) as [JobAction, string][])('%s results in: %s', async (action, answer) => {
      // Pause the job first, so that only this test changes it. It has no pending recipients, so it neither starts nor
      // ends.
      const job = await create(jobs, rowsOf(phonesOf(1)), { scheduledAt: inAnHour() });
      await control(job, 'pause');
      // The estimate follows the creation.
      await eventually(async () => expect((await jobOf(jobs, job)).estimate).not.toBeNull());
      const times = scheduled ? 'started_at = NULL' : 'scheduled_at = NULL, started_at = now()';
      await jobs.dataSource.query(
        `UPDATE jobs SET status = $2, pending = 0, released = 1, ${times}, pause_reason = CASE $2 WHEN 'paused' THEN 'REQUESTED' END WHERE id = $1`,
        [job.jobId, status],
      );
      const before = await jobOf(jobs, job);
      if (answer !== 'conflict') return expect((await control(job, action)).status).toBe(answer);
      await expect(control(job, action)).rejects.toMatchObject({
        code: 'JOB_STATE_CONFLICT',
        status: 409,
        message: expect.stringContaining(`a job that is ${status} cannot be`) as string,
      });
      expect(await jobOf(jobs, job)).toEqual(before);
    });
  });

  it('counts a job as started if it is paused immediately', async () => {
    const job = await create(jobs, rowsOf(phonesOf(3)));
    expect(await control(job, 'pause')).toMatchObject({ status: 'paused', startedAt: expect.any(String) as string });
    expect((await control(job, 'resume')).status).toBe('processing');
    await becomes(jobs, job, { status: 'completed', accepted: 3 });
  });

  it('returns NOT_FOUND for a job of another account', async () => {
    const job = await create(jobs, rowsOf(phonesOf(1)));
    for (const action of ['pause', 'resume', 'cancel'] as const)
      await expect(control({ ...job, accountId: newId('acc') }, action)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await becomes(jobs, job, { status: 'completed' });
  });
});

describe('scheduled job', () => {
  const due = ({ jobId }: Ids): Promise<unknown> =>
    jobs.dataSource.query('UPDATE jobs SET scheduled_at = now() WHERE id = $1', [jobId]);

  it('can be viewed and cancelled until it starts at its time', async () => {
    const scheduledAt = inAnHour();
    const [job, other] = await Promise.all([
      create(jobs, rowsOf(phonesOf(3)), { scheduledAt }),
      create(jobs, rowsOf(phonesOf(3)), { scheduledAt }),
    ]);
    expect(await jobOf(jobs, job)).toMatchObject({ status: 'queued', scheduledAt, startedAt: null, pending: 3 });
    await control(other, 'cancel');
    await becomes(jobs, other, { status: 'cancelled', cancelled: 3, pending: 0 });
    expect(sentOf(job)).toEqual([]);
    await due(job);
    await becomes(jobs, job, { status: 'completed', accepted: 3, startedAt: expect.any(String) as string });
  });

  it('pauses on a temporary error and fails on a permanent one', async () => {
    const [later, stopped, never] = await Promise.all(
      [1, 2, 3].map(() => create(jobs, rowsOf(phonesOf(3)), { scheduledAt: inAnHour() })),
    );
    jobs.messaging.refusal = new AppError('TEMPLATE_NOT_FOUND');
    await due(later as Ids);
    await becomes(jobs, later as Ids, { status: 'paused', pauseReason: 'TEMPLATE_NOT_APPROVED', pending: 3 });
    jobs.messaging.refusal = new AppError('NUMBER_STOPPED');
    await due(stopped as Ids);
    await becomes(jobs, stopped as Ids, { status: 'paused', pauseReason: 'NUMBER_STOPPED', pending: 3 });
    jobs.messaging.refusal = new AppError('INVALID_VALUE', { message: 'the account has no such number' });
    await due(never as Ids);
    const error = { code: 'INVALID_VALUE', message: 'the account has no such number' };
    const { completedAt } = await becomes(jobs, never as Ids, { status: 'failed', failed: 3, error });
    const told = {
      accountId: never?.accountId,
      jobId: never?.jobId,
      status: 'failed',
      total: 3,
      failed: 3,
      error,
      timestamp: completedAt,
    };
    await eventually(() => expect(jobs.notices.map(({ body }) => body)).toContainEqual(told));
    for (const [job, reason] of [
      [later, 'TEMPLATE_NOT_APPROVED'],
      [stopped, 'NUMBER_STOPPED'],
    ] as const)
      await eventually(() =>
        expect(jobs.notices.map(({ body }) => body)).toContainEqual(
          expect.objectContaining({ jobId: job?.jobId, reason }),
        ),
      );
    for (const code of ['TEMPLATE_NOT_APPROVED', 'TEMPLATE_PARAMS_MISMATCH'] as const) {
      jobs.messaging.refusal = undefined;
      const other = await create(jobs, rowsOf(phonesOf(1)), { scheduledAt: inAnHour() });
      jobs.messaging.refusal = new AppError(code);
      await due(other);
      await becomes(jobs, other, { status: 'paused', pauseReason: 'TEMPLATE_NOT_APPROVED', pending: 1 });
    }
    jobs.messaging.refusal = undefined;
    await control(later as Ids, 'resume');
    await becomes(jobs, later as Ids, { status: 'completed', accepted: 3 });
  });
});

describe('job names', () => {
  it('are stored, changed in any state and reported by events and retries', async () => {
    jobs.messaging.outcomeOf = () => ({ status: 'failed', error: ERROR });
    const job = await create(jobs, rowsOf(phonesOf(2)), { name: 'Winter sale' });
    await becomes(jobs, job, { status: 'completed', failed: 2, name: 'Winter sale' });
    const finished = expect.objectContaining({ jobId: job.jobId, status: 'completed', name: 'Winter sale' });
    await eventually(() => expect(jobs.notices.map(({ body }) => body)).toContainEqual(finished));
    const ids = { accountId: job.accountId, jobId: job.jobId };
    const renamed = await jobs.gateway.request(renameJobV1, { ...ids, name: 'Spring sale' });
    expect(renamed.job).toMatchObject({ status: 'completed', name: 'Spring sale' });
    const newJobId = newId('job');
    await jobs.gateway.request(retryFailedV1, { ...ids, newJobId });
    expect((await jobOf(jobs, { ...ids, jobId: newJobId })).name).toBe('Spring sale');
    expect((await jobs.gateway.request(renameJobV1, { ...ids, name: null })).job.name).toBeNull();
    await expect(
      jobs.gateway.request(renameJobV1, { ...ids, accountId: newId('acc'), name: 'Other' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await jobOf(jobs, job)).name).toBeNull();
  });

  it('are found by a part, as are names of templates', async () => {
    const accountId = newId('acc');
    const named = await create(jobs, rowsOf(phonesOf(1)), { accountId, name: 'Été, winter 100%' });
    const plain = await create(jobs, rowsOf(phonesOf(1)), { accountId });
    const found = async (search: string): Promise<string[]> =>
      (await jobs.gateway.request(listJobsV1, { accountId, search, page: 1, limit: 10 })).jobs.map(
        ({ jobId }) => jobId,
      );
    expect(await found('ÉTÉ, Win')).toEqual([named.jobId]);
    expect(await found('100%')).toEqual([named.jobId]);
    expect(await found('Order-Up')).toEqual([plain.jobId, named.jobId]);
    expect(await found('__')).toEqual([]);
  });
});
