import { Inject, Injectable } from '@nestjs/common';
import { AppError, canonicalPhone, ERRORS, OTP_EXPIRY_MINUTES, type SendCodeCommand } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { hmacOfCode } from '../codes/code-hmac';
import type { OtpConfig } from '../config';
import {
  type StartedSend,
  insertSend,
  countPrefix,
  issueCode,
  type EarlierSend,
  lookUp,
  type NewSend,
} from './otp-sends.repository';
import { prefixOf } from './limits';
import { findSend, type StoredSend } from './settle-send.queries';

/** Stores each send before its credit is reserved and its message is submitted. */
@Injectable()
export class OtpSendsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: OtpConfig,
  ) {}

  /**
   * Reads the state that a send depends on.
   * @throws AppError for a new send only: OTP_MAX_ATTEMPTS while verification is locked for the phone, because its code
   * could not be used; OTP_TOO_MANY_SENDS when the prefix limit is reached
   */
  async lookUp({
    accountId,
    messageId,
    to,
  }: Pick<SendCodeCommand, 'accountId' | 'messageId' | 'to'>): Promise<EarlierSend> {
    const phone = canonicalPhone(to);
    const known = await lookUp(this.dataSource, { accountId, messageId, phone, prefix: prefixOf(phone) });
    if (known.earlier) return known;
    if (known.unlockedIn !== undefined) throw verifyingIsLocked(known.unlockedIn);
    if (known.prefixFreeIn !== undefined) throw tooManyToPrefix(known.prefixFreeIn, known.settings.sendsPerPrefix);
    return known;
  }

  find(command: Pick<SendCodeCommand, 'accountId' | 'messageId'>): Promise<StoredSend | undefined> {
    return findSend(this.dataSource, command);
  }

  /**
   * Counts the send against both limits and issues its code in one transaction, or resumes an open send. Once this
   * commits, the code can be verified, even after a crash. Earlier codes stay valid until the new message has been
   * accepted.
   * @returns undefined when the send is settled
   * @throws AppError OTP_TOO_MANY_SENDS; nothing is stored then
   */
  start(command: SendCodeCommand, sendsPerPrefix: number): Promise<StartedSend | undefined> {
    const send = this.newSendOf(command);
    return this.transactions.run(async (tx) => {
      const begun = await insertSend(tx, send, this.config.OTP_SETTLE_SECONDS);
      if (!begun?.isNew) return begun;
      // Counts against both limits in one round trip. If either limit is reached, neither count is stored.
      const [prefixFreeIn, phoneFreeIn] = await Promise.all([
        countPrefix(tx, send, sendsPerPrefix),
        issueCode(tx, send),
      ]);
      if (prefixFreeIn !== undefined) throw tooManyToPrefix(prefixFreeIn, sendsPerPrefix);
      if (phoneFreeIn !== undefined) throw tooManySends(phoneFreeIn);
      return begun;
    });
  }

  private newSendOf({
    accountId,
    messageId,
    to,
    otp,
    expiryMinutes = OTP_EXPIRY_MINUTES.fallback,
  }: SendCodeCommand): NewSend {
    const phone = canonicalPhone(to);
    const hmac = hmacOfCode(otp, { accountId, phone }, this.config.OTP_PEPPER);
    return { accountId, messageId, phone, prefix: prefixOf(phone), hmac, minutes: expiryMinutes };
  }
}

function verifyingIsLocked(retryAfterSeconds: number): AppError {
  const message = `${ERRORS.OTP_MAX_ATTEMPTS.message}: the service sends no code to this number until the lock ends`;
  return new AppError('OTP_MAX_ATTEMPTS', { retryAfterSeconds, message });
}

function tooManyToPrefix(retryAfterSeconds: number, most: number): AppError {
  const limit = `at most ${most} an hour to numbers that differ in their last four digits only (account setting sendsPerPrefix)`;
  return new AppError('OTP_TOO_MANY_SENDS', { retryAfterSeconds, message: `too many OTPs sent: ${limit}` });
}

function tooManySends(retryAfterSeconds: number): AppError {
  return new AppError('OTP_TOO_MANY_SENDS', { retryAfterSeconds });
}
