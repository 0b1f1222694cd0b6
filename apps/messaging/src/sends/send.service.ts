import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type GetSendCommand,
  type GetSendReply,
  maskPhone,
  type SendMessageCommand,
  type SendMessageReply,
} from '@switchboard/contracts';
import { counter, LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { OutboundSender } from './outbound-sender';
import { UploadService } from './upload.service';
import { refusalOfCall } from '../messages/message-error';
import { type PreparedSend, SendPreparation } from './send-preparation';
import { answerOf, refusalOfBegin, replyOf } from './send-refusals';
import { SendRepository } from './send.repository';
import type { OutgoingSend } from './upstream-sender';
import type { BegunSend } from './send.queries';

/** Time reserved before the caller's deadline for storing the outcome and replying. */
const REPLY_MARGIN_MS = 500;

const sends = counter('messaging_sends_total', 'Sends by outcome: accepted, refused, unknown', {
  outcome: ['accepted', 'refused', 'unknown'],
});

/**
 * Sends one message. The row is written before the call, and the call carries the message's id, so that a crash at any
 * point is safe.
 */
@Injectable()
export class SendService {
  constructor(
    private readonly preparation: SendPreparation,
    private readonly repository: SendRepository,
    private readonly sender: OutboundSender,
    private readonly uploads: UploadService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param deadline time when the caller stops waiting, as in `performance.now()`
   * @throws AppError for the window, the template, the file, the number or the upstream platform; UPSTREAM_TIMEOUT if
   * the outcome is unknown: callbacks or the reconciler settle it, so the caller must not send it again
   */
  async sendMessage(command: SendMessageCommand, deadline = Number.POSITIVE_INFINITY): Promise<SendMessageReply> {
    const startedAt = performance.now();
    const { accountId, messageId, message, upload } = command;
    const facts = { accountId, messageId, to: maskPhone(message.to), type: message.type };
    try {
      const reply = await this.acceptMessage(command, deadline - REPLY_MARGIN_MS);
      sends.inc({ outcome: 'accepted' });
      const { upstreamId } = reply;
      this.logger.info(
        { ...facts, upstreamId, durationMs: Math.round(performance.now() - startedAt) },
        'message.accepted',
      );
      return reply;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const outcome = error.status === 504 ? 'unknown' : 'refused';
      const durationMs = Math.round(performance.now() - startedAt);
      sends.inc({ outcome });
      this.logger.info({ ...facts, code: error.code, cause: causeOf(error), durationMs }, `message.${outcome}`);
      throw error;
    } finally {
      if (upload) await this.uploads.discard(upload);
    }
  }

  /**
   * Returns the state of a send. `none` is final once the caller's deadline is over, because the send cannot start
   * later.
   */
  async getSend(command: GetSendCommand): Promise<GetSendReply> {
    return replyOf(await this.repository.find(command));
  }

  private async acceptMessage(command: SendMessageCommand, until: number): Promise<SendMessageReply> {
    const { messageId } = command;
    // The file of a redelivered command is already deleted.
    const existingSend = command.upload && (await this.repository.find(command));
    if (existingSend && !existingSend.isNotBegun) return answerOf(messageId, existingSend);
    let prepared: PreparedSend;
    try {
      prepared = await this.preparation.prepare(command, until);
    } catch (error) {
      return await this.answerAgainOr(error, command);
    }
    // The caller has stopped waiting, and may have learned that the send does not exist.
    if (performance.now() >= until) throw new AppError('UNAVAILABLE');
    const begun = await this.repository.begin(command, prepared);
    if (begun.refusal) return this.answerAgainOr(refusalOfBegin(begun.refusal, begun, command.message.from), command);
    // A redelivered command gets the reply from its row and is never sent twice.
    if (!begun.inserted && !(await this.repository.beginNoted(command, prepared, begun)))
      return answerOf(messageId, await this.repository.find(command));
    const outcome = await this.sender.send(command, outgoingOf(command, prepared, begun), prepared);
    const stored = await this.repository.storeOutcome(command, outcome);
    if (outcome instanceof UpstreamError && outcome.kind !== 'unknown-outcome' && stored?.state === 'failed')
      throw refusalOfCall(outcome, { id: messageId, isSecret: command.isSecret });
    return answerOf(messageId, stored);
  }

  /** Replies to a redelivered command from its row, even if a check fails by now. */
  private async answerAgainOr(error: unknown, command: SendMessageCommand): Promise<SendMessageReply> {
    if (!(error instanceof AppError)) throw error;
    const existingSend = await this.repository.find(command);
    if (existingSend && !existingSend.isNotBegun) return answerOf(command.messageId, existingSend);
    throw error;
  }
}

/** Uses the number as the insert read it, which is newer than the state at preparation. */
function outgoingOf(
  { messageId, message }: SendMessageCommand,
  prepared: PreparedSend,
  begun: BegunSend,
): OutgoingSend {
  const { content, caption, mediaId, answeredId } = prepared;
  const { id: numberId, phoneNumberId, wabaId, sealedAccessToken, isByMarketingEndpoint } = begun;
  return {
    id: messageId,
    recipient: message.to,
    type: message.type,
    content,
    caption,
    mediaId,
    answeredId,
    numberId,
    phoneNumberId,
    wabaId,
    sealedAccessToken,
    isByMarketingEndpoint,
  };
}

function causeOf({ cause }: AppError): object | undefined {
  if (cause instanceof UpstreamError) return { kind: cause.kind, code: cause.code, httpStatus: cause.httpStatus };
  return cause instanceof Error ? { message: cause.message } : undefined;
}
