import { IsDateString, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

/** What a one-time code looks like (spec §9.1.2). */
export const OTP_PATTERN = /^[A-Za-z0-9]{4,10}$/;
export const OTP_EXPIRY_MINUTES = { min: 1, max: 90, fallback: 10 } as const;

/** The body of `POST /messages/send/authentication/utility` (spec §9.1). */
export class SendOtpRequest {
  @IsString() @IsPhone() to: string;
  @IsString() @Matches(OTP_PATTERN, { message: 'otp must be 4 to 10 letters or digits' }) otp: string;
  /** 10 when absent. */
  @IsOptional() @IsInt() @Min(OTP_EXPIRY_MINUTES.min) @Max(OTP_EXPIRY_MINUTES.max) expiryMinutes?: number;
}

export class SendCodeCommand extends SendOtpRequest {
  @IsString() accountId: string;
  /** The message's id, chosen by the sender: a command that comes twice sends and costs once. */
  @IsString() messageId: string;
}

export class SendCodeReply {
  @IsString() id: string;
  /** The upstream platform's identifier. */
  @IsString() upstreamId: string;
  /** From when on the code is refused. */
  @IsDateString() expiresAt: string;
  /** Utility credits that are left. */
  @IsInt() creditsRemaining: number;
}

export const sendCodeV1 = command({
  name: 'otp.send-code.v1',
  owner: 'otp',
  description: "Sends a one-time code with the account's OTP template for one utility credit; it takes the place of the phone's earlier code once the upstream platform took it.",
  request: SendCodeCommand,
  response: SendCodeReply,
  changes: true,
  timeoutMs: 20_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', messageId: 'msg_01jd0000000000000000000000', to: '919812345678', otp: '482913', expiryMinutes: 10 },
    response: { id: 'msg_01jd0000000000000000000000', upstreamId: 'wamid.OUT', expiresAt: '2026-03-02T10:25:00.000Z', creditsRemaining: 939 },
  },
});
