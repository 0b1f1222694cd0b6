import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

/** The body of `POST /otp/verify` (spec §9.2). */
export class VerifyOtpRequest {
  @IsString() @IsPhone() phone: string;
  /** What the person typed: text that cannot be a code is a wrong code, and no malformed request. */
  @IsString() otp: string;
}

export class VerifyCodeCommand extends VerifyOtpRequest {
  @IsString() accountId: string;
  /** Whose try it is. */
  @IsOptional() @IsString() clientId?: string;
  /** The same id is judged once and answered alike ever after; that of the message when absent. */
  @IsOptional() @IsString() attemptId?: string;
}

export class VerifyCodeReply {
  @IsBoolean() verified: boolean;
}

export const verifyCodeV1 = command({
  name: 'otp.verify-code.v1',
  owner: 'otp',
  description: 'Spends a one-time code when it is the right one; refuses with OTP_INVALID otherwise.',
  request: VerifyCodeCommand,
  response: VerifyCodeReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', clientId: 'key_01jd0000000000000000000000', phone: '919812345678', otp: '482913' },
    response: { verified: true },
  },
});
