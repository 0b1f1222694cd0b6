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
import { type SentMessage, UpstreamError } from '@switchboard/upstream';
import { refusalOfCall } from '../messages/message-error';
import type { SendableFile } from '../media-files/media-files.queries';
import { type KnownNumber, NumberCache } from '../numbers/number-cache';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import { ContentCheck } from './content-check';
import { KeptUploads } from './kept-uploads';
import { answerOf, noNumber, refusalOfBegin, replyOf } from './send-refusals';
import type { BegunSend } from './send.queries';
import { type NewSend, SendRepository } from './send.repository';
import { SendMedia, type SentFiles } from './send-media';
import { isMediaGone, refusalOfUpload, UploadService } from './upload.service';
import { type OutgoingSend, UpstreamSender } from './upstream-sender';

/** Time reserved before the caller's deadline for storing the outcome and replying. */
const REPLY_MARGIN_MS = 500;

const sends = counter('messaging_sends_total', 'Sends by outcome: accepted, refused, unknown', {
  outcome: ['accepted', 'refused', 'unknown'],
});

/** A send that passed all checks before its row is written. */
interface PreparedSend extends NewSend {
  /** Number from which the message is sent. */
  number: KnownNumber;
  /** Uploaded files that the content refers to. */
  files: SentFiles | undefined;
  /**
   * Time on the clock of `performance.now()` at which the call must have ended. The reconciler's grace period starts at
   * the time of the row, which is written next.
   */
  until: number;
}

/**
 * Sends one message. The row is stored before the call, and the call contains the internal id. So a crash at any point
 * neither loses nor duplicates the message.
 */
@Injectable()
export class SendService {
  // eslint-disable-next-line max-params -- injected by Nest: a send reads top to bottom in this class
  constructor(
    private readonly numbers: NumberCache,
    private readonly contents: ContentCheck,
    private readonly uploads: UploadService,
    private readonly keptUploads: KeptUploads,
    private readonly media: SendMedia,
    private readonly sender: UpstreamSender,
    private readonly suspendedNumbers: SuspendedNumbers,
    private readonly repository: SendRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param deadline time on the clock of `performance.now()` at which the caller stops waiting
   * @throws AppError for the window, the template, the file, the number or the upstream platform; UPSTREAM_TIMEOUT if
   * the outcome is unknown: callbacks or the reconciler settle it, so the caller must not send it again
   */
  async sendMessage(command: SendMessageCommand, deadline = Number.POSITIVE_INFINITY): Promise<SendMessageReply> {
    const startedAt = performance.now();
    const { accountId, messageId, message, upload, keepsUpload } = command;
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
      if (upload && !(keepsUpload && (await this.keptUploads.mayBeKept(upload)))) await this.uploads.discard(upload);
    }
  }

  /**
   * Returns the outcome of a send. If there is none after the deadline of its command, there never will be, because the
   * send can no longer start.
   */
  async getSend(command: GetSendCommand): Promise<GetSendReply> {
    return replyOf(await this.repository.find(command));
  }

  private async acceptMessage(command: SendMessageCommand, until: number): Promise<SendMessageReply> {
    const { messageId } = command;
    // The file of a redelivered command has already been deleted.
    const existingSend = command.upload && (await this.repository.find(command));
    if (existingSend && !existingSend.isNotBegun) return answerOf(messageId, existingSend);
    let prepared: PreparedSend;
    try {
      prepared = await this.prepare(command, until);
    } catch (error) {
      return await this.answerAgainOr(error, command);
    }
    // The caller has stopped waiting, and may have received the reply that the send does not exist.
    if (performance.now() >= until) throw new AppError('UNAVAILABLE');
    const begun = await this.repository.begin(command, prepared);
    if (begun.refusal) return this.answerAgainOr(refusalOfBegin(begun.refusal, begun, command.message.from), command);
    // A redelivered command gets the reply from its row and is never sent twice.
    if (!begun.inserted && !(await this.repository.beginNoted(command, prepared, begun)))
      return answerOf(messageId, await this.repository.find(command));
    await this.keptUploads.keep(command);
    const outcome = await this.call(command, outgoingOf(command, prepared, begun), prepared);
    const stored = await this.repository.storeOutcome(command, outcome);
    if (outcome instanceof UpstreamError && outcome.kind !== 'unknown-outcome' && stored?.state === 'failed')
      throw refusalOfCall(outcome, { id: messageId, isSecret: command.isSecret });
    return answerOf(messageId, stored);
  }

