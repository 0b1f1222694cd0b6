import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppError, CreatedJob, JobEstimate } from '@switchboard/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { mediaByLink, RequireFeature } from '../decorators/require-feature.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { AccountPlan, type Plan } from '../request-context/plan';
import { TakesForms } from '../http/form-parser';
import { isForm } from '../http/form-reader';
import { extendRouteConfig } from '../http/route-config';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiAnswers, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { BULK_BODY_MAX_BYTES } from './bulk-body-limit';
import { BulkService } from './bulk.service';
import { SendBulkExcelUpload } from './excel-fields';
import { ExcelService } from './excel.service';
import { BulkRequest } from './given-recipients';
import { jobAnswer } from './job-answer';
import { JobsService } from './jobs.service';
import { BULK_ERRORS, EXCEL_ERRORS, REPEAT_ERRORS } from './bulk-errors';

/** Creates bulk jobs for users: like those of the public API, with an audit log entry. */
@ApiTags('Bulk jobs')
@Controller('console/v1/jobs')
export class ConsoleNewJobsController {
  constructor(
    private readonly bulk: BulkService,
    private readonly excel: ExcelService,
    private readonly jobs: JobsService,
  ) {}

  @Post()
  @HttpCode(201)
  @TakesIdempotencyKeys()
  @Roles('admin')
  @RequireFeature('BULK_MSG_LIMIT', mediaByLink)
  @extendRouteConfig({ takesRecipients: true, takesDryRuns: true, bodyLimitBytes: BULK_BODY_MAX_BYTES })
  @ApiOperation({
    operationId: 'createJob',
    summary: 'Create a bulk job from a list of recipients',
    description:
      'Invalid recipients are listed in `errors` and do not affect the others. With `hold`, nothing is sent until the job is resumed. With `dryRun`, nothing is created, and the response is 200 with the expected price, failures and duration.',
  })
  @ApiBodies({ json: BulkRequest })
  @ApiAnswers({ 201: CreatedJob, 200: JobEstimate })
  @ApiRefusals(...BULK_ERRORS, ...REPEAT_ERRORS)
  async create(
    @SignedIn() user: ConsoleUser,
    @AccountPlan() plan: Plan,
    @NewId() newId: NewIdFunction,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<CreatedJob | JobEstimate>> {
    return jobAnswer(await this.bulk.create(body, this.jobs.makerFor(user, plan, newId)), reply);
  }

  @Post('excel')
  @HttpCode(201)
  @TakesForms()
  @TakesIdempotencyKeys()
  @Roles('admin')
  @RequireFeature('BULK_EXCEL')
  @ApiOperation({
    operationId: 'createJobFromSheet',
    summary: 'Create a bulk job from a spreadsheet',
    description:
      'Invalid rows are listed in `errors`, with the row number as `index`, and do not affect the others. With `hold`, nothing is sent until the job is resumed. With `dryRun`, nothing is created, and the response is 200 with the expected price, failures and duration.',
  })
  @ApiBodies({ multipart: SendBulkExcelUpload })
  @ApiAnswers({ 201: CreatedJob, 200: JobEstimate })
  @ApiRefusals(...EXCEL_ERRORS, ...REPEAT_ERRORS)
  async createFromSheet(
    @SignedIn() user: ConsoleUser,
    @AccountPlan() plan: Plan,
    @NewId() newId: NewIdFunction,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<CreatedJob | JobEstimate>> {
    if (!isForm(request))
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'this content type is not supported: send multipart/form-data',
      });
    return jobAnswer(await this.excel.createJob(request, this.jobs.makerFor(user, plan, newId)), reply);
  }

  @Post(':jobId/retry-failed')
  @HttpCode(201)
  @TakesIdempotencyKeys()
  @Roles('admin')
  @ApiOperation({
    operationId: 'retryFailedRecipients',
    summary: 'Create a new job from the recipients that have failed so far',
  })
  @ApiAnswer(CreatedJob, { status: 201 })
  @ApiRefusals(
    'NOT_FOUND',
    'INVALID_VALUE',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'NUMBER_STOPPED',
    ...REPEAT_ERRORS,
  )
  async retryFailed(
    @SignedIn() user: ConsoleUser,
    @NewId() newId: NewIdFunction,
    @Param('jobId') jobId: string,
  ): Promise<Success<CreatedJob>> {
    const request = { jobId, newJobId: newId('job') };
    return { success: true, ...(await this.jobs.retryFailed(changeBy(user), request)) };
  }
}
