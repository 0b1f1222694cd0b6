import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { BodySchema, Doc } from '../body-docs';
import { command, task } from '../message-contract';
import { IsPhone } from '../validation';

/** Format of a one-time code (spec §9.1.2). */
export const OTP_PATTERN = /^[A-Za-z0-9]{4,10}$/;
export const OTP_EXPIRY_MINUTES = { min: 1, max: 90, fallback: 10 } as const;

/** Body of `POST /messages/send/authentication/utility` (spec §9.1). */
@BodySchema({ example: () => ({ to: '919812345678', otp: '482913', expiryMinutes: OTP_EXPIRY_MINUTES.fallback }) })
export class SendOtpRequest {
  @IsString() @IsPhone() to: string;
  @Doc('One-time code of 4 to 10 letters or digits')
  @IsString()
  @Matches(OTP_PATTERN, { message: 'otp must be 4 to 10 letters or digits' })
  otp: string;
  @Doc(`Minutes until the code expires; defaults to ${OTP_EXPIRY_MINUTES.fallback}`)
  @IsOptional()
  @IsInt()
  @Min(OTP_EXPIRY_MINUTES.min)
  @Max(OTP_EXPIRY_MINUTES.max)
  expiryMinutes?: number;
}

export class SendCodeCommand extends SendOtpRequest {
  @IsString() accountId: string;
  /** Message id chosen by the sender, so that a redelivered command sends and charges once. */
  @IsString() messageId: string;
  /** API key that requested the code. */
  @IsOptional() @IsString() senderId?: string;
}

export class SendCodeReply {
  @IsString() id: string;
  /** Upstream id of the message. */
  @IsString() upstreamId: string;
  /** Time at which the code expires. */
  @IsDateString() expiresAt: string;
  /** Utility credits that remain after the send. */
  @IsInt() creditsRemaining: number;
}

export const sendCodeV1 = command({
  name: 'otp.send-code.v1',
  owner: 'otp',
  description:
    "Sends a one-time code with the account's OTP template for one utility credit. It replaces the phone number's earlier code once the upstream platform has accepted it.",
  request: SendCodeCommand,
  response: SendCodeReply,
  changes: true,
  hasSecret: () => true,
  timeoutMs: 20_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      messageId: 'msg_01jd0000000000000000000000',
      to: '919812345678',
      otp: '482913',
      expiryMinutes: 10,
    },
    response: {
      id: 'msg_01jd0000000000000000000000',
      upstreamId: 'wamid.OUT',
      expiresAt: '2026-03-02T10:25:00.000Z',
      creditsRemaining: 939,
    },
  },
});

/** Body of `POST /otp/verify` (spec §9.2). */
@BodySchema({ example: () => ({ phone: '919812345678', otp: '482913' }) })
export class VerifyOtpRequest {
  @IsString() @IsPhone() phone: string;
  /** Code entered by the user. Any text is accepted: text that cannot be a code counts as a wrong code. */
  @Doc('Code entered by the user') @IsString() otp: string;
}

export class VerifyCodeCommand extends VerifyOtpRequest {
  @IsString() accountId: string;
  /** Id of the client that makes the attempt. */
  @IsOptional() @IsString() clientId?: string;
  /**
   * Idempotency key: attempts with the same id are checked once and get the same response. Defaults to the broker
   * message's id.
   */
  @IsOptional() @IsString() attemptId?: string;
}

export class VerifyCodeReply {
  @IsBoolean() verified: boolean;
}

export const verifyCodeV1 = command({
  name: 'otp.verify-code.v1',
  owner: 'otp',
  description: 'Verifies and consumes a one-time code. OTP_INVALID if it is not valid.',
  request: VerifyCodeCommand,
  response: VerifyCodeReply,
  changes: true,
  hasSecret: () => true,
  timeoutMs: 5_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      clientId: 'key_01jd0000000000000000000000',
      phone: '919812345678',
      otp: '482913',
    },
    response: { verified: true },
  },
});

/** Published in the same transaction as the new status of the message, so that a crash neither loses nor repeats it. */
export class CodeUndeliveredV1 {
  @IsString() accountId: string;
  /** Internal id of the message. */
  @IsString() messageId: string;
  /** Upstream id of the message. */
  @IsString() upstreamId: string;
}

export const codeUndeliveredV1 = task({
  name: 'otp.code-undelivered.v1',
  owner: 'otp',
  senders: ['messaging'],
  description: 'The upstream platform accepted a message with a one-time code but permanently failed to deliver it.',
  body: CodeUndeliveredV1,
  delaysSeconds: [],
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    messageId: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4',
  },
});

export class OtpErasePersonCommand {
  @IsString() accountId: string;
  /** All equivalent formats of the contact's number. */
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @IsPhone({ each: true }) phones: string[];
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class OtpErasePersonReply {
  /** Number of rows deleted in this step; on a dry run, the number in all. */
  @IsInt() rows: number;
  /** False if there is more to erase: repeat the command. */
  @IsBoolean() done: boolean;
}

export const otpErasePersonV1 = command({
  name: 'otp.erase-person.v1',
  owner: 'otp',
  description:
    "Erases records of an account's one-time codes for phone numbers, in bounded steps. A pending code can no longer be verified.",
  request: OtpErasePersonCommand,
  response: OtpErasePersonReply,
  changes: true,
  timeoutMs: 10_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phones: ['919812345678'], dryRun: false },
    response: { rows: 3, done: true },
  },
});
