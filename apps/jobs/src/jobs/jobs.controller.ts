import { Controller, Injectable } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler, EventHandler } from '@switchboard/broker';
import {
  AppError,
  ControlJobCommand,
  controlJobV1,
  CreateAudienceJobCommand,
  createAudienceJobV1,
  createCappedJobV1,
  type CreatedJob,
  CreateJobCommand,
  createHeldJobV1,
  createJobV1,
  ListUsedMediaCommand,
  type ListUsedMediaReply,
  listUsedMediaV1,
  GetJobCommand,
  type GetJobReply,
  getJobV1,
  type JobRow,
  ListJobsCommand,
  type ListJobsReply,
  listJobsV1,
  RenameJobCommand,
  renameJobV1,
  RetryFailedCommand,
  retryFailedV1,
  type EstimateSum,
  StageJobRowsCommand,
  type StageJobRowsReply,
  stageJobRowsV1,
  SumEstimatesCommand,
  sumEstimatesV1,
  TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { Every, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { AudienceRows } from './audience-rows';
import { CreateJobService } from './create-job.service';
import { JobControlService } from './job-control.service';
import { JobsService } from './jobs.service';
import { beginningOf } from './new-job';
import { giveUpAt } from './prepare-job';
import { DROP_STAGED_ROWS, DELETE_OLD_STAGED_ROWS, READ_STAGED_ROWS, STAGE_ROWS } from './create-job.queries';

const CLEANUP_EVERY_MS = 600_000;

type StagedJob = Pick<CreateJobCommand, 'accountId' | 'jobId' | 'parts' | 'rows'>;

/** Stores parts of lists that are too long for one message. */
@Injectable()
export class StagedRows {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores one part. Idempotent. */
  async stage({ accountId, jobId, part, rows }: StageJobRowsCommand): Promise<void> {
    await query(this.dataSource, STAGE_ROWS, [accountId, jobId, part, JSON.stringify(rows)]);
  }

  /**
   * Reads all rows of a job in order, part by part.
   * @throws AppError UNAVAILABLE when a part is missing; the caller must upload the list again
   */
  async *batchesOf({ accountId, jobId, parts = 0, rows }: StagedJob): AsyncGenerator<readonly JobRow[]> {
    for (let part = 0; part < parts; part += 1) {
      const [staged] = await query<{ rows: string }>(this.dataSource, READ_STAGED_ROWS, [accountId, jobId, part]);
      if (!staged) throw new AppError('UNAVAILABLE');
      yield JSON.parse(staged.rows) as JobRow[];
    }
    yield rows;
  }

  async drop({ accountId, jobId }: StagedJob): Promise<void> {
    await query(this.dataSource, DROP_STAGED_ROWS, [accountId, jobId]);
  }

  /** Deletes staged rows for which no job was created. */
  @Every({ name: 'jobs.purge', everyMs: CLEANUP_EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async deleteStagedRows(): Promise<void> {
    await query(this.dataSource, DELETE_OLD_STAGED_ROWS);
  }
}

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly creations: CreateJobService,
    private readonly staged: StagedRows,
    private readonly audiences: AudienceRows,
    private readonly control: JobControlService,
  ) {}

  @CommandHandler(stageJobRowsV1)
  async stageRows(@Payload() command: StageJobRowsCommand): Promise<StageJobRowsReply> {
    await this.staged.stage(command);
    return { part: command.part };
  }

  @CommandHandler(createJobV1)
  async createJob(@Payload() command: CreateJobCommand, @Ctx() { deadline }: Delivery): Promise<CreatedJob> {
    const { accountId, jobId, message, numbers } = command;
    const job = { accountId, jobId, type: 'bulk' as const, message, numbers, ...beginningOf(command), deadline };
    const created = await this.creations.createJob(job, () => this.staged.batchesOf(command));
    await this.staged.drop(command);
    return created;
  }

  @CommandHandler(createHeldJobV1)
  createHeldJob(@Payload() command: CreateJobCommand, @Ctx() delivery: Delivery): Promise<CreatedJob> {
    return this.createJob({ ...command, hold: true }, delivery);
  }

  @CommandHandler(createCappedJobV1)
  createCappedJob(@Payload() command: CreateJobCommand, @Ctx() delivery: Delivery): Promise<CreatedJob> {
    return this.createJob(command, delivery);
  }

  @CommandHandler(createAudienceJobV1)
  createAudienceJob(@Payload() command: CreateAudienceJobCommand, @Ctx() delivery: Delivery): Promise<CreatedJob> {
    const { accountId, jobId, message, numbers, audience } = command;
    const deadline = giveUpAt(delivery.deadline);
    const job = { accountId, jobId, type: 'bulk' as const, message, numbers, ...beginningOf(command), deadline };
    return this.creations.createJob(job, (checked) =>
      this.audiences.batchesOf({ accountId, audience, message, deadline }, checked),
    );
  }

  @CommandHandler(getJobV1)
  async getJob(@Payload() { accountId, jobId }: GetJobCommand): Promise<GetJobReply> {
    return { job: await this.jobs.getJob(accountId, jobId) };
  }

  @CommandHandler(listJobsV1)
  listJobs(@Payload() command: ListJobsCommand): Promise<ListJobsReply> {
    return this.jobs.listJobs(command);
  }

  @CommandHandler(sumEstimatesV1)
  sumEstimates(@Payload() command: SumEstimatesCommand): Promise<EstimateSum> {
    return this.jobs.sumEstimates(command);
  }

  @CommandHandler(listUsedMediaV1)
  async listUsedMedia(@Payload() { accountId, mediaIds }: ListUsedMediaCommand): Promise<ListUsedMediaReply> {
    return { mediaIds: await this.jobs.listUsedMedia(accountId, mediaIds) };
  }

  @CommandHandler(controlJobV1)
  async controlJob(@Payload() { action, maxSpend, ...ids }: ControlJobCommand): Promise<GetJobReply> {
    if (action === 'resume') await this.control.resume(ids, maxSpend);
    else await this.control[action](ids);
    return { job: await this.jobs.getJob(ids.accountId, ids.jobId) };
  }

  @CommandHandler(renameJobV1)
  async renameJob(@Payload() command: RenameJobCommand): Promise<GetJobReply> {
    await this.control.rename(command);
    return { job: await this.jobs.getJob(command.accountId, command.jobId) };
  }

  @CommandHandler(retryFailedV1)
  retryFailed(@Payload() command: RetryFailedCommand): Promise<CreatedJob> {
    return this.control.retryFailed(command);
  }

  @EventHandler(templateStatusChangedV1)
  async templateChanged(
    @Payload() { status, sendable = status === 'APPROVED', ...template }: TemplateStatusChangedV1,
  ): Promise<void> {
    if (!sendable) await this.control.pauseJobsOf(template);
  }
}
