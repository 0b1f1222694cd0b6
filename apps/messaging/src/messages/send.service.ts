import { Inject, Injectable } from '@nestjs/common';
import { AppError, maskPhone, type SendMessageCommand, type SendMessageReply, type TemplateContent } from '@switchboard/contracts';
import { isDatabaseAway, isDatabaseUnreached, query } from '@switchboard/database';
import { CONFIG, counter, LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { TemplateCache } from '../templates/template-cache';
import { checkBodyParameters } from '../templates/template-parameters';
import { errorOfCall, refusalOfCall, refusalOfStored } from './message-error';
import { ACCEPT_SEND, BEGIN_SEND, type BegunSend, FAIL_SEND, FIND_SEND, MARK_UNKNOWN, type StoredSend } from './send.queries';
import { type OutgoingSend, UpstreamSender } from './upstream-sender';

/** Kept back from the caller's deadline for writing the outcome and for the reply. */
const REPLY_MARGIN_MS = 500;

const sends = counter('messaging_sends_total', 'Sends by outcome: accepted, refused, unknown', ['outcome']);

/** Sends one message: a row before the call and our id in the call make it safe against a crash at any point. */
@Injectable()
export class SendService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly templates: TemplateCache,
    private readonly sender: UpstreamSender,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param deadline when the caller stops waiting
   * @throws AppError of the window, the template, the number or the upstream platform; UPSTREAM_TIMEOUT when the outcome
   * is unknown: callbacks or the reconciler settle it, so it must not be sent again
   */
  async sendMessage(command: SendMessageCommand, deadline?: Date): Promise<SendMessageReply> {
    const startedAt = performance.now();
    const { accountId, messageId, message } = command;
    const facts = { accountId, messageId, to: maskPhone(message.to), type: message.type };
    try {
      const reply = await this.acceptMessage(command, deadline);
      sends.inc({ outcome: 'accepted' });
      this.logger.info({ ...facts, durationMs: Math.round(performance.now() - startedAt) }, 'message.accepted');
      return reply;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const outcome = error.code === 'UPSTREAM_TIMEOUT' ? 'unknown' : 'refused';
      const durationMs = Math.round(performance.now() - startedAt);
      sends.inc({ outcome });
      this.logger.info({ ...facts, code: error.code, cause: causeOf(error), durationMs }, `message.${outcome}`);
      throw error;
    }
  }

  private async acceptMessage(command: SendMessageCommand, deadline?: Date): Promise<SendMessageReply> {
    const { accountId, messageId, message } = command;
    if (message.type === 'template' && message.template) {
      const refusal = await this.templateRefusal(accountId, message.template);
      // A command delivered twice is answered from its row, whatever became of the template meanwhile.
      const begun = refusal && (await this.findSend(accountId, messageId));
      if (begun) return answerOf(messageId, begun);
      if (refusal) throw refusal;
    }
    const beganAt = performance.now();
    const outgoing = await this.beginSend(command);
    if (!outgoing) return this.answerAgain(accountId, messageId);
    // The reconciler counts from when the row was written: no call may begin so late that it outlasts the grace.
    const callBudgetMs = this.config.UPSTREAM_TIMEOUT_MS - (performance.now() - beganAt);
    const outcome = await this.sender.send(outgoing, endIn(Math.min(callBudgetMs, remainingMs(deadline) - REPLY_MARGIN_MS)));
    if (!(outcome instanceof UpstreamError)) return answerOf(messageId, await this.storeOutcome(ACCEPT_SEND, command, outcome.messageId));
    if (outcome.kind === 'unknown-outcome') return answerOf(messageId, await this.storeOutcome(MARK_UNKNOWN, command));
    const stored = await this.storeOutcome(FAIL_SEND, command, JSON.stringify(errorOfCall(outcome)));
    if (stored?.state === 'failed') throw refusalOfCall(outcome);
    return answerOf(messageId, stored);
  }

  /** Why the template cannot be sent now; undefined when it can. */
  private async templateRefusal(accountId: string, content: TemplateContent): Promise<AppError | undefined> {
    try {
      const template = await this.templates.find({ accountId, name: content.name, language: content.language.code });
      if (!template) return new AppError('TEMPLATE_NOT_FOUND');
      if (template.status !== 'APPROVED') return new AppError('TEMPLATE_NOT_APPROVED');
      checkBodyParameters(template, content);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  /** Writes the row; undefined when the message was begun before. */
  private async beginSend({ accountId, messageId, message }: SendMessageCommand): Promise<OutgoingSend | undefined> {
    const { to: recipient, type, from = null, clientRef = null } = message;
    const content = { ...(type === 'text' ? message.text : message.template) };
    const params = [messageId, accountId, from, recipient, type, JSON.stringify(content), clientRef];
    const [begun] = await this.ask<BegunSend>(BEGIN_SEND, params);
    if (!begun?.phoneNumberId || !begun.sealedAccessToken) throw noNumber(from);
    const { phoneNumberId, sealedAccessToken } = begun;
    if (begun.inserted) return { id: messageId, phoneNumberId, sealedAccessToken, recipient, type, content };
    // No new row and no window: either refused now, or begun while the window was open.
    if (type !== 'template' && !begun.windowOpen && !(await this.findSend(accountId, messageId))) throw new AppError('WINDOW_CLOSED');
    return undefined;
  }

  /** The answer to a command that was delivered twice: from the row, never by another send. */
  private async answerAgain(accountId: string, messageId: string): Promise<SendMessageReply> {
    const stored = await this.findSend(accountId, messageId);
    if (!stored) throw new Error(`message ${messageId} is neither new nor known`);
    return answerOf(messageId, stored);
  }

  /** The row as it is now: a callback may have settled it first. */
  private async storeOutcome(sql: string, { accountId, messageId }: SendMessageCommand, value?: string): Promise<StoredSend | undefined> {
    const params = [messageId, accountId, ...(value === undefined ? [] : [value])];
    try {
      const [stored] = await query<StoredSend>(this.dataSource, sql, params);
      return stored ?? (await this.findSend(accountId, messageId));
    } catch (error) {
      // Upstream was called and the row does not say so: that is what the reconciler is for.
      throw new AppError('UPSTREAM_TIMEOUT', { cause: error });
    }
  }

  private async findSend(accountId: string, messageId: string): Promise<StoredSend | undefined> {
    const [stored] = await this.ask<StoredSend>(FIND_SEND, [messageId, accountId]);
    return stored;
  }

  /** When the answer is lost the row may be there all the same, and the reconciler will send it: nobody must be told otherwise. */
  private async ask<Row>(sql: string, params: unknown[]): Promise<Row[]> {
    try {
      return await query<Row>(this.dataSource, sql, params);
    } catch (error) {
      if (isDatabaseAway(error) && !isDatabaseUnreached(error)) throw new AppError('UPSTREAM_TIMEOUT', { cause: error });
      throw error;
    }
  }
}

/** A message that has an upstream identifier was accepted, whatever became of it later. */
function answerOf(id: string, stored: StoredSend | undefined): SendMessageReply {
  if (stored?.upstreamId) return { id, upstreamId: stored.upstreamId };
  if (stored?.state === 'failed' && stored.error) throw refusalOfStored(stored.error);
  throw new AppError('UPSTREAM_TIMEOUT');
}

function noNumber(from: string | null): AppError {
  const message = from ? 'from is not one of your numbers' : 'the account has no number to send from';
  return new AppError('INVALID_PARAMETER', { message, details: [{ field: 'from', message }] });
}

function remainingMs(deadline: Date | undefined): number {
  return deadline ? deadline.getTime() - Date.now() : Number.POSITIVE_INFINITY;
}

function endIn(ms: number): AbortSignal {
  return ms > 0 ? AbortSignal.timeout(Math.ceil(ms)) : AbortSignal.abort(new Error('no time left for the call'));
}

function causeOf({ cause }: AppError): object | undefined {
  if (cause instanceof UpstreamError) return { kind: cause.kind, code: cause.code, httpStatus: cause.httpStatus };
  return cause instanceof Error ? { message: cause.message } : undefined;
}
