import { Injectable } from '@nestjs/common';
import {
  ControlJobCommand,
  type CreatedJob,
  type CreateExcelJobCommand,
  type CreateJobCommand,
  type JobRecord,
  RetryFailedCommand,
} from '@switchboard/contracts';
import { JobsClient } from '@switchboard/service-clients';
import type { ChangeBy } from '../request-context/console-user';
import { AuditedChanges } from '../audit-log/audited-changes';

/** Changes of an account's bulk jobs by its people: each is noted with who made it. */
@Injectable()
export class JobChanges {
  constructor(
    private readonly jobs: JobsClient,
    private readonly changes: AuditedChanges,
  ) {}

  /** Notes the making of a job around it. @throws AppError whatever the making throws */
  create(
    by: ChangeBy,
    { jobId, message, hold = false }: CreateJobCommand | CreateExcelJobCommand,
    make: () => Promise<CreatedJob>,
  ): Promise<CreatedJob> {
    const details = { type: message.type, template: message.template?.name, hold };
    return this.changes.make({ ...by, action: 'job.create', target: jobId, details }, make);
  }

  /** @throws AppError NOT_FOUND, JOB_STATE_CONFLICT; to resume, as a send would be refused now */
  async control(by: ChangeBy, { jobId, action }: Omit<ControlJobCommand, 'accountId'>): Promise<JobRecord> {
    const entry = { ...by, action: `job.${action}`, target: jobId };
    const { job } = await this.changes.request(entry, ControlJobCommand, { jobId, action }, (command) =>
      this.jobs.controlJob(command),
    );
    return job;
  }

  /** @throws AppError NOT_FOUND, INVALID_VALUE when nobody has failed; as a send would be refused now */
  retryFailed(by: ChangeBy, request: Omit<RetryFailedCommand, 'accountId'>): Promise<CreatedJob> {
    const { jobId, newJobId } = request;
    const entry = { ...by, action: 'job.retry-failed', target: jobId, details: { newJobId } };
    return this.changes.request(entry, RetryFailedCommand, request, (command) => this.jobs.retryFailed(command));
  }
}
