import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import {
  type ControlJobCommand,
  controlJobV1,
  type CreateAudienceJobCommand,
  createAudienceJobV1,
  createCappedExcelJobV1,
  createCappedJobV1,
  type CreatedJob,
  type CreateExcelJobCommand,
  createExcelJobV1,
  createHeldExcelJobV1,
  createHeldJobV1,
  type CreateJobCommand,
  createJobV1,
  type EstimateAudienceJobCommand,
  estimateAudienceJobV1,
  type EstimateExcelJobCommand,
  estimateExcelJobV1,
  type EstimateJobCommand,
  estimateJobV1,
  type JobEstimate,
  type ListUsedMediaCommand,
  type ListUsedMediaReply,
  listUsedMediaV1,
  type GetJobCommand,
  type GetJobReply,
  getJobV1,
  type JobsErasePersonCommand,
  type JobsErasePersonReply,
  jobsErasePersonV1,
  type ListJobsCommand,
  type ListJobsReply,
  listJobsV1,
  type ListRecipientsCommand,
  type ListRecipientsReply,
  listRecipientsV1,
  type RenameJobCommand,
  renameJobV1,
  type RetryFailedCommand,
  retryFailedV1,
  type RunJobRetentionCommand,
  type RunJobRetentionReply,
  runJobRetentionV1,
  type EstimateSum,
  type SumEstimatesCommand,
  sumEstimatesV1,
  type StageJobRowsCommand,
  type StageJobRowsReply,
  stageJobRowsV1,
} from '@switchboard/contracts';

/**
 * Sends the commands of the jobs service. Every method also throws the errors of `Broker.request`. Without listed
 * callers, only the gateway may call a method: RabbitMQ rejects other services.
 */
