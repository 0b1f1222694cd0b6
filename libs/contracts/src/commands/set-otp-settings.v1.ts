import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsObject, IsOptional, IsString, Matches, Max, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { OtpSettingsReply, otpSettingsSample, OtpTemplate } from './get-otp-settings.v1';

/** More within an hour is no guard: only ten thousand numbers have one prefix. */
export const MAX_SENDS_PER_PREFIX = 1_000;

/** What a customer may set. What is absent stays as it is; null brings the default back. */
export class OtpSettingsChange {
  @IsOptional() @IsObject() @ValidateNested() @Type(() => OtpTemplate) template?: OtpTemplate | null;
  @IsOptional() @IsArray() @ArrayMinSize(1) @ArrayMaxSize(250) @Matches(/^[A-Z]{2}$/, { each: true, message: 'countries must be ISO codes of two letters, such as IN' }) countries?: string[] | null;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_SENDS_PER_PREFIX) sendsPerPrefix?: number | null;
}

export class SetOtpSettingsCommand extends OtpSettingsChange {
  @IsString() accountId: string;
}

export const setOtpSettingsV1 = command({
  name: 'otp.set-settings.v1',
  owner: 'otp',
  description: 'Changes how the one-time codes of an account are sent; a template must be approved and fit for codes.',
  request: SetOtpSettingsCommand,
  response: OtpSettingsReply,
  changes: true,
  timeoutMs: 8_000,
  maxBytes: 16_384,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', template: { name: 'verification_code', language: 'en_US' }, countries: ['IN'] },
    response: { settings: otpSettingsSample },
  },
});
