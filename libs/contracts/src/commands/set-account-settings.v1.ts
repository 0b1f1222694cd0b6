import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';
import { AccountSettingsReply, accountSettingsSample, WINDOW_POLICIES, type WindowPolicy } from './get-account-settings.v1';

const MAX_DAYS = 36_500;

/** What is absent stays as it is; null brings the default back. */
export class SetAccountSettingsCommand {
  @IsString() accountId: string;
  @IsOptional() @IsIn(WINDOW_POLICIES) windowPolicy?: WindowPolicy | null;
  @IsOptional() @IsArray() @IsStorableText({ each: true }) @MaxLength(100, { each: true }) optOutWords?: string[] | null;
  @IsOptional() @IsArray() @IsStorableText({ each: true }) @MaxLength(100, { each: true }) optInWords?: string[] | null;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_DAYS) messageDays?: number | null;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_DAYS) mediaDays?: number | null;
}

export const setAccountSettingsV1 = command({
  name: 'messaging.set-account-settings.v1',
  owner: 'messaging',
  description: 'Changes how messaging treats an account: window policy, words that opt out and in, days that messages and media are kept.',
  request: SetAccountSettingsCommand,
  response: AccountSettingsReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 65_536,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', messageDays: 365, mediaDays: 90 }, response: { settings: accountSettingsSample } },
});