@Injectable()
export class JobsClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /**
   * Validates a bulk job and creates it with all its recipients, or not at all.
   * @throws AppError as a send does for the number and the template; INVALID_VALUE or the code of the rows if no row is
   * valid; UNAVAILABLE if a staged part no longer exists
   */
  createJob(request: CreateJobCommand): Promise<CreatedJob> {
    return this.broker.request(createJobV1, request);
  }

  /**
   * Returns which uploaded files unfinished jobs of an account use.
   * Callers: messaging.
   */
  listUsedMedia(request: ListUsedMediaCommand): Promise<ListUsedMediaReply> {
    return this.broker.request(listUsedMediaV1, request);
  }

  /** Same as `createJob`, but the job waits until it is resumed. */
  createHeldJob(request: CreateJobCommand): Promise<CreatedJob> {
    return this.broker.request(createHeldJobV1, request);
  }

  /**
   * Same as `createJob`, but the job has a spend cap or several numbers.
   * @throws AppError also INVALID_VALUE if the rate card has no rate in the currency of the cap
   */
  createCappedJob(request: CreateJobCommand): Promise<CreatedJob> {
    return this.broker.request(createCappedJobV1, request);
  }

  /**
   * Creates a job whose recipients are the contacts of an audience, held or not, with or without a spend cap.
   * @throws AppError as `createCappedJob`; NOT_FOUND for an unknown label; BULK_LIMIT_EXCEEDED; TEXT_TOO_LONG for too
   * large values; TEMPLATE_PARAMS_MISMATCH or INVALID_PARAMETER for name variables; INVALID_VALUE if no contact matches
   */
  createAudienceJob(request: CreateAudienceJobCommand): Promise<CreatedJob> {
    return this.broker.request(createAudienceJobV1, request);
  }

  /**
   * Stores a part of a long list of recipients for `createJob` or `createHeldJob`, for up to one hour. Staging the same
   * part again has no effect.
   */
  stageRows(request: StageJobRowsCommand): Promise<StageJobRowsReply> {
    return this.broker.request(stageJobRowsV1, request);
  }

  /**
   * Creates a bulk job from a spreadsheet of recipients, or none.
   * @throws AppError as `createJob`; FILE_INVALID if the file cannot be read; BULK_LIMIT_EXCEEDED;
   * TEMPLATE_PARAMS_MISMATCH for its columns; RATE_LIMITED while too many files of the account are queued
   */
  createExcelJob(request: CreateExcelJobCommand): Promise<CreatedJob> {
    return this.broker.request(createExcelJobV1, request);
  }

  /** Same as `createExcelJob`, but the job waits until it is resumed. */
  createHeldExcelJob(request: CreateExcelJobCommand): Promise<CreatedJob> {
    return this.broker.request(createHeldExcelJobV1, request);
  }

  /** Same as `createExcelJob`, but the job has a spend cap or several numbers, as in `createCappedJob`. */
  createCappedExcelJob(request: CreateExcelJobCommand): Promise<CreatedJob> {
    return this.broker.request(createCappedExcelJobV1, request);
  }

  /**
   * Validates a bulk job like `createJob` and returns its expected price. Creates nothing.
   * @throws AppError as `createJob`
   */
  estimateJob(request: EstimateJobCommand): Promise<JobEstimate> {
    return this.broker.request(estimateJobV1, request);
  }

  /**
   * Reads an audience like `createAudienceJob` and returns the expected price of its job. Creates nothing.
   * @throws AppError as `createAudienceJob`
   */
  estimateAudienceJob(request: EstimateAudienceJobCommand): Promise<JobEstimate> {
    return this.broker.request(estimateAudienceJobV1, request);
  }

  /**
   * Validates a spreadsheet like `createExcelJob` and returns the expected price of its job. Creates nothing.
   * @throws AppError as `createExcelJob`
   */
  estimateExcelJob(request: EstimateExcelJobCommand): Promise<JobEstimate> {
    return this.broker.request(estimateExcelJobV1, request);
  }

  /**
   * Creates a new job from the recipients of a job that have failed so far.
   * @throws AppError NOT_FOUND; INVALID_VALUE if none has failed; as a send does for the number and the template
   */
  retryFailed(request: RetryFailedCommand): Promise<CreatedJob> {
    return this.broker.request(retryFailedV1, request);
  }

  /** Changes the name of a job in any state; null removes it. @throws AppError NOT_FOUND */
  renameJob(request: RenameJobCommand): Promise<GetJobReply> {
    return this.broker.request(renameJobV1, request);
  }

  /** Returns the sum of the stored estimates of the jobs of a month. */
  sumEstimates(request: SumEstimatesCommand): Promise<EstimateSum> {
    return this.broker.request(sumEstimatesV1, request);
  }

  /**
   * Pauses, resumes or cancels a job. Repeating an action has no effect.
   * @throws AppError NOT_FOUND; JOB_STATE_CONFLICT if the job has ended; on resume, as a send does for the number and
   * the template; SPEND_CAP_REACHED if a spend cap does not allow another message
   */
  controlJob(request: ControlJobCommand): Promise<GetJobReply> {
    return this.broker.request(controlJobV1, request);
  }

  /**
   * Returns one bulk job of an account.
   * @throws AppError NOT_FOUND when the account has no such job
   */
  getJob(request: GetJobCommand): Promise<GetJobReply> {
    return this.broker.request(getJobV1, request);
  }

  /**
   * Returns one page of an account's bulk jobs, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor; INVALID_VALUE when the page number is too deep
   */
  listJobs(request: ListJobsCommand): Promise<ListJobsReply> {
    return this.broker.request(listJobsV1, request);
  }

  /**
   * Returns one page of a job's recipients, in request order.
   * @throws AppError NOT_FOUND when the account has no such job; INVALID_PARAMETER for an invalid cursor; INVALID_VALUE
   * when the page number is too deep
   */
  listRecipients(request: ListRecipientsCommand): Promise<ListRecipientsReply> {
    return this.broker.request(listRecipientsV1, request);
  }

  /**
   * Erases a bounded number of rows about a contact from an account's jobs: number, variables and reference. Recipients
   * that are still waiting receive no message. Call it until `done` is true.
   */
  erasePerson(request: JobsErasePersonCommand): Promise<JobsErasePersonReply> {
    return this.broker.request(jobsErasePersonV1, request);
  }

  /**
   * Deletes a bounded number of ended jobs that are older than their accounts' message retention. Call it until `done`
   * is true.
   * @throws AppError UNAVAILABLE when messaging does not reply
   */
  runJobRetention(request: RunJobRetentionCommand): Promise<RunJobRetentionReply> {
    return this.broker.request(runJobRetentionV1, request);
  }
}
