import { Injectable } from '@nestjs/common';
import {
  ControlJobCommand,
  type CreatedJob,
  type CreateExcelJobCommand,
  type CreateJobCommand,
  type GetJobReply,
  type JobAction,
  RetryFailedCommand,
} from '@switchboard/contracts';
import { JobsClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import { requireId } from '../http/path-ids';
import { paginationOf } from '../pagination/pagination';
import type { Caller, ChangeBy } from '../request-context/console-user';
import {
  type JobList,
  type JobRecipientList,
  type ListJobsQuery,
  type ListRecipientsQuery,
  recipientItem,
} from './job-lists';

/**
 * Reads and controls an account's bulk jobs, for the API and the dashboard. Changes by users are recorded in the audit
 * log.
 */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobsClient,
    private readonly changes: AuditedChanges,
  ) {}

  async list(accountId: string, query: ListJobsQuery): Promise<JobList> {
    const reply = await this.jobs.listJobs({ accountId, ...query });
    return { jobs: reply.jobs, pagination: paginationOf(query, reply) };
  }

  /** @throws AppError NOT_FOUND */
  async find(accountId: string, jobId: string): Promise<GetJobReply> {
    const { job } = await this.jobs.getJob({ accountId, jobId: requireId('job', jobId) });
    return { job };
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

  /** @throws AppError NOT_FOUND, JOB_STATE_CONFLICT; on resume, also the errors of a send */
  async control(by: Caller, given: string, action: JobAction): Promise<GetJobReply> {
    const jobId = requireId('job', given);
    const change = { action: `job.${action}`, target: jobId };
    const { job } = await this.changes.requestBy(by, change, ControlJobCommand, { jobId, action }, (command) =>
      this.jobs.controlJob(command),
    );
    return { job };
  }

  /** @throws AppError NOT_FOUND; INVALID_VALUE if no recipient has failed; also the errors of a send */
  retryFailed(by: Caller, { jobId: given, newJobId }: Omit<RetryFailedCommand, 'accountId'>): Promise<CreatedJob> {
    const request = { jobId: requireId('job', given), newJobId };
    const change = { action: 'job.retry-failed', target: request.jobId, details: { newJobId } };
    return this.changes.requestBy(by, change, RetryFailedCommand, request, (command) => this.jobs.retryFailed(command));
  }

  /** Creates a job with an audit log entry. @throws AppError from `make` */
  createAudited(
    by: ChangeBy,
    { jobId, message, hold = false }: CreateJobCommand | CreateExcelJobCommand,
    make: () => Promise<CreatedJob>,
  ): Promise<CreatedJob> {
    const details = { type: message.type, template: message.template?.name, hold };
    return this.changes.make({ ...by, action: 'job.create', target: jobId, details }, make);
  }
}
