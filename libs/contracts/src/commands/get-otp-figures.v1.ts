import { Type } from 'class-transformer';
import { IsArray, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';

export const MAX_OTP_FIGURE_DAYS = 366;

/** What became of one-time codes. */
export class OtpFigures {
  /** Taken by the upstream platform. */
  @IsInt() sent: number;
  /** Not sent: refused, or given up. */
  @IsInt() failed: number;
  @IsInt() verified: number;
  /** Tries that were wrong, expired, spent or locked out. */
  @IsInt() refused: number;
  /** Verified per sent, from 0; null when none was sent. */
  @IsOptional() @IsNumber() conversion: number | null;
}

export class OtpFiguresOfDay extends OtpFigures {
  /** In UTC, such as 2026-03-02. */
  @IsString() day: string;
}

export class GetOtpFiguresCommand {
  @IsString() accountId: string;
  /** So many days up to today, in UTC. */
  @IsInt() @Min(1) @Max(MAX_OTP_FIGURE_DAYS) days: number;
}

export class OtpFiguresReply {
  @ValidateNested() @Type(() => OtpFigures) total: OtpFigures;
  /** The newest day first, without those on which nothing happened. */
  @IsArray() @ValidateNested({ each: true }) @Type(() => OtpFiguresOfDay) days: OtpFiguresOfDay[];
}

const sample = { sent: 200, failed: 3, verified: 180, refused: 12, conversion: 0.9 };

export const getOtpFiguresV1 = command({
  name: 'otp.get-figures.v1',
  owner: 'otp',
  description: 'How many one-time codes of an account were sent, failed and verified, by day.',
  request: GetOtpFiguresCommand,
  response: OtpFiguresReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', days: 30 }, response: { total: sample, days: [{ day: '2026-03-02', ...sample }] } },
});
