import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Nested } from '../body-docs';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';

export const WINDOW_POLICIES = ['enforce', 'upstream'] as const;
export type WindowPolicy = (typeof WINDOW_POLICIES)[number];

/** Labels of the opt-out button that the upstream platform adds to marketing templates, in each of its languages. */
const PLATFORM_OPT_OUT_BUTTONS = ['STOP PROMOTIONS', 'DETENER PROMOCIONES', 'PARAR PROMOÇÕES', 'INTERROMPI PROMOZIONI'];

/** Words that opt a contact out of marketing messages, or in again, unless the account has configured its own. */
export const DEFAULT_OPT_OUT_WORDS = [
  'STOP',
  'STOP ALL',
  'STOPALL',
  'UNSUBSCRIBE',
  'OPT OUT',
  'OPT-OUT',
  'OPTOUT',
  ...PLATFORM_OPT_OUT_BUTTONS,
];
export const DEFAULT_OPT_IN_WORDS = ['START', 'UNSTOP', 'SUBSCRIBE', 'OPT IN', 'OPT-IN', 'OPTIN'];

/**
 * Messaging settings of an account. Retention periods are in days; null retains data forever. Null words mean the
 * defaults.
 */
export class AccountSettings {
  @IsIn(WINDOW_POLICIES) windowPolicy: WindowPolicy;
  @IsOptional() @IsArray() @IsString({ each: true }) optOutWords: string[] | null;
  @IsOptional() @IsArray() @IsString({ each: true }) optInWords: string[] | null;
  @IsOptional() @IsInt() messageDays: number | null;
  @IsOptional() @IsInt() mediaDays: number | null;
  /** True to send marketing messages through the upstream marketing endpoint; absent in replies of earlier versions. */
  @IsOptional() @IsBoolean() marketingEndpoint?: boolean;
}

export class GetAccountSettingsCommand {
  @IsString() accountId: string;
}

export class AccountSettingsReply {
  @Nested(() => AccountSettings) settings: AccountSettings;
}

export const accountSettingsSample: AccountSettings = {
  windowPolicy: 'enforce',
  optOutWords: null,
  optInWords: null,
  messageDays: 365,
  mediaDays: 90,
  marketingEndpoint: false,
};

export const getAccountSettingsV1 = command({
  name: 'messaging.get-account-settings.v1',
  owner: 'messaging',
  callers: ['gateway', 'jobs'],
  description: 'Returns the messaging settings of an account.',
  request: GetAccountSettingsCommand,
  response: AccountSettingsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { settings: accountSettingsSample } },
});

/** Maximum retention in days: one hundred years. */
export const MAX_RETENTION_DAYS = 36_500;

/** Absent fields stay unchanged; null restores the default. */
export class SetAccountSettingsCommand {
  @IsString() accountId: string;
  @IsOptional() @IsIn(WINDOW_POLICIES) windowPolicy?: WindowPolicy | null;
  @IsOptional() @IsArray() @IsStorableText({ each: true }) @MaxLength(100, { each: true }) optOutWords?:
    | string[]
    | null;
  @IsOptional() @IsArray() @IsStorableText({ each: true }) @MaxLength(100, { each: true }) optInWords?: string[] | null;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_RETENTION_DAYS) messageDays?: number | null;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_RETENTION_DAYS) mediaDays?: number | null;
  @IsOptional() @IsBoolean() marketingEndpoint?: boolean | null;
}

export const setAccountSettingsV1 = command({
  name: 'messaging.set-account-settings.v1',
  owner: 'messaging',
  description:
    'Updates the messaging settings of an account: window policy, opt-out and opt-in words, retention of messages and media, marketing endpoint.',
  request: SetAccountSettingsCommand,
  response: AccountSettingsReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 65_536,
  prefetch: 16,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', messageDays: 365, mediaDays: 90 },
    response: { settings: accountSettingsSample },
  },
});

export class RunRetentionCommand {
  /** Account whose messages are deleted; all accounts with retention periods if absent. */
  @IsOptional() @IsString() accountId?: string;
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class RunRetentionReply {
  /** Number of messages deleted in this step; on a dry run, the number in all. */
  @IsInt() messages: number;
  @IsInt() media: number;
  /** Monthly partitions that were dropped; `messages` includes their rows. */
  @IsArray() @IsString({ each: true }) droppedMonths: string[];
  /** False if there is more to delete: repeat the command. */
  @IsBoolean() done: boolean;
}

export const runRetentionV1 = command({
  name: 'messaging.run-retention.v1',
  owner: 'messaging',
  description: 'Deletes a bounded number of messages and media that exceed the retention of their accounts.',
  request: RunRetentionCommand,
  response: RunRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: {
    request: { dryRun: false },
    response: { messages: 5000, media: 12, droppedMonths: ['messages_2025_03'], done: false },
  },
});
