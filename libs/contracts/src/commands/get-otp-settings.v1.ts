import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Matches, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';

/** Which template carries the codes. */
export class OtpTemplate {
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  /** `en-US` and `en_US` are the same language. */
  @IsString() @IsStorableText() @Matches(/^[A-Za-z]{2,3}([_-][A-Za-z]{2,4})?$/, { message: 'language must be a locale code such as en_US' }) language: string;
}

/** How the one-time codes of an account are sent. */
export class OtpSettings {
  /** Null: none chosen yet, so no code can be sent. */
  @IsOptional() @ValidateNested() @Type(() => OtpTemplate) template: OtpTemplate | null;
  /** ISO codes of the countries whose numbers codes are sent to; null for all. */
  @IsOptional() @IsArray() @IsString({ each: true }) countries: string[] | null;
  /** Most sends within an hour to numbers that differ in their last four digits only. */
  @IsInt() sendsPerPrefix: number;
}

export class GetOtpSettingsCommand {
  @IsString() accountId: string;
}

export class OtpSettingsReply {
  @ValidateNested() @Type(() => OtpSettings) settings: OtpSettings;
}

export const otpSettingsSample: OtpSettings = { template: { name: 'verification_code', language: 'en_US' }, countries: ['IN'], sendsPerPrefix: 20 };

export const getOtpSettingsV1 = command({
  name: 'otp.get-settings.v1',
  owner: 'otp',
  description: 'How the one-time codes of an account are sent.',
  request: GetOtpSettingsCommand,
  response: OtpSettingsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { settings: otpSettingsSample } },
});
