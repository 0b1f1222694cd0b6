import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Answer, BodySchema, Doc, ListOf, Nested, OrNull } from '../body-docs';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';

/** Template for one-time codes. */
export class OtpTemplate {
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  /** `en-US` and `en_US` are the same language. */
  @IsString()
  @IsStorableText()
  @Matches(/^[A-Za-z]{2,3}([_-][A-Za-z]{2,4})?$/, { message: 'language must be a locale code such as en_US' })
  language: string;
}

const TEMPLATE =
  'Approved template of category AUTHENTICATION or UTILITY. Its body has one variable for the code and, optionally, a second one for the minutes until expiry';
const SENDS_PER_PREFIX =
  'Maximum sends per hour to numbers that differ only in their last four digits; fraud often targets sequential numbers';

/** One-time code settings of an account. */
@BodySchema({ name: 'OtpSettingsRecord' })
export class OtpSettings {
  /** Null if no template has been chosen; no codes can be sent then. */
  @Doc(TEMPLATE) @OrNull() @Nested(() => OtpTemplate) template: OtpTemplate | null;
  @Doc('Two-letter ISO codes of the countries to which codes may be sent; null for all countries')
  @OrNull()
  @IsArray()
  @IsString({ each: true })
  countries: string[] | null;
  @Doc(SENDS_PER_PREFIX) @IsInt() sendsPerPrefix: number;
}

export class GetOtpSettingsCommand {
  @IsString() accountId: string;
}

@Answer({ name: 'OtpSettings' })
export class OtpSettingsReply {
  @Nested(() => OtpSettings) settings: OtpSettings;
}

export const otpSettingsSample: OtpSettings = {
  template: { name: 'verification_code', language: 'en_US' },
  countries: ['IN'],
  sendsPerPrefix: 20,
};

export const getOtpSettingsV1 = command({
  name: 'otp.get-settings.v1',
  owner: 'otp',
  description: 'Returns the one-time code settings of an account.',
  request: GetOtpSettingsCommand,
  response: OtpSettingsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { settings: otpSettingsSample } },
});

/** Maximum for `sendsPerPrefix`. A higher limit protects nothing, since a prefix covers only ten thousand numbers. */
export const MAX_SENDS_PER_PREFIX = 1_000;

/** Settings that a customer may change. Absent fields stay unchanged; null restores the default. */
export class OtpSettingsChange {
  @Doc(TEMPLATE) @IsOptional() @IsObject() @Nested(() => OtpTemplate) template?: OtpTemplate | null;
  @Doc('Two-letter ISO codes of the countries to which codes may be sent')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(250)
  @Matches(/^[A-Z]{2}$/, { each: true, message: 'countries must be ISO codes of two letters, such as IN' })
  countries?: string[] | null;
  @Doc(SENDS_PER_PREFIX) @IsOptional() @IsInt() @Min(1) @Max(MAX_SENDS_PER_PREFIX) sendsPerPrefix?: number | null;
}

export class SetOtpSettingsCommand extends OtpSettingsChange {
  @IsString() accountId: string;
}

export const setOtpSettingsV1 = command({
  name: 'otp.set-settings.v1',
  owner: 'otp',
  description:
    'Updates the one-time code settings of an account. The template must be approved and suitable for codes.',
  request: SetOtpSettingsCommand,
  response: OtpSettingsReply,
  changes: true,
  timeoutMs: 8_000,
  maxBytes: 16_384,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      template: { name: 'verification_code', language: 'en_US' },
      countries: ['IN'],
    },
    response: { settings: otpSettingsSample },
  },
});

export const MAX_OTP_FIGURE_DAYS = 366;

@BodySchema({ name: 'OtpFiguresTotal' })
export class OtpFigures {
  /** Codes whose message the upstream platform accepted. */
  @IsInt() sent: number;
  /** Codes that were not sent, because the send was rejected or abandoned. */
  @IsInt() failed: number;
  @IsInt() verified: number;
  @Doc('Failed verification attempts: wrong, expired or used codes, and attempts while locked out')
  @IsInt()
  refused: number;
  @Doc('Ratio of verified to sent codes; null if no code was sent') @OrNull() @IsNumber() conversion: number | null;
}

export class OtpFiguresOfDay extends OtpFigures {
  @Doc('Date of the day, in UTC', { format: 'date', example: '2026-03-02' }) @IsString() day: string;
}

export class GetOtpStatisticsCommand {
  @IsString() accountId: string;
  /** Number of days up to and including today, in UTC. */
  @IsInt() @Min(1) @Max(MAX_OTP_FIGURE_DAYS) days: number;
}

@Answer({ name: 'OtpFigures' })
export class OtpFiguresReply {
  @Nested(() => OtpFigures) total: OtpFigures;
  @Doc('Statistics per day, newest first; days without activity are omitted')
  @ListOf(() => OtpFiguresOfDay)
  days: OtpFiguresOfDay[];
}

const sample = { sent: 200, failed: 3, verified: 180, refused: 12, conversion: 0.9 };

export const getOtpStatisticsV1 = command({
  name: 'otp.get-figures.v1',
  owner: 'otp',
  description: "Returns the number of an account's one-time codes sent, failed and verified, by day.",
  request: GetOtpStatisticsCommand,
  response: OtpFiguresReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', days: 30 },
    response: { total: sample, days: [{ day: '2026-03-02', ...sample }] },
  },
});
