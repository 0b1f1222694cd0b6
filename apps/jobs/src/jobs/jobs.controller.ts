import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, HandlesCommand, HandlesEvent } from '@switchboard/broker';
import {
  ControlJobCommand,
  controlJobV1,
  type CreatedJob,
  CreateJobCommand,
  createJobV1,
  GetJobCommand,
  type GetJobReply,
  getJobV1,
  ListJobsCommand,
  type ListJobsReply,
  listJobsV1,
  RetryFailedCommand,
  retryFailedV1,
  StageJobRowsCommand,
  type StageJobRowsReply,
  stageJobRowsV1,
  TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { CreateJobService } from './create-job.service';
import { JobControlService } from './job-control.service';
import { JobsService } from './jobs.service';
import { timesOf } from './new-job';
import { StagedRows } from './staged-rows';

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly creations: CreateJobService,
    private readonly staged: StagedRows,
    private readonly control: JobControlService,
  ) {}

  @HandlesCommand(stageJobRowsV1)
  async stageRows(@Payload() command: StageJobRowsCommand): Promise<StageJobRowsReply> {
    await this.staged.stage(command);
    return { part: command.part };
  }

  @HandlesCommand(createJobV1)
  async createJob(@Payload() command: CreateJobCommand, @Ctx() { deadline }: Delivery): Promise<CreatedJob> {
    const { accountId, jobId, message } = command;
    const job = { accountId, jobId, type: 'bulk' as const, message, ...timesOf(command), deadline };
    const created = await this.creations.createJob(job, this.staged.batchesOf(command));
    await this.staged.drop(command);
    return created;
  }

  @HandlesCommand(getJobV1)
  async getJob(@Payload() { accountId, jobId }: GetJobCommand): Promise<GetJobReply> {
    return { job: await this.jobs.getJob(accountId, jobId) };
  }

  @HandlesCommand(listJobsV1)
  listJobs(@Payload() command: ListJobsCommand): Promise<ListJobsReply> {
    return this.jobs.listJobs(command);
  }

  @HandlesCommand(controlJobV1)
  async controlJob(@Payload() { action, ...ids }: ControlJobCommand): Promise<GetJobReply> {
    await this.control[action](ids);
    return { job: await this.jobs.getJob(ids.accountId, ids.jobId) };
  }

  @HandlesCommand(retryFailedV1)
  retryFailed(@Payload() command: RetryFailedCommand): Promise<CreatedJob> {
    return this.control.retryFailed(command);
  }

  @HandlesEvent(templateStatusChangedV1)
  async templateChanged(
    @Payload() { status, sendable = status === 'APPROVED', ...template }: TemplateStatusChangedV1,
  ): Promise<void> {
    if (!sendable) await this.control.pauseJobsOf(template);
  }
}
