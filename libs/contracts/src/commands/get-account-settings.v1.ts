import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';

export const WINDOW_POLICIES = ['enforce', 'upstream'] as const;
export type WindowPolicy = (typeof WINDOW_POLICIES)[number];

/** How messaging treats an account. Null days keep for ever; null words are the service's own list. */
export class AccountSettings {
  @IsIn(WINDOW_POLICIES) windowPolicy: WindowPolicy;
  @IsOptional() @IsArray() @IsString({ each: true }) optOutWords: string[] | null;
  @IsOptional() @IsArray() @IsString({ each: true }) optInWords: string[] | null;
  @IsOptional() @IsInt() messageDays: number | null;
  @IsOptional() @IsInt() mediaDays: number | null;
}

export class GetAccountSettingsCommand {
  @IsString() accountId: string;
}

export class AccountSettingsReply {
  @ValidateNested() @Type(() => AccountSettings) settings: AccountSettings;
}

export const accountSettingsSample: AccountSettings = { windowPolicy: 'enforce', optOutWords: null, optInWords: null, messageDays: 365, mediaDays: 90 };

export const getAccountSettingsV1 = command({
  name: 'messaging.get-account-settings.v1',
  owner: 'messaging',
  askers: ['gateway', 'jobs'],
  description: 'How messaging treats an account.',
  request: GetAccountSettingsCommand,
  response: AccountSettingsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { settings: accountSettingsSample } },
});
