import { Injectable } from '@nestjs/common';
import {
  AppError,
  ERRORS,
  type ErrorCode,
  OTP_EXPIRY_MINUTES,
  type OtpSettings,
  type SendCodeCommand,
  type SendCodeReply,
  sendMessageV1,
  type TemplateContent,
} from '@switchboard/contracts';
import { isDatabaseUnavailable, markSideEffect, withoutSideEffectTracking } from '@switchboard/database';
import { MessagingClient } from '@switchboard/service-clients';
import { countryOf } from '../settings/country';
import { fillOtpTemplate } from '../settings/otp-template';
import { SettingsService } from '../settings/settings.service';
import { SendCredits } from './credits';
import { OtpSendsService } from './otp-sends.service';
import { SendOutcomes } from './send-outcomes.service';
import type { SendIds, StoredSend } from './settle-send.queries';

/** Time reserved before the caller's deadline to store the outcome and reply. */
const REPLY_MARGIN_MS = 500;
/** Minimum time left to submit a message. */
const LEAST_SEND_MS = 1_000;
/** Errors after which the message may have been sent, or a retry may send it. The outcome is determined later. */
const OPEN_CODES: ErrorCode[] = ['UPSTREAM_TIMEOUT', 'OUTCOME_UNKNOWN', 'UNAVAILABLE', 'INTERNAL'];

/**
 * Sends one-time codes. A crash between any two steps leaves an open row. A repeated command continues from that row
 * with the same message and reservation. If the command is not repeated, `SettleOpenSends` determines the outcome.
 */
@Injectable()
export class CodeSender {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly settings: SettingsService,
    private readonly sends: OtpSendsService,
    private readonly credits: SendCredits,
    private readonly outcomes: SendOutcomes,
  ) {}

  /**
   * @param deadline time at which the caller stops waiting, on the clock of `performance.now()`
   * @throws AppError when the template, the country, a limit or the balance does not allow the send, or when the send
   * fails; UPSTREAM_TIMEOUT or OUTCOME_UNKNOWN when the code may have been sent
   */
  async sendCode(command: SendCodeCommand, deadline: number): Promise<SendCodeReply> {
    const { earlier, settings } = await this.sends.lookUp(command);
    if (earlier && isSettled(earlier)) return this.answerAgain(earlier);
    const template = await this.contentOf(command, settings);
    // If nothing is sent, everything written here is reverted.
    const begun = await withoutSideEffectTracking(() => this.sends.start(command, settings.sendsPerPrefix));
    // A resumed send may already have sent the code, whatever fails from here on.
    if (!begun?.isNew) markSideEffect();
    if (!begun) return this.answerAgain(await this.sends.find(command));
    const send = { accountId: command.accountId, messageId: command.messageId, attempt: begun.attempt };
    const creditsRemaining = await this.reserve(send);
    const upstreamId = await this.deliver(send, { to: command.to, senderId: command.senderId, template, deadline });
    return { id: send.messageId, upstreamId, expiresAt: begun.expiresAt.toISOString(), creditsRemaining };
  }

  private async contentOf(
    { accountId, to, otp, expiryMinutes = OTP_EXPIRY_MINUTES.fallback }: SendCodeCommand,
    { template, countries }: OtpSettings,
  ): Promise<TemplateContent> {
    if (!template)
      throw new AppError('TEMPLATE_NOT_FOUND', {
        message: `${ERRORS.TEMPLATE_NOT_FOUND.message}: the account has not chosen an OTP template`,
      });
    if (countries && !countries.includes(countryOf(to) ?? '')) {
      const message = "to is in a country to which the account's settings do not allow OTPs";
      throw new AppError('INVALID_VALUE', { message, details: [{ field: 'to', message }] });
    }
    return fillOtpTemplate(await this.settings.templateOf(accountId, template), { code: otp, minutes: expiryMinutes });
  }

  private async deliver(
    send: SendIds,
    {
      to,
      senderId,
      template,
      deadline,
    }: Pick<SendCodeCommand, 'to' | 'senderId'> & {
      template: TemplateContent;
      deadline: number;
    },
  ): Promise<string> {
    const leftMs = deadline - performance.now() - REPLY_MARGIN_MS;
    if (leftMs < LEAST_SEND_MS) throw new AppError('UNAVAILABLE');
    const { accountId, messageId } = send;
    const message = { to, type: 'template' as const, template };
    const request = { accountId, messageId, message, senderId, isSecret: true };
    const options = { timeoutMs: Math.min(leftMs, sendMessageV1.timeoutMs) };
    let upstreamId: string;
    try {
      ({ upstreamId } = await this.messaging.sendMessage(request, options));
      markSideEffect();
    } catch (error) {
      if (error instanceof AppError && !OPEN_CODES.includes(error.code)) await this.noteRefusal(send, error);
      throw error;
    }
    await this.outcomes.accept(send, upstreamId);
    return upstreamId;
  }

  /**
   * Stores a rejection. If the database is down, the caller still receives the rejection, because a 503 would
   * contradict the failed message on record. `SettleOpenSends` stores it later.
   */
  private async noteRefusal(send: SendIds, refusal: AppError): Promise<void> {
    try {
      await this.outcomes.fail(send, refusal.toBody());
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  private async reserve(send: SendIds): Promise<number> {
    try {
      return await this.credits.reserve(send);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'INSUFFICIENT_CREDITS') await this.outcomes.abandon(send, { isReserved: false });
      // The credit was already returned: either another process is settling the send, or the send stayed open for
      // longer than the reservation.
      throw error.code === 'INVALID_VALUE' ? new AppError('UNAVAILABLE', { cause: error }) : error;
    }
  }

  /** Returns the reply to a settled send. */
  private async answerAgain(stored: StoredSend | undefined): Promise<SendCodeReply> {
    if (stored?.refusal) throw AppError.fromBody(stored.refusal);
    // The send was just settled as abandoned: nothing was sent, and the next repetition starts a new send.
    if (stored?.state !== 'accepted' || stored.upstreamId === null) throw new AppError('UNAVAILABLE');
    const { messageId: id, upstreamId, expiresAt } = stored;
    markSideEffect();
    return { id, upstreamId, expiresAt: expiresAt.toISOString(), creditsRemaining: await this.credits.reserve(stored) };
  }
}

function isSettled({ state }: StoredSend): boolean {
  return state === 'accepted' || state === 'failed';
}
