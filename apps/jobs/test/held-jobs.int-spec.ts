import {
  AppError,
  controlJobV1,
  createJobV1,
  type CreatedJob,
  type JobAction,
  type JobRecord,
  jobFinishedV1,
  jobPausedV1,
  listRecipientsV1,
  newId,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { DropHeldJobs } from '../src/lifecycle/drop-held-jobs';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

let jobs: RunningJobs;
type Ids = { accountId: string; jobId: string };

beforeAll(async () => {
  jobs = await startJobs();
});
beforeEach(() => {
  jobs.messaging.sent.length = 0;
  jobs.messaging.refusal = undefined;
});
afterAll(() => jobs.stop());

const held = (phones: string[], more: object = {}): Promise<CreatedJob & { accountId: string }> =>
  create(jobs, rowsOf(phones), { hold: true, ...more });
const control = async ({ accountId, jobId }: Ids, action: JobAction): Promise<JobRecord> =>
  (await jobs.gateway.request(controlJobV1, { accountId, jobId, action })).job;
const sentOf = ({ jobId }: Ids): string[] =>
  jobs.messaging.sent.filter((sent) => sent.jobId === jobId).map(({ to }) => to);
const noticesOf = ({ jobId }: Ids, { name }: { name: string }): object[] =>
  jobs.notices.filter((notice) => notice.name === name && 'jobId' in notice.body && notice.body.jobId === jobId);
/** Runs another job of the same number from start to end. Meanwhile, a bug could start the held job. */
const anotherRuns = async ({ accountId }: Ids): Promise<void> => {
  const other = await create(jobs, rowsOf(['919900000000']), { accountId });
  await becomes(jobs, other, { status: 'completed' });
};

describe('held job', () => {
  it('shows rows and errors, and starts only when resumed', async () => {
    const job = await held([...phonesOf(3), '12']);
    expect(job).toMatchObject({ status: 'paused', total: 4, accepted: 3, rejected: 1, errors: [{ index: 3 }] });
    expect(await jobOf(jobs, job)).toMatchObject({ status: 'paused', pauseReason: 'HELD', startedAt: null });
    const { accountId, jobId } = job;
    const page = { accountId, jobId, page: 1, limit: 10 };
    expect(
      (await jobs.gateway.request(listRecipientsV1, page)).recipients.map(({ status, refusal }) => [
        status,
        refusal?.code,
      ]),
    ).toEqual([...phonesOf(3).map(() => ['pending', undefined]), ['rejected', 'INVALID_PHONE']]);
    await anotherRuns(job);
    expect(await jobOf(jobs, job)).toMatchObject({ status: 'paused', pauseReason: 'HELD', pending: 3 });
    expect(sentOf(job)).toEqual([]);
    const [first, second] = await Promise.all([control(job, 'resume'), control(job, 'resume')]);
    expect([first.pauseReason, second.pauseReason]).toEqual([null, null]);
    await becomes(jobs, job, { status: 'completed', accepted: 3, rejected: 1 });
    expect(sentOf(job).sort()).toEqual(phonesOf(3));
    await expect(control(job, 'resume')).rejects.toMatchObject({ code: 'JOB_STATE_CONFLICT' });
  });

  it('publishes no pause event when created or paused again', async () => {
    const job = await held(phonesOf(1));
    expect(await control(job, 'pause')).toMatchObject({ status: 'paused', pauseReason: 'HELD' });
    await control(job, 'resume');
    await becomes(jobs, job, { status: 'completed' });
    await eventually(() => expect(noticesOf(job, jobFinishedV1).length).toBe(1));
    expect(noticesOf(job, jobPausedV1)).toEqual([]);
  });

  it('returns its first result when repeated, and stays unchanged', async () => {
    const { accountId, jobId, ...answer } = await held(phonesOf(2));
    const again = (): Promise<CreatedJob> =>
      jobs.gateway.request(createJobV1, {
        accountId,
        jobId,
        message: TEMPLATE,
        rows: rowsOf(phonesOf(2)),
        hold: true,
      });
    expect(await again()).toEqual({ jobId, ...answer });
    await control({ accountId, jobId }, 'resume');
    expect(await again()).toEqual({ jobId, ...answer });
    await becomes(jobs, { accountId, jobId }, { status: 'completed', accepted: 2 });
  });

  it('stays held after a restart of the service', async () => {
    const job = await held(phonesOf(1));
    await jobs.stopServices();
    await jobs.startService();
    await anotherRuns(job);
    expect(await jobOf(jobs, job)).toMatchObject({ status: 'paused', pauseReason: 'HELD', pending: 1 });
    expect(sentOf(job)).toEqual([]);
  });

  it('starts at its scheduled time once resumed, excluding held time', async () => {
    const [inAnHour, inTwoHours] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const early = await held(phonesOf(1), { scheduledAt: inAnHour, expireAt: inTwoHours });
    await jobs.dataSource.query("UPDATE jobs SET paused_at = paused_at - interval '10 minutes' WHERE id = $1", [
      early.jobId,
    ]);
    const resumed = await control(early, 'resume');
    expect(resumed).toMatchObject({ status: 'queued', scheduledAt: inAnHour, startedAt: null });
    const movedMs = Date.parse(resumed.expireAt ?? '') - Date.parse(inTwoHours ?? '');
    expect(movedMs).toBeGreaterThanOrEqual(600_000);
    expect(movedMs).toBeLessThan(660_000);
    await jobs.dataSource.query('UPDATE jobs SET scheduled_at = now() WHERE id = $1', [early.jobId]);
    await becomes(jobs, early, { status: 'completed', accepted: 1 });
    const late = await held(phonesOf(1), { scheduledAt: inAnHour });
    await jobs.dataSource.query("UPDATE jobs SET scheduled_at = now() - interval '1 minute' WHERE id = $1", [
      late.jobId,
    ]);
    await anotherRuns(late);
    expect(await jobOf(jobs, late)).toMatchObject({ status: 'paused', pauseReason: 'HELD' });
    await control(late, 'resume');
    await becomes(jobs, late, { status: 'completed', accepted: 1 });
  });

  it.each(['TEMPLATE_NOT_APPROVED', 'NUMBER_STOPPED'] as const)(
    'stays held when resuming it fails with %s',
    async (code) => {
      const job = await held(phonesOf(1));
      jobs.messaging.refusal = new AppError(code);
      await expect(create(jobs, rowsOf(phonesOf(1)))).rejects.toMatchObject({ code });
      await expect(control(job, 'resume')).rejects.toMatchObject({ code });
      expect(await jobOf(jobs, job)).toMatchObject({ status: 'paused', pauseReason: 'HELD' });
    },
  );

  it('can be cancelled, and is cancelled automatically after 35 days', async () => {
    const [asked, forgotten, younger] = [await held(phonesOf(2)), await held(phonesOf(2)), await held(phonesOf(2))];
    await control(asked, 'cancel');
    await becomes(jobs, asked, { status: 'cancelled', cancelled: 2, pending: 0 });
    const age = (job: Ids, days: number): Promise<unknown> =>
      jobs.dataSource.query(
        "UPDATE jobs SET created_at = created_at - $2::int * interval '1 day' - interval '1 minute' WHERE id = $1",
        [job.jobId, days],
      );
    await age(forgotten, 35);
    await age(younger, 34);
    const service = await jobs.startService();
    await service.app.get(DropHeldJobs).dropSome();
    await becomes(jobs, forgotten, { status: 'cancelled', cancelled: 2, pending: 0, pauseReason: null });
    expect(await jobOf(jobs, younger)).toMatchObject({ status: 'paused', pauseReason: 'HELD' });
    await eventually(() =>
      expect(noticesOf(forgotten, jobFinishedV1)).toMatchObject([{ body: { status: 'cancelled' } }]),
    );
  });
});

describe('recipients of one number', () => {
  it('are found by any status filter', async () => {
    const job = await held([...phonesOf(3), '+919800000001', '12']);
    const { accountId, jobId } = job;
    const ask = async (more: object): Promise<unknown> => {
      const { recipients, total } = await jobs.gateway.request(listRecipientsV1, {
        accountId,
        jobId,
        page: 1,
        limit: 10,
        ...more,
      });
      expect(total).toBe(recipients.length);
      return recipients.map(({ index, status }) => [index, status]);
    };
    const { recipients: all } = await jobs.gateway.request(listRecipientsV1, { accountId, jobId, page: 1, limit: 10 });
    expect(all.map(({ phone }) => phone)).toEqual([...phonesOf(3), '+919800000001', '12']);
    await held(phonesOf(3), { accountId });
    expect(await ask({ phone: '919800000001' })).toEqual([
      [1, 'pending'],
      [3, 'rejected'],
    ]);
    expect(await ask({ phone: '919800000001', status: 'rejected' })).toEqual([[3, 'rejected']]);
    expect(await ask({ phone: '919800000009' })).toEqual([]);
    const other = newId('acc');
    await expect(
      jobs.gateway.request(listRecipientsV1, {
        accountId: other,
        jobId,
        page: 1,
        limit: 10,
        phone: '919800000001',
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
