import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ControlJobCommand,
  type CreatedJob,
  ERRORS,
  isId,
  type JobQuietHours,
  type JobStatus,
  type MessageContent,
  NEXT_RECIPIENTS_MAX,
  notFound,
  type RenameJobCommand,
  type RetryFailedCommand,
  type SpendLimit,
} from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { unitsOf } from '@switchboard/pricing';
import { DataSource } from 'typeorm';
import { COPY_FAILED, COPY_MEDIA, COUNT_RECIPIENTS, COUNT_REGIONS_OF_JOB } from './create-job.queries';
import { CreateJobService, insertJob, openLanes } from './create-job.service';
import { type CheckedJob, type CheckOptions, JobCheck } from './job-check';
import { setNumbers } from './job-numbers';
import { type FinishedJob, type PausedJob, publishFinished, publishPaused, publishProgress } from './job-events';
import {
  CANCEL_JOB,
  LOCK_JOB,
  NEXT_RECIPIENTS,
  PAUSE_JOB,
  PAUSE_JOBS_OF_TEMPLATE,
  RENAME_JOB,
  RESUME_JOB,
} from './jobs.queries';

interface LockedJob {
  id: string;
  name: string | null;
  type: 'bulk' | 'excel';
  status: JobStatus;
  message: MessageContent;
  maxSpend: SpendLimit | null;
  quietHours: JobQuietHours | null;
  scheduledAt: Date | null;
  startedAt: Date | null;
  total: number;
  failed: number;
  /** Numbers of the job if it has several. */
  numbers: string[];
}
type JobIds = Pick<ControlJobCommand, 'accountId' | 'jobId'>;

@Injectable()
export class JobControlService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly jobCheck: JobCheck,
    private readonly creations: CreateJobService,
  ) {}

  /**
   * Pauses the release. Recipients that were already released still get the message.
   * @throws AppError NOT_FOUND, JOB_STATE_CONFLICT
   */
  async pause(ids: JobIds): Promise<void> {
    await this.change(ids, async (tx, job) => {
      if (job.status === 'paused') return;
      requireStatus(job, 'paused', ['queued', 'processing']);
      const [paused] = await tx.query<Pick<PausedJob, 'pausedAt' | 'name'>>(PAUSE_JOB, [
        ids.accountId,
        ids.jobId,
        'REQUESTED',
      ]);
      if (paused) publishPaused(tx, { ...ids, reason: 'REQUESTED', ...paused });
    });
  }

  /**
   * Continues where the job stopped.
   * @param maxSpend higher cap of a job that has one. It is stored together with the new state, or not at all
   * @throws AppError NOT_FOUND, JOB_STATE_CONFLICT; INVALID_VALUE for the new cap; the error of a send
   */
  async resume(ids: JobIds, maxSpend?: SpendLimit): Promise<void> {
    const found = await this.find(ids);
    if (found.status === 'queued' || found.status === 'processing') return requireCap(found, maxSpend);
    if (found.status === 'paused') requireHigher(found, maxSpend);
    const checks =
      found.status === 'paused'
        ? await this.checkAgain(
            ids.accountId,
            { ...found, maxSpend: maxSpend ?? found.maxSpend },
            {
              resumedId: ids.jobId,
              nextRecipients: await this.nextRecipients(ids),
              ...(found.startedAt === null && found.scheduledAt && { at: later(found.scheduledAt) }),
            },
          )
        : undefined;
    await this.change(ids, async (tx, job) => {
      requireStatus(job, 'resumed', ['queued', 'processing', 'paused']);
      if (job.status !== 'paused') return requireCap(job, maxSpend);
      requireHigher(job, maxSpend);
      if (checks) await setNumbers(tx, ids, checks);
      await tx.query(RESUME_JOB, [ids.accountId, ids.jobId, maxSpend ? JSON.stringify(maxSpend) : null]);
      publishProgress(tx, [ids]);
    });
    if (checks) await openLanes(this.dataSource, ids.accountId, checks.checked);
  }

  /**
   * Cancels the job. Recipients that have not been released get no message.
   * @throws AppError NOT_FOUND, JOB_STATE_CONFLICT
   */
  async cancel(ids: JobIds): Promise<void> {
    await this.change(ids, async (tx, job) => {
      if (job.status === 'cancelled') return;
      requireStatus(job, 'cancelled', ['queued', 'processing', 'paused']);
      const [ended] = await tx.query<Pick<FinishedJob, 'completedAt' | 'name'>>(CANCEL_JOB, [ids.accountId, ids.jobId]);
      if (ended) publishFinished(tx, { ...ids, status: 'cancelled', total: job.total, failed: job.failed, ...ended });
    });
  }

  /**
   * Creates a new job with the failed recipients.
   * @throws AppError NOT_FOUND; INVALID_VALUE when no recipient failed; the error of a send
   */
  async retryFailed({ accountId, jobId, newJobId }: RetryFailedCommand): Promise<CreatedJob> {
    const earlier = await this.creations.findCreated({ accountId, jobId: newJobId });
    if (earlier) return earlier;
    const found = await this.find({ accountId, jobId });
    const { name, type, message, failed, maxSpend, quietHours } = found;
    if (failed === 0) throw new AppError('INVALID_VALUE', { message: 'no recipient of this job has failed' });
    const { checked } = await this.checkAgain(accountId, found);
    await this.transactions.run(async (tx) => {
      const job = {
        accountId,
        jobId: newJobId,
        type,
        message,
        retryOf: jobId,
        ...(name !== null && { name }),
        ...(maxSpend && { maxSpend }),
        ...(quietHours && { quietHours }),
      };
      if (!(await insertJob(tx, job, checked))) return;
      const [copied] = await tx.query<{ count: number }>(COPY_FAILED, [newJobId, accountId, jobId]);
      if (!copied?.count) throw new AppError('INVALID_VALUE', { message: 'no recipient of this job has failed' });
      await tx.query(COPY_MEDIA, [newJobId, accountId, jobId]);
      await tx.query(COUNT_RECIPIENTS, [accountId, newJobId, copied.count, 0, 0]);
      if (quietHours) await tx.query(COUNT_REGIONS_OF_JOB, [accountId, newJobId]);
      await openLanes(tx, accountId, checked);
    });
    const created = await this.creations.findCreated({ accountId, jobId: newJobId });
    if (!created) throw new Error('the created job was not found');
    return created;
  }

  /** Changes the name of a job in any state; null removes it. @throws AppError NOT_FOUND */
  async rename({ accountId, jobId, name }: RenameJobCommand): Promise<void> {
    await this.transactions.run(async (tx) => {
      const params = [accountId, jobId, name];
      const [renamed] = isId('job', jobId) ? await tx.query<{ id: string }>(RENAME_JOB, params) : [];
      if (!renamed) throw notFound('job');
      publishProgress(tx, [{ accountId, jobId }]);
    });
  }

  /** Pauses the jobs of a template that can no longer be sent. */
  async pauseJobsOf(template: { accountId: string; templateName: string; language: string }): Promise<void> {
    const { accountId, templateName, language } = template;
    await this.transactions.run(async (tx) => {
      for (const paused of await tx.query<PausedJob>(PAUSE_JOBS_OF_TEMPLATE, [accountId, templateName, language]))
        publishPaused(tx, paused);
    });
  }

  /** Checks the job as it was created. One number that can send is enough. */
  private async checkAgain(
    accountId: string,
    { message, numbers, maxSpend }: LockedJob,
    resumed: Pick<CheckOptions, 'resumedId' | 'nextRecipients' | 'at'> = {},
  ): Promise<{ checked: CheckedJob; faults: Map<string, AppError> }> {
    const options = { freshTemplate: true, maxSpend, ...resumed };
    if (numbers.length > 0) return this.jobCheck.checkEach(accountId, message, numbers, options);
    return { checked: await this.jobCheck.check(accountId, message, options), faults: new Map() };
  }

  private async nextRecipients({ accountId, jobId }: JobIds): Promise<string[]> {
    const rows = await query<{ phone: string }>(this.dataSource, NEXT_RECIPIENTS, [
      accountId,
      jobId,
      NEXT_RECIPIENTS_MAX,
    ]);
    return rows.map(({ phone }) => phone);
  }

  private find(ids: JobIds): Promise<LockedJob> {
    return this.change(ids, (_tx, job) => Promise.resolve(job));
  }

  private change<T>({ accountId, jobId }: JobIds, work: (tx: Transaction, job: LockedJob) => Promise<T>): Promise<T> {
    return this.transactions.run(async (tx) => {
      const [job] = isId('job', jobId) ? await tx.query<LockedJob>(LOCK_JOB, [accountId, jobId]) : [];
      if (!job) throw notFound('job');
      return work(tx, job);
    });
  }
}