  /**
   * Checks everything that can be checked before the row is written, and uploads the file.
   * @param until time on the clock of `performance.now()` at which the caller no longer needs the reply
   * @throws AppError for the number, the template, the file, a referenced message, or the upstream platform's state;
   * nothing is stored or sent then
   */
  private async prepare(command: SendMessageCommand, until: number): Promise<PreparedSend> {
    const { accountId, message, upload } = command;
    const number = await this.numbers.find(accountId, message.from ?? null);
    if (!number) throw noNumber(message.from);
    const checked = await this.contents.check(command, number);
    const route = { ...number, recipient: message.to };
    const refusal = this.sender.refusalBefore(route, this.sender.callUntil(until));
    if (refusal) throw refusalOfCall(refusal);
    // The row of a suspended number rejects the send. Check the row first, so that no file is uploaded unnecessarily.
    const found = await this.filesOf(accountId, message, checked.content);
    if (upload || found.length > 0) await this.suspendedNumbers.rejectIfSuspended(accountId, number);
    const uploadUntil = until - this.sender.timeoutMs;
    const mediaId = upload
      ? await this.uploading(number, () => this.uploads.mediaIdOf(number, upload, uploadUntil))
      : null;
    const files =
      found.length > 0
        ? await this.uploading(number, () => this.media.uploaded(number, found, uploadUntil))
        : undefined;
    return { ...checked, number, mediaId, files, until: this.sender.callUntil(until) };
  }

  /** @throws AppError MEDIA_NOT_FOUND, UNSUPPORTED_MEDIA */
  private async filesOf(
    accountId: string,
    message: SendMessageCommand['message'],
    content: object,
  ): Promise<SendableFile[]> {
    try {
      return await this.media.filesOf(accountId, { type: message.type, content });
    } catch (error) {
      throw error instanceof AppError && hasVariables(message) ? withField(error, 'template.variables') : error;
    }
  }

  /** Runs an upload to the platform. @throws AppError; nothing was sent */
  private async uploading<Result>(number: KnownNumber, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await this.suspendedNumbers.suspendIfRejected(number, error);
      throw error instanceof UpstreamError ? refusalOfUpload(error) : error;
    }
  }

  /**
   * Calls the upstream platform. Suspends the number if the platform rejects it.
   * @returns the platform's response, or the error with what is known about the message
   */
  private async call(
    command: SendMessageCommand,
    outgoing: OutgoingSend,
    prepared: PreparedSend,
  ): Promise<SentMessage | UpstreamError> {
    const outcome = await this.sendWithMedia(command, outgoing, prepared);
    await this.suspendedNumbers.suspendIfRejected(
      { id: prepared.number.id, sealedAccessToken: outgoing.sealedAccessToken },
      outcome,
    );
    return outcome;
  }

  /** Uploads the file again if the platform has lost its media id. */
  private async sendWithMedia(
    command: SendMessageCommand,
    outgoing: OutgoingSend,
    { number, files, until }: PreparedSend,
  ): Promise<SentMessage | UpstreamError> {
    const outcome = await this.media.send(outgoing, files, { until });
    if (!command.upload || !outgoing.mediaId || !isMediaGone(outcome)) return outcome;
    try {
      const mediaId = await this.uploads.renew(number, command.upload, { goneId: outgoing.mediaId, until });
      await this.repository.renewMedia(command, mediaId);
      return await this.sender.send({ ...outgoing, mediaId }, { until });
    } catch (error) {
      // The first rejection remains the outcome.
      if (error instanceof UpstreamError) return outcome;
      throw error;
    }
  }

  /** Returns the reply to a redelivered command from its row, even if a new send would be rejected now. */
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

/** Checks for a template with values by name, whose paths in the request differ from those in the content. */
function hasVariables(message: SendMessageCommand['message']): boolean {
  return 'template' in message && message.template?.variables !== undefined;
}

function withField({ code, message, details = [], cause }: AppError, field: string): AppError {
  return new AppError(code, { message, details: details.map((detail) => ({ ...detail, field })), cause });
}

function causeOf({ cause }: AppError): object | undefined {
  if (cause instanceof UpstreamError) return { kind: cause.kind, code: cause.code, httpStatus: cause.httpStatus };
  return cause instanceof Error ? { message: cause.message } : undefined;
}
