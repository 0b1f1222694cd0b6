import { Inject, Injectable } from '@nestjs/common';
import { AppError, ERRORS, OTP_EXPIRY_MINUTES, type SendCodeCommand } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { hmacOfCode } from '../codes/code-hmac';
import type { OtpConfig } from '../config';
import { type BegunSend, beginSend, countPrefix, findFullPrefix, issueCode, type NewSend } from './begin-send.queries';
import { prefixOf } from './limits';
import { findSend, type StoredSend } from './settle-send.queries';

/** Writes sends down before anything is reserved or handed over. */
@Injectable()
export class SendBegin {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: OtpConfig,
  ) {}

  /** What is known of a send that was begun before. */
  find(command: Pick<SendCodeCommand, 'accountId' | 'messageId'>): Promise<StoredSend | undefined> {
    return findSend(this.dataSource, command);
  }

  /** @throws AppError OTP_TOO_MANY_SENDS when a new send would be refused because of the prefix */
  async checkPrefix({ accountId, to }: Pick<SendCodeCommand, 'accountId' | 'to'>, most: number): Promise<void> {
    const freeIn = await findFullPrefix(this.dataSource, accountId, { prefix: prefixOf(to), most });
    if (freeIn !== undefined) throw tooManySends(freeIn, 'to numbers that begin alike');
  }

  /**
   * Counts the send against both limits and issues its code, in one transaction; a send that is open already is only taken up again.
   * From here on the code can be verified: whoever received it can use it, whatever became of us. Those issued before stay
   * valid until this one has been accepted.
   * @returns undefined when the send is settled
   * @throws AppError OTP_TOO_MANY_SENDS; nothing is written then
   */
  begin(command: SendCodeCommand, sendsPerPrefix: number): Promise<BegunSend | undefined> {
    const send = this.newSendOf(command);
    return this.transactions.run(async (tx) => {
      const begun = await beginSend(tx, send, this.config.OTP_SETTLE_SECONDS);
      if (!begun?.isNew) return begun;
      const prefixFreeIn = await countPrefix(tx, send, sendsPerPrefix);
      if (prefixFreeIn !== undefined) throw tooManySends(prefixFreeIn, 'to numbers that begin alike');
      const phoneFreeIn = await issueCode(tx, send);
      if (phoneFreeIn !== undefined) throw tooManySends(phoneFreeIn);
      return begun;
    });
  }

  private newSendOf({ accountId, messageId, to, otp, expiryMinutes = OTP_EXPIRY_MINUTES.fallback }: SendCodeCommand): NewSend {
    const hmac = hmacOfCode(otp, { accountId, phone: to }, this.config.OTP_PEPPER);
    return { accountId, messageId, phone: to, prefix: prefixOf(to), hmac, minutes: expiryMinutes };
  }
}

function tooManySends(retryAfterSeconds: number, reason?: string): AppError {
  const { message } = ERRORS.OTP_TOO_MANY_SENDS;
  return new AppError('OTP_TOO_MANY_SENDS', { retryAfterSeconds, ...(reason && { message: `${message}: too many ${reason}` }) });
}
