import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  GetJobReply,
  JOB_STATUSES,
  type JobAction,
  RECIPIENT_SCHEMA,
  RECIPIENT_STATUSES,
} from '@switchboard/contracts';
import { JobChange } from './job-name';
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
import {
  ApiAnswer,
  ApiBodies,
  ApiFilter,
  ApiOptionalBody,
  ApiPaging,
  ApiRefusals,
  type Success,
} from '../openapi/decorators';
import { Roles } from '../decorators/roles.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';

@ApiTags('Bulk jobs')
@Controller('console/v1/jobs')
export class ConsoleJobsController {
  constructor(private readonly jobs: JobsService) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listJobs', summary: 'List bulk jobs, newest first' })
  @ApiPaging()
  @ApiFilter('search', JOB_SEARCH_SCHEMA, JOB_SEARCH_DOC)
  @ApiFilter('status', { type: 'string', enum: JOB_STATUSES })
  @ApiAnswer(JobList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: ListJobsQuery): Promise<Success<JobList>> {
    return { success: true, ...(await this.jobs.list(account.id, query)) };
  }

  @Get(':jobId')
  @Roles('viewer')
  @ApiOperation({ operationId: 'getJob', summary: 'Retrieve a bulk job with its progress' })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return { success: true, ...(await this.jobs.find(account.id, jobId)) };
  }

  @Patch(':jobId')
  @Roles('admin')
  @ApiOperation({ operationId: 'renameJob', summary: 'Rename a bulk job, in any state' })
  @ApiBodies({ json: JobChange })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE', 'TEXT_TOO_LONG', 'NOT_FOUND')
  async rename(
    @SignedIn() user: ConsoleUser,
    @Param('jobId') jobId: string,
    @Body() { name }: JobChange,
  ): Promise<Success<GetJobReply>> {
    return { success: true, ...(await this.jobs.rename(changeBy(user), jobId, name)) };
  }

  @Get(':jobId/recipients')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listJobRecipients',
    summary: 'List the recipients of a bulk job, in the order of the request',
  })
  @ApiPaging()
  @ApiFilter('status', { type: 'string', enum: RECIPIENT_STATUSES })
  @ApiFilter('phone', RECIPIENT_SCHEMA, 'Only recipients with this number or user id')
  @ApiAnswer(JobRecipientList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE', 'INVALID_PHONE', 'NOT_FOUND')
  async recipients(
    @SignedIn() { account }: ConsoleUser,
    @Param('jobId') jobId: string,
    @Query() query: ListRecipientsQuery,
  ): Promise<Success<JobRecipientList>> {
    const job = { accountId: account.id, jobId };
    return { success: true, ...(await this.jobs.listRecipients(job, query)) };
  }

  @Post(':jobId/pause')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'pauseJob',
    summary: 'Pause a bulk job. Nothing is sent to the remaining recipients until it is resumed.',
  })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND', 'JOB_STATE_CONFLICT')
  pause(@SignedIn() user: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(user, jobId, 'pause');
  }

  @Post(':jobId/resume')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ operationId: 'resumeJob', summary: 'Resume a paused job, or start a held one' })
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
    @SignedIn() user: ConsoleUser,
    @Param('jobId') jobId: string,
    @Body() body: unknown,
  ): Promise<Success<GetJobReply>> {
    return this.control(user, jobId, 'resume', body);
  }

  @Post(':jobId/cancel')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    operationId: 'cancelJob',
    summary: 'Cancel a bulk job. Recipients without a sent message are skipped.',
  })
  @ApiAnswer(GetJobReply)
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND', 'JOB_STATE_CONFLICT')
  cancel(@SignedIn() user: ConsoleUser, @Param('jobId') jobId: string): Promise<Success<GetJobReply>> {
    return this.control(user, jobId, 'cancel');
  }

  private async control(
    user: ConsoleUser,
    jobId: string,
    action: JobAction,
    body?: unknown,
  ): Promise<Success<GetJobReply>> {
    return { success: true, ...(await this.jobs.control(changeBy(user), jobId, action, givenMaxSpend(body))) };
  }
}
