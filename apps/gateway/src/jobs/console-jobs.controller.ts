import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { GetJobReply, JOB_STATUSES, type JobAction, PHONE_SCHEMA, RECIPIENT_STATUSES } from '@switchboard/contracts';
import { JobsClient } from '@switchboard/service-clients';
import { JobChanges } from './job-changes';
import { JobFilters, JobList, JobRecipientList, RecipientFilters, recipientItem } from './job-lists';
import { PageQuery } from '../pagination/page-query';
import { paginationOf } from '../pagination/pagination';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';

@ApiTags('Bulk jobs')
@Controller('console/v1/jobs')
export class ConsoleJobsController {
  constructor(
    private readonly jobs: JobsClient,
    private readonly changes: JobChanges,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listJobs', summary: 'List bulk jobs, newest first' })
  @ApiPaging()
  @ApiFilter('status', { type: 'string', enum: JOB_STATUSES })
  @ApiAnswer(JobList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() page: PageQuery,
    @Query() filters: JobFilters,
  ): Promise<Success<JobList>> {
    const reply = await this.jobs.listJobs({ accountId: account.id, ...page, ...filters });
    return { success: true, jobs: reply.jobs, pagination: paginationOf(page, reply) };
  }

  @Get(':jobId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getJob', summary: 'Get job progress' })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    const { job } = await this.jobs.getJob({ accountId: account.id, jobId: requireId('job', jobId) });
    return { success: true, job };
  }

  @Get(':jobId/recipients')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listJobRecipients',
    summary: "List a bulk job's recipients, in the order of the request",
  })
  @ApiPaging()
  @ApiFilter('status', { type: 'string', enum: RECIPIENT_STATUSES })
  @ApiFilter('phone', PHONE_SCHEMA, 'Only the recipients of this number')
  @ApiAnswer(JobRecipientList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE', 'INVALID_PHONE', 'NOT_FOUND')
  async recipients(
    @SignedIn() { account }: ConsoleUser,
    @Param('jobId') jobId: string,
    @Query() page: PageQuery,
    @Query() filters: RecipientFilters,
  ): Promise<Success<JobRecipientList>> {
    const reply = await this.jobs.listRecipients({
      accountId: account.id,
      jobId: requireId('job', jobId),
      ...page,
      ...filters,
    });
    return { success: true, recipients: reply.recipients.map(recipientItem), pagination: paginationOf(page, reply) };
  }

  @Post(':jobId/pause')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ operationId: 'pauseJob', summary: 'Pause the job. The service sends to no further recipients.' })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND', 'JOB_STATE_CONFLICT')
  pause(@SignedIn() user: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(user, jobId, 'pause');
  }

  @Post(':jobId/resume')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ operationId: 'resumeJob', summary: 'Resume a paused job, or start one that is held' })
  @ApiAnswer(GetJobReply)
  @ApiRefusals(
    'INVALID_PARAMETER',
    'NOT_FOUND',
    'JOB_STATE_CONFLICT',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'NUMBER_STOPPED',
  )
  resume(@SignedIn() user: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(user, jobId, 'resume');
  }

  @Post(':jobId/cancel')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ operationId: 'cancelJob', summary: 'Cancel the job. Recipients not sent to yet are skipped.' })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND', 'JOB_STATE_CONFLICT')
  cancel(@SignedIn() user: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(user, jobId, 'cancel');
  }

  private async control(user: ConsoleUser, jobId: string, action: JobAction): Promise<Success<GetJobReply>> {
    const job = await this.changes.control(changeBy(user), { jobId: requireId('job', jobId), action });
    return { success: true, job };
  }
}
