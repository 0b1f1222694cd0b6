import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import {
  type GetOtpStatisticsCommand,
  getOtpStatisticsV1,
  type GetOtpSettingsCommand,
  getOtpSettingsV1,
  type OtpErasePersonCommand,
  type OtpErasePersonReply,
  otpErasePersonV1,
  type OtpFiguresReply,
  type OtpSettingsReply,
  type SendCodeCommand,
  type SendCodeReply,
  sendCodeV1,
  type SetOtpSettingsCommand,
  setOtpSettingsV1,
  type VerifyCodeCommand,
  type VerifyCodeReply,
  verifyCodeV1,
} from '@switchboard/contracts';

/**
 * Sends the commands of the otp service. Every method also throws the errors of `Broker.request`. Without listed
 * callers, only the gateway may call a method: RabbitMQ rejects other services.
 */
@Injectable()
export class OtpClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /**
   * Sends a one-time code with the account's OTP template and charges one utility credit. Once the upstream platform
   * accepts the message, the code replaces earlier codes for the number.
   * @throws AppError INVALID_VALUE for a country that the account does not allow; OTP_MAX_ATTEMPTS, OTP_TOO_MANY_SENDS,
   * INSUFFICIENT_CREDITS; errors of the template and of the send; UPSTREAM_TIMEOUT or OUTCOME_UNKNOWN when the code may
   * have been sent
   */
  sendCode(request: SendCodeCommand): Promise<SendCodeReply> {
    return this.broker.request(sendCodeV1, request);
  }

  /**
   * Consumes a one-time code if it is correct.
   * @throws AppError OTP_INVALID for a wrong, expired or used code; OTP_MAX_ATTEMPTS after five failures within ten
   * minutes
   */
  verifyCode(request: VerifyCodeCommand): Promise<VerifyCodeReply> {
    return this.broker.request(verifyCodeV1, request);
  }

  /** Returns the OTP settings of an account. */
  getSettings(request: GetOtpSettingsCommand): Promise<OtpSettingsReply> {
    return this.broker.request(getOtpSettingsV1, request);
  }

  /**
   * Updates the OTP settings of an account.
   * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED or TEMPLATE_PARAMS_MISMATCH for a template that cannot
   * contain a code; INVALID_VALUE for an unknown country; MISSING_FIELD for an empty change
   */
  setSettings(request: SetOtpSettingsCommand): Promise<OtpSettingsReply> {
    return this.broker.request(setOtpSettingsV1, request);
  }

  /** Returns the number of an account's codes that were sent, failed and verified, per day. */
  getFigures(request: GetOtpStatisticsCommand): Promise<OtpFiguresReply> {
    return this.broker.request(getOtpStatisticsV1, request);
  }

  /**
   * Erases a bounded number of rows about phone numbers. Pending codes can no longer be verified. Call it until `done`
   * is true.
   */
  erasePerson(request: OtpErasePersonCommand): Promise<OtpErasePersonReply> {
    return this.broker.request(otpErasePersonV1, request);
  }
}
