import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SendMessageRequest } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { mediaByLink, mediaByUpload, RequireFeature } from '../decorators/require-feature.decorator';
import { isForm } from '../http/form-reader';
import { TakesForms } from '../http/form-parser';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { SendMessageResponse, SendUpload } from './send-bodies';
import { SEND_ERRORS } from './send-errors';
import { SendsService } from './sends.service';

@ApiTags('Messages')
@ApiBearerAuth()
@Controller('v1/messages')
export class SendController {
  constructor(private readonly sends: SendsService) {}

  @Post('send')
  @HttpCode(200)
  @TakesForms()
  @RequireFeature(mediaByUpload, mediaByLink)
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Send one message',
    description:
      'A 200 confirms that the upstream platform accepted the message. Events and `GET /v1/messages` report its progress.',
  })
  @ApiBodies({ json: SendMessageRequest, multipart: SendUpload })
  @ApiAnswer(SendMessageResponse)
  @ApiRefusals(...SEND_ERRORS)
  async send(
    @Req() request: FastifyRequest,
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    // Not validated for a form, which `sendFile` reads.
    @Body() body: SendMessageRequest,
  ): Promise<Success<SendMessageResponse>> {
    const sender = { id: client.clientId, account: client.account, newId };
    const { id, upstreamId } = await (isForm(request)
      ? this.sends.sendFile(request, sender)
      : this.sends.sendJson(body, sender));
    return { success: true, message_id: upstreamId, status: 'accepted', id };
  }
}
