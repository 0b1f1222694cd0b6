import { Body as RequestBody, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Body, Doc, SendMessageRequest, sendMessageV1, SendUploadRequest } from '@switchboard/contracts';
import { Equals, IsString } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../../caller/client';
import { NeedsFeature } from '../../access/features';
import { isForm } from '../../http/form-reader';
import { TakesForms } from '../../http/form-parser';
import type { NewIdFunction } from '../../idempotency/derived-ids';
import { NewId } from '../../idempotency/new-id';
import { ApiAnswer, ApiBodies, ApiRefusals } from '../../openapi/decorators';
import { SEND_ERRORS } from './send-errors';
import { SendForwarder } from './send-forwarder';

/** The form of a send whose content is a file (spec §3.4.1). */
@Body()
class SendUpload extends SendUploadRequest {
  @Doc(
    'image: jpeg, png, at most 5 MB; audio: aac, amr, mpeg, mp4, ogg (opus), 16 MB; video: mp4, 3gpp, 16 MB; document: pdf, txt, csv, doc, docx, xls, xlsx, ppt, pptx, 100 MB',
    { contentMediaType: 'application/octet-stream', format: 'binary' },
  )
  @IsString()
  file: string;
}

const SENT = sendMessageV1.sample.response;

@Answer({ example: () => ({ success: true, message_id: SENT.upstreamId, status: 'accepted', id: SENT.id }) })
class SendMessageResponse {
  @Doc("The upstream platform's identifier; the messageId of events") @IsString() message_id: string;
  @Equals('accepted') status: 'accepted';
  @Doc('Ours') @IsString() id: string;
}

@ApiTags('Messages')
@ApiBearerAuth()
@Controller('v1/messages')
export class SendController {
  constructor(private readonly sends: SendForwarder) {}

  @Post('send')
  @HttpCode(200)
  @TakesForms()
  @NeedsFeature((request) => (isForm(request) ? 'MEDIA' : undefined))
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Send one message',
    description:
      'A 200 says that the upstream platform took the message; events and `GET /v1/messages` report its progress.',
  })
  @ApiBodies({ json: SendMessageRequest, multipart: SendUpload })
  @ApiAnswer(SendMessageResponse)
  @ApiRefusals(...SEND_ERRORS)
  async send(
    @Req() request: FastifyRequest,
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    @RequestBody() body: unknown,
  ): Promise<object> {
    const sender = { client, newId };
    const { id, upstreamId } = await (isForm(request)
      ? this.sends.sendFile(request, sender)
      : this.sends.sendJson(body, sender));
    return { success: true, message_id: upstreamId, status: 'accepted', id };
  }
}