/**
 * Throws if the state conflicts with the action. The target state itself is no conflict, because the caller may repeat
 * a call after a lost response (spec §8.4.3).
 */
function requireStatus({ status }: LockedJob, done: string, allowed: readonly JobStatus[]): void {
  if (!allowed.includes(status))
    throw new AppError('JOB_STATE_CONFLICT', {
      message: `${ERRORS.JOB_STATE_CONFLICT.message}: a job that is ${status} cannot be ${done}`,
    });
}

/** Returns the scheduled time, or the current time if that is later. */
const later = (scheduledAt: Date): Date => new Date(Math.max(scheduledAt.getTime(), Date.now()));

function noCap(): AppError {
  const message = 'this job has no spend cap, so it cannot be raised';
  return new AppError('INVALID_VALUE', { message, details: [{ field: 'maxSpend', message }] });
}

/**
 * Rejects a lower cap. Messages that are already released were checked against the current cap, so they could exceed a
 * lower one (spec §3.15.2).
 * @throws AppError INVALID_VALUE, also for another currency
 */
function requireHigher({ maxSpend: known }: LockedJob, given: SpendLimit | undefined): void {
  if (!given) return;
  if (!known) throw noCap();
  if (given.currency === known.currency && unitsOf(given.amount) >= unitsOf(known.amount)) return;
  const message = `the spend cap of a job can only be raised: it is ${known.amount} ${known.currency}`;
  throw new AppError('INVALID_VALUE', { message, details: [{ field: 'maxSpend', message }] });
}

/**
 * Accepts the repetition of a call that has already resumed the job with the same cap.
 * @throws AppError JOB_STATE_CONFLICT for another cap
 */
function requireCap({ maxSpend: known }: LockedJob, given: SpendLimit | undefined): void {
  if (!given || (known?.amount === given.amount && known.currency === given.currency)) return;
  throw new AppError('JOB_STATE_CONFLICT', {
    message: `${ERRORS.JOB_STATE_CONFLICT.message}: the spend cap of a job changes only while the job is paused`,
  });
}
