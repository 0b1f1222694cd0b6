import { Inject, Injectable } from '@nestjs/common';
import { AppError, canonicalPhone, maskPhone, phoneSpellings } from '@switchboard/contracts';
import { CONFIG, counter, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { OtpConfig } from '../config';
import { type CodeOwner, hmacOfCode } from './code-hmac';
import { type Verification, verifyCode } from './verify-code.queries';

const verifications = counter('otp_verifications_total', 'Tries of one-time codes by outcome', {
  outcome: ['verified', 'refused', 'locked'],
});

@Injectable()
export class CodesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: OtpConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Consumes the code if it is valid for the phone, in any format of the number.
   * @param owner.phone as the caller wrote it
   * @param attempt.id identifies the attempt; repeating it returns the same reply
   * @param attempt.clientId if this client repeats a code that it has just verified, the repetition is not a failure
   * @throws AppError OTP_INVALID, the same for a wrong, expired, consumed or never sent code; OTP_MAX_ATTEMPTS after
   * five failures within ten minutes, even for the right code (spec §9.2.5)
   */
  async spendCode(
    { accountId, phone }: CodeOwner,
    attempt: { id: string; clientId?: string; code: string },
  ): Promise<void> {
    const { OTP_PEPPER, OTP_PEPPER_PREVIOUS } = this.config;
    const peppers = OTP_PEPPER_PREVIOUS === undefined ? [OTP_PEPPER] : [OTP_PEPPER, OTP_PEPPER_PREVIOUS];
    // Hash every format of the number: codes issued by earlier versions were hashed with the number as written.
    const hmacs = phoneSpellings(phone).flatMap((spelling) =>
      peppers.map((pepper) => hmacOfCode(attempt.code, { accountId, phone: spelling }, pepper)),
    );
    const judged = { id: attempt.id, clientId: attempt.clientId ?? null, hmacs };
    const verification = await verifyCode(this.dataSource, { accountId, phone: canonicalPhone(phone) }, judged);
    const { outcome, attemptsRemaining } = verification;
    verifications.inc({ outcome });
    this.logger.info({ accountId, phone: maskPhone(phone), outcome, attemptsRemaining }, 'code.checked');
    const refusal = refusalOf(verification);
    if (refusal) throw refusal;
  }
}

function refusalOf({ outcome, attemptsRemaining, retryAfterSeconds }: Verification): AppError | undefined {
  switch (outcome) {
    case 'verified':
      return undefined;
    case 'refused':
      return new AppError('OTP_INVALID', { extra: { verified: false, attemptsRemaining } });
    case 'locked':
      return new AppError('OTP_MAX_ATTEMPTS', { retryAfterSeconds, extra: { verified: false } });
  }
}
