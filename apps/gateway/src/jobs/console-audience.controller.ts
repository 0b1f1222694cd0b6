import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, CountAudienceReply, CreatedJob, JobEstimate } from '@switchboard/contracts';
import type { FastifyReply } from 'fastify';
import { mediaByLink, RequireFeature } from '../decorators/require-feature.decorator';
import { Roles } from '../decorators/roles.decorator';
import { extendRouteConfig } from '../http/route-config';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiAnswers, ApiBodies, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { AccountPlan, type Plan } from '../request-context/plan';
import { AudienceService } from './audience.service';
import { BULK_ERRORS, REPEAT_ERRORS } from './bulk-errors';
import { AUDIENCE_DAYS_MAX, AUDIENCE_DOCS, AudienceJobRequest, AudienceQuery } from './given-audience';
import { jobAnswer } from './job-answer';
import { JobsService } from './jobs.service';

const DAYS_SCHEMA = { type: 'integer', minimum: 1, maximum: AUDIENCE_DAYS_MAX } as const;

@Answer({ name: 'AudienceCount', example: () => ({ success: true, count: 1_204, isExact: true }) })
class AudienceCount extends CountAudienceReply {}

/** Counts contacts as recipients, and creates bulk jobs from them. */
@ApiTags('Bulk jobs')
@Controller('console/v1')
export class ConsoleAudienceController {
  constructor(
    private readonly audiences: AudienceService,
    private readonly jobs: JobsService,
  ) {}

  @Get('audience')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'countAudience',
    summary: 'Count the contacts that a job would send to',
    description: 'Contacts that the account or any of its numbers blocks are not counted.',
  })
  @ApiFilter('labelId', { type: 'string' }, AUDIENCE_DOCS.labelId)
  @ApiFilter('wroteWithinDays', DAYS_SCHEMA, AUDIENCE_DOCS.wroteWithinDays)
  @ApiFilter('silentForDays', DAYS_SCHEMA, AUDIENCE_DOCS.silentForDays)
  @ApiFilter('optedIn', { type: 'boolean' }, AUDIENCE_DOCS.optedIn)
  @ApiFilter('windowOpen', { type: 'boolean' }, AUDIENCE_DOCS.windowOpen)
  @ApiAnswer(AudienceCount)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE', 'NOT_FOUND')
  async count(@SignedIn() { account }: ConsoleUser, @Query() query: AudienceQuery): Promise<Success<AudienceCount>> {
    return { success: true, ...(await this.audiences.count(account.id, query)) };
  }

  @Post('jobs/contacts')
  @HttpCode(201)
  @TakesIdempotencyKeys()
  @Roles('admin')
  @RequireFeature('BULK_MSG_LIMIT', mediaByLink)
  @extendRouteConfig({ takesDryRuns: true })
  @ApiOperation({
    operationId: 'createJobFromContacts',
    summary: 'Create a bulk job from contacts',
    description:
      'The recipients are the contacts that match when the job is created. With `hold`, nothing is sent until the job is resumed. With `dryRun`, nothing is created, and the response is 200 with the expected price, failures and duration.',
  })
  @ApiBodies({ json: AudienceJobRequest })
  @ApiAnswers({ 201: CreatedJob, 200: JobEstimate })
  @ApiRefusals(...BULK_ERRORS, 'NOT_FOUND', ...REPEAT_ERRORS)
  async create(
    @SignedIn() user: ConsoleUser,
    @AccountPlan() plan: Plan,
    @NewId() newId: NewIdFunction,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<CreatedJob | JobEstimate>> {
    return jobAnswer(await this.audiences.create(body, this.jobs.makerFor(user, plan, newId)), reply);
  }
}
