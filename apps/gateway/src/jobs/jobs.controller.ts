import { applyDecorators, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  CreatedJob,
  GetJobReply,
  JOB_STATUSES,
  type JobAction,
  PHONE_SCHEMA,
  RECIPIENT_STATUSES,
} from '@switchboard/contracts';
import { JobsClient } from '@switchboard/service-clients';
import { type ApiClient, Client } from '../request-context/client';
import { requireId } from '../http/path-ids';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { PageQuery } from '../pagination/page-query';
import { paginationOf } from '../pagination/pagination';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { JobFilters, JobList, JobRecipientList, RecipientFilters, recipientItem } from './job-lists';

const ApiJob = (): MethodDecorator =>
  ApiParam({ name: 'jobId', schema: { type: 'string', example: 'job_01jd0000000000000000000000' } });
const Control = (operationId: string, summary: string, description: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ operationId, summary, description }),
    ApiJob(),
    ApiRefusals('NOT_FOUND', 'JOB_STATE_CONFLICT'),
  );

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/jobs')
export class JobsController {
  constructor(private readonly jobs: JobsClient) {}

  @Get()
  @ApiOperation({
    operationId: 'listJobs',
    summary: 'List bulk jobs, newest first',
    description: 'Bulk calls and spreadsheets.',
  })
  @ApiPaging()
  @ApiFilter('status', { type: 'string', enum: JOB_STATUSES })
  @ApiAnswer(JobList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(
    @Client() client: ApiClient,
    @Query() page: PageQuery,
    @Query() filters: JobFilters,
  ): Promise<Success<JobList>> {
    const reply = await this.jobs.listJobs({ accountId: client.account.id, ...page, ...filters });
    return { success: true, jobs: reply.jobs, pagination: paginationOf(page, reply) };
  }

  @Get(':jobId')
  @ApiOperation({
    operationId: 'getJob',
    summary: 'Get job progress',
    description: 'The counts of recipients by state. They add up to `total`.',
  })
  @ApiJob()
  @ApiAnswer(GetJobReply)
  @ApiRefusals('NOT_FOUND')
  async show(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    const { job } = await this.jobs.getJob({
      accountId: client.account.id,
      jobId: requireId('job', jobId),
    });
    return { success: true, job };
  }

  @Get(':jobId/recipients')
  @ApiOperation({
    operationId: 'listJobRecipients',
    summary: "List a bulk job's recipients, in the order of the request",
    description: 'Each with its state, and with the error of those that failed or were rejected.',
  })
  @ApiJob()
  @ApiPaging()
  @ApiFilter('status', { type: 'string', enum: RECIPIENT_STATUSES })
  @ApiFilter('phone', PHONE_SCHEMA, 'Only the recipients of this number')
  @ApiAnswer(JobRecipientList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE', 'INVALID_PHONE', 'NOT_FOUND')
  async recipients(
    @Client() client: ApiClient,
    @Param('jobId') jobId: string,
    @Query() page: PageQuery,
    @Query() filters: RecipientFilters,
  ): Promise<Success<JobRecipientList>> {
    const reply = await this.jobs.listRecipients({
      accountId: client.account.id,
      jobId: requireId('job', jobId),
      ...page,
      ...filters,
    });
    return { success: true, recipients: reply.recipients.map(recipientItem), pagination: paginationOf(page, reply) };
  }

  @Post(':jobId/pause')
  @Control('pauseJob', 'Pause the job', 'The service sends to no further recipients until the job is resumed.')
  @ApiAnswer(GetJobReply)
  pause(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(client, jobId, 'pause');
  }

  @Post(':jobId/resume')
  @Control(
    'resumeJob',
    'Resume a paused job, or start one that is held',
    'Its template and number are judged again first.',
  )
  @ApiAnswer(GetJobReply)
  @ApiRefusals('NOT_FOUND', 'JOB_STATE_CONFLICT', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_APPROVED', 'NUMBER_STOPPED')
  resume(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(client, jobId, 'resume');
  }

  @Post(':jobId/cancel')
  @Control('cancelJob', 'Cancel the job', 'Recipients not sent to yet are skipped. A job that is cancelled stays so.')
  @ApiAnswer(GetJobReply)
  cancel(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(client, jobId, 'cancel');
  }

  @Post(':jobId/retry-failed')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'retryFailedRecipients',
    summary: 'Create a new job from the recipients that have failed so far',
    description: 'Those that were rejected are not among them. The earlier job stays as it is.',
  })
  @ApiJob()
  @ApiAnswer(CreatedJob, { status: 201 })
  @ApiRefusals('NOT_FOUND', 'INVALID_VALUE', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_APPROVED', 'NUMBER_STOPPED')
  async retryFailed(
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    @Param('jobId') jobId: string,
  ): Promise<Success<CreatedJob>> {
    const request = { accountId: client.account.id, jobId: requireId('job', jobId), newJobId: newId('job') };
    return { success: true, ...(await this.jobs.retryFailed(request)) };
  }

  private async control(client: ApiClient, jobId: string, action: JobAction): Promise<Success<GetJobReply>> {
    const { job } = await this.jobs.controlJob({
      accountId: client.account.id,
      jobId: requireId('job', jobId),
      action,
    });
    return { success: true, job };
  }
}
