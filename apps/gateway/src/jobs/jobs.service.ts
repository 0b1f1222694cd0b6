import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  ControlJobCommand,
  type CreatedJob,
  type GetJobChargesReply,
  type GetJobReply,
  type JobAction,
  type JobCharges,
  type JobRecord,
  type PauseReason,
  RenameJobCommand,
  RetryFailedCommand,
} from '@switchboard/contracts';
import { LOGGER, type Logger } from '@switchboard/platform';
import { JobsClient, MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import { requireId } from '../http/path-ids';
import { paginationOf } from '../pagination/pagination';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { type Caller, type ChangeBy, changeBy, type ConsoleUser } from '../request-context/console-user';
import type { Plan } from '../request-context/plan';
import type { AnyNewJob, JobMaker } from './job-maker';
import type { JobPrices, JobPricesQuery } from './job-prices';
import { parseMaxSpend } from './max-spend';
import {
  type JobList,
  type JobRecipientList,
  type ListJobsQuery,
  type ListRecipientsQuery,
  recipientItem,
} from './job-lists';

const CHARGES_TIMEOUT_MS = 1_000;

/**
 * Reads and controls an account's bulk jobs, for the API and the dashboard. Changes by users are recorded in the audit
 * log.
 */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobsClient,
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list(accountId: string, query: ListJobsQuery): Promise<JobList> {
    const reply = await this.jobs.listJobs({ accountId, ...query });
    return { jobs: await this.withCharges(accountId, reply.jobs), pagination: paginationOf(query, reply) };
  }

  /**
   * Returns the jobs of a month with the totals of their estimates and reported charges.
   * @throws AppError INVALID_PARAMETER, UNAVAILABLE
   */
  async listOfMonth(accountId: string, query: JobPricesQuery): Promise<JobPrices> {
    const { month } = query;
    const reply = await this.jobs.listJobs({ accountId, ...query });
    const charges = await this.messaging.getJobCharges({ accountId, jobIds: idsOf(reply.jobs), month });
    const { currency, total } = charges;
    const estimated = currency === null ? null : await this.jobs.sumEstimates({ accountId, month, currency });
    const { delivered: messages = 0, billable = 0, amount = null, unrated = 0 } = total ?? {};
    return {
      month,
      currency,
      estimated,
      reported: { messages, billable, amount, unrated },
      jobs: reply.jobs.map((job) => ({ ...job, reported: chargesOf(job, charges) })),
      pagination: paginationOf(query, reply),
    };
  }

  /** @throws AppError NOT_FOUND */
  async find(accountId: string, jobId: string): Promise<GetJobReply> {
    const { job } = await this.jobs.getJob({ accountId, jobId: requireId('job', jobId) });
    return this.withChargesOf(accountId, job);
  }

  /** @throws AppError NOT_FOUND */
  async listRecipients(
    job: { accountId: string; jobId: string },
    query: ListRecipientsQuery,
  ): Promise<JobRecipientList> {
    const { accountId, jobId } = job;
    const reply = await this.jobs.listRecipients({ accountId, jobId: requireId('job', jobId), ...query });
    return { recipients: reply.recipients.map(recipientItem), pagination: paginationOf(query, reply) };
  }

  /**
   * @param given new spend cap for a job that is resumed
   * @throws AppError NOT_FOUND, JOB_STATE_CONFLICT; on resume, also INVALID_VALUE and the errors of a send
   */
  async control(by: Caller, id: string, action: JobAction, given?: unknown): Promise<GetJobReply> {
    const jobId = requireId('job', id);
    const cap = parseMaxSpend(given);
    const pauseReason = by.actor !== undefined && action === 'resume' ? await this.pauseReasonOf(by, jobId) : undefined;
    const change = { action: `job.${action}`, target: jobId, details: { ...cap, pauseReason } };
    const { job } = await this.changes.requestBy(by, change, ControlJobCommand, { jobId, action, ...cap }, (command) =>
      this.jobs.controlJob(command),
    );
    return this.withChargesOf(by.accountId, job);
  }

  /** Changes the name of a job; a blank text removes it. @throws AppError NOT_FOUND */
  async rename(by: Caller, id: string, given: string): Promise<GetJobReply> {
    const jobId = requireId('job', id);
    const name = given.trim() || null;
    const change = { action: 'job.rename', target: jobId, details: { name } };
    const { job } = await this.changes.requestBy(by, change, RenameJobCommand, { jobId, name }, (command) =>
      this.jobs.renameJob(command),
    );
    return this.withChargesOf(by.accountId, job);
  }

  /** Returns why a job is paused, which distinguishes its start from its continuation in the audit log. */
  private async pauseReasonOf({ accountId }: Caller, jobId: string): Promise<PauseReason | undefined> {
    const found = await this.jobs.getJob({ accountId, jobId }).catch(() => undefined);
    return found?.job.pauseReason ?? undefined;
  }

  /** @throws AppError NOT_FOUND; INVALID_VALUE if no recipient has failed; also the errors of a send */
  retryFailed(by: Caller, { jobId: given, newJobId }: Omit<RetryFailedCommand, 'accountId'>): Promise<CreatedJob> {
    const request = { jobId: requireId('job', given), newJobId };
    const change = { action: 'job.retry-failed', target: request.jobId, details: { newJobId } };
    return this.changes.requestBy(by, change, RetryFailedCommand, request, (command) => this.jobs.retryFailed(command));
  }

  /** Creates a job with an audit log entry. @throws AppError from `make` */
  createAudited(by: ChangeBy, command: AnyNewJob, make: () => Promise<CreatedJob>): Promise<CreatedJob> {
    const { jobId, name, message, hold = false } = command;
    const audience = 'audience' in command ? { audience: command.audience } : {};
    const details = {
      ...(name !== undefined && { name }),
      type: message.type,
      template: message.template?.name,
      hold,
      ...audience,
    };
    return this.changes.make({ ...by, action: 'job.create', target: jobId, details }, make);
  }

  /** Returns the maker of a user's new job, whose creation is recorded in the audit log. */
  makerFor(user: ConsoleUser, plan: Plan, newId: NewIdFunction): JobMaker {
    const noted: JobMaker['noted'] = (command, make) => this.createAudited(changeBy(user), command, make);
    return { account: user.account, plan, newId, noted };
  }

  private async withChargesOf(accountId: string, job: JobRecord): Promise<GetJobReply> {
    const [shown = job] = await this.withCharges(accountId, [job]);
    return { job: shown };
  }

  /**
   * Adds the reported charges. If messaging does not respond within a second, omits them, so that a change that
   * succeeded is not reported as failed.
   */
  private async withCharges(accountId: string, jobs: readonly JobRecord[]): Promise<JobRecord[]> {
    if (jobs.length === 0) return [];
    const charges = await this.messaging
      .getJobCharges({ accountId, jobIds: idsOf(jobs) }, { timeoutMs: CHARGES_TIMEOUT_MS })
      .catch((err: unknown) => {
        if (!(err instanceof AppError && err.code === 'UNAVAILABLE')) this.logger.warn({ err }, 'job.charges-failed');
        return undefined;
      });
    return jobs.map((job) => ({ ...job, reported: charges ? chargesOf(job, charges) : null }));
  }
}

const idsOf = (jobs: readonly JobRecord[]): string[] => jobs.map(({ jobId }) => jobId);

/** Returns the reported charges of a job. Recipients without a reported charge count as open. */
function chargesOf(
  { jobId, pending = 0, accepted = 0, sent = 0, delivered = 0, read = 0 }: JobRecord,
  { currency, jobs }: GetJobChargesReply,
): JobCharges {
  const reported = jobs.find((each) => each.jobId === jobId);
  const none = { delivered: 0, billable: 0, amount: currency === null ? null : '0.00', unrated: 0 };
  const { delivered: messages, billable, amount, unrated } = reported ?? none;
  const open = Math.max(0, pending + accepted + sent + delivered + read - messages);
  return { currency, amount, messages, billable, unrated, open };
}
