import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreatedJob, JobEstimate } from '@switchboard/contracts';
import type { FastifyReply } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { mediaByLink, RequireFeature } from '../decorators/require-feature.decorator';
import { extendRouteConfig } from '../http/route-config';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswers, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { BULK_BODY_MAX_BYTES } from './bulk-body-limit';
import { BulkService } from './bulk.service';
import { BULK_ERRORS } from './bulk-errors';
import { BulkRequest } from './given-recipients';
import { jobAnswer } from './job-answer';

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/messages/send')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  @Post('bulk')
  @HttpCode(201)
  @RequireFeature('BULK_MSG_LIMIT', mediaByLink)
  @extendRouteConfig({ takesRecipients: true, takesDryRuns: true, bodyLimitBytes: BULK_BODY_MAX_BYTES })
  @ApiOperation({
    operationId: 'sendBulk',
    summary: 'Send one message to many recipients',
    description:
      'A 201 confirms that the job was created. Invalid recipients are listed in `errors` and do not affect valid recipients. The service sends at the throughput of your business numbers. `GET /v1/jobs/{jobId}` and events report the progress. With `hold`, the job waits until you resume it, so that you can review its rows and errors first. With `dryRun`, no job is created. The response is then 200 with the expected price, failures and duration.',
  })
  @ApiBodies({ json: BulkRequest })
  @ApiAnswers({ 201: CreatedJob, 200: JobEstimate })
  @ApiRefusals(...BULK_ERRORS)
  async send(
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<CreatedJob | JobEstimate>> {
    return jobAnswer(await this.bulk.create(body, { ...client, newId }), reply);
  }
}
