import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type SendMessageCommand, SendMessageRequest } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { mediaByLink, mediaByUpload, RequireFeature } from '../decorators/require-feature.decorator';
import { changeBy, type ConsoleUser, SignedIn } from '../request-context/console-user';
import { type AccountEntry, AuditedChanges } from '../audit-log/audited-changes';
import { TakesForms } from '../http/form-parser';
import { isForm } from '../http/form-reader';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { TakesIdempotencyKeys } from '../idempotency/takes-idempotency-keys';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { SendMessageResponse, SendUpload } from './send-bodies';
import { SEND_ERRORS } from './send-errors';
import { SendsService } from './sends.service';

@ApiTags('Messages')
@Controller('console/v1/messages')
export class ConsoleSendsController {
  constructor(
    private readonly sends: SendsService,
    private readonly changes: AuditedChanges,
  ) {}

  @Post('send')
  @HttpCode(200)
  @TakesForms()
  @TakesIdempotencyKeys()
  @Roles('agent')
  @RequireFeature(mediaByUpload, mediaByLink)
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Send one message: a text, a template, or a file by upload or link',
    description:
      'Subject to the same checks as a send through the public API. An uploaded file is retained with the message. The audit log records the ID and type of the message, not its content.',
  })
  @ApiBodies({ json: SendMessageRequest, multipart: SendUpload })
  @ApiAnswer(SendMessageResponse)
  @ApiRefusals(...SEND_ERRORS, 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH')
  async send(
    @Req() request: FastifyRequest,
    @SignedIn() user: ConsoleUser,
    @NewId() newId: NewIdFunction,
    // Not validated for a form, which `sendFile` reads.
    @Body() body: SendMessageRequest,
  ): Promise<Success<SendMessageResponse>> {
    const sender = {
      id: user.userId,
      account: user.account,
      newId,
      keepsUploads: true,
      noted: <T>(command: SendMessageCommand, send: () => Promise<T>) =>
        this.changes.make(entryOf(user, command), send),
    };
    const { id, upstreamId } = await (isForm(request)
      ? this.sends.sendFile(request, sender)
      : this.sends.sendJson(body, sender));
    return { success: true, message_id: upstreamId, status: 'accepted', id };
  }
}

/** Returns the audit entry of a send. Omits the text and the recipient, whose data may have to be erased. */
function entryOf(user: ConsoleUser, { messageId, message }: SendMessageCommand): AccountEntry {
  const template = 'template' in message ? message.template?.name : undefined;
  const details = { type: message.type, ...(template !== undefined && { template }) };
  return { ...changeBy(user), action: 'message.send', target: messageId, details };
}
