import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  CreatedJob,
  GetJobReply,
  JOB_STATUSES,
  type JobAction,
  RECIPIENT_SCHEMA,
  RECIPIENT_STATUSES,
} from '@switchboard/contracts';
import { type ApiClient, Client } from '../request-context/client';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswer, ApiFilter, ApiOptionalBody, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import {
  JOB_SEARCH_DOC,
  JOB_SEARCH_SCHEMA,
  JobList,
  JobRecipientList,
  ListJobsQuery,
  ListRecipientsQuery,
} from './job-lists';
import { JobsService } from './jobs.service';
import { givenMaxSpend, ResumeRequest } from './max-spend';

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
  constructor(private readonly jobs: JobsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listJobs',
    summary: 'List bulk jobs, newest first',
    description: 'Returns the jobs created by bulk requests and spreadsheets.',
  })
  @ApiPaging()
  @ApiFilter('search', JOB_SEARCH_SCHEMA, JOB_SEARCH_DOC)
  @ApiFilter('status', { type: 'string', enum: JOB_STATUSES })
  @ApiAnswer(JobList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() query: ListJobsQuery): Promise<Success<JobList>> {
    return { success: true, ...(await this.jobs.list(client.account.id, query)) };
  }

  @Get(':jobId')
  @ApiOperation({
    operationId: 'getJob',
    summary: 'Retrieve a bulk job with its progress',
    description: 'The counts of recipients by state add up to `total`.',
  })
  @ApiJob()
  @ApiAnswer(GetJobReply)
  @ApiRefusals('NOT_FOUND')
  async show(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return { success: true, ...(await this.jobs.find(client.account.id, jobId)) };
  }

  @Get(':jobId/recipients')
  @ApiOperation({
    operationId: 'listJobRecipients',
    summary: 'List the recipients of a bulk job, in the order of the request',
    description: 'Returns each recipient with its state. Failed and rejected recipients also have an error.',
  })
  @ApiJob()
  @ApiPaging()
  @ApiFilter('status', { type: 'string', enum: RECIPIENT_STATUSES })
  @ApiFilter('phone', RECIPIENT_SCHEMA, 'Only recipients with this number or user id')
  @ApiAnswer(JobRecipientList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE', 'INVALID_PHONE', 'NOT_FOUND')
  async recipients(
    @Client() client: ApiClient,
    @Param('jobId') jobId: string,
    @Query() query: ListRecipientsQuery,
  ): Promise<Success<JobRecipientList>> {
    const job = { accountId: client.account.id, jobId };
    return { success: true, ...(await this.jobs.listRecipients(job, query)) };
  }

  @Post(':jobId/pause')
  @Control(
    'pauseJob',
    'Pause a bulk job',
    'Nothing is sent to the remaining recipients until the job is resumed. Messages that were already passed to the number are still sent: at most those of five seconds, or 20 if that is more.',
  )
  @ApiAnswer(GetJobReply)
  pause(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(client, jobId, 'pause');
  }

  @Post(':jobId/resume')
  @Control(
    'resumeJob',
    'Resume a paused job, or start a held one',
    "The template and business numbers of the job are validated again first. A job paused by a spend cap resumes only if the cap allows another message: the account's cap was raised, a new month has started, or the request has a higher `maxSpend`.",
  )
  @ApiOptionalBody(ResumeRequest)
  @ApiAnswer(GetJobReply)
  @ApiRefusals(
    'INVALID_PARAMETER',
    'INVALID_VALUE',
    'NOT_FOUND',
    'JOB_STATE_CONFLICT',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'NUMBER_STOPPED',
    'SPEND_CAP_REACHED',
  )
  resume(
    @Client() client: ApiClient,
    @Param('jobId') jobId: string,
    @Body() body: unknown,
  ): Promise<Success<GetJobReply>> {
    return this.control(client, jobId, 'resume', body);
  }

  @Post(':jobId/cancel')
  @Control('cancelJob', 'Cancel a bulk job', 'Recipients without a sent message are skipped. This cannot be undone.')
  @ApiAnswer(GetJobReply)
  cancel(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(client, jobId, 'cancel');
  }

  @Post(':jobId/retry-failed')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'retryFailedRecipients',
    summary: 'Create a new job from the recipients that have failed so far',
    description: 'The new job does not include rejected recipients. The original job is unchanged.',
  })
  @ApiJob()
  @ApiAnswer(CreatedJob, { status: 201 })
  @ApiRefusals('NOT_FOUND', 'INVALID_VALUE', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_APPROVED', 'NUMBER_STOPPED')
  async retryFailed(
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    @Param('jobId') jobId: string,
  ): Promise<Success<CreatedJob>> {
    const request = { jobId, newJobId: newId('job') };
    return { success: true, ...(await this.jobs.retryFailed({ accountId: client.account.id }, request)) };
  }

  private async control(
    client: ApiClient,
    jobId: string,
    action: JobAction,
    body?: unknown,
  ): Promise<Success<GetJobReply>> {
    const by = { accountId: client.account.id };
    return { success: true, ...(await this.jobs.control(by, jobId, action, givenMaxSpend(body))) };
  }
}
