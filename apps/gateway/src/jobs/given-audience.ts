import {
  type Audience,
  BodySchema,
  Doc,
  Either,
  IsJobName,
  IsStorableText,
  IsTime,
  JOB_NAME_DOC,
  NAME_VARIABLES_MAX,
  Nested,
  PHONE_SCHEMA,
  QuietHours,
  SpendLimit,
  TemplateContent,
} from '@switchboard/contracts';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsFlag, IsRecordText, IsWholeNumber } from '../pagination/query-rules';
import { FROM_DOC, NUMBERS_SCHEMA } from './given-numbers';
import { DRY_RUN_DOC, EXPIRE_AT_DOC, HOLD_DOC } from './job-times';
import { MAX_SPEND_DOC } from './max-spend';
import { QUIET_HOURS_DOC } from './quiet-hours';

const DAY_MS = 86_400_000;
/** Maximum days since the last message of a contact. */
export const AUDIENCE_DAYS_MAX = 3_650;
const ID_CHARACTERS = 64;
const VARIABLE_CHARACTERS = 512;

/** API descriptions of the filters of an audience. */
export const AUDIENCE_DOCS = {
  labelId: 'ID of a label that the contacts have',
  wroteWithinDays: 'Only contacts that wrote to you within this number of days',
  silentForDays: 'Only contacts that have not written to you for this number of days, or never',
  optedIn: 'True: omit contacts that opted out of marketing',
  windowOpen: 'True: only contacts with an open service window with any of your numbers, at the time of the request',
};

/** Filters of an audience, as query parameters. */
export class AudienceQuery {
  @IsOptional() @IsRecordText(ID_CHARACTERS) labelId?: string;
  @IsOptional() @IsWholeNumber({ least: 1, most: AUDIENCE_DAYS_MAX }) wroteWithinDays?: number;
  @IsOptional() @IsWholeNumber({ least: 1, most: AUDIENCE_DAYS_MAX }) silentForDays?: number;
  @IsOptional() @IsFlag() optedIn?: boolean;
  @IsOptional() @IsFlag() windowOpen?: boolean;
}

/** Contacts that are the recipients of a new job. */
@BodySchema({ name: 'Audience', example: () => ({ labelId: 'lbl_01jd0000000000000000000000', optedIn: true }) })
export class GivenAudience {
  @Doc(AUDIENCE_DOCS.labelId) @IsOptional() @IsString() @IsStorableText() @MaxLength(ID_CHARACTERS) labelId?: string;
  @Doc(AUDIENCE_DOCS.wroteWithinDays)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(AUDIENCE_DAYS_MAX)
  wroteWithinDays?: number;
  @Doc(AUDIENCE_DOCS.silentForDays)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(AUDIENCE_DAYS_MAX)
  silentForDays?: number;
  @Doc(AUDIENCE_DOCS.optedIn) @IsOptional() @IsBoolean() optedIn?: boolean;
  @Doc(AUDIENCE_DOCS.windowOpen) @IsOptional() @IsBoolean() windowOpen?: boolean;
  @Doc("Variables that get the contact's name, by name. Contacts without a name get the values of the `template`", {
    example: ['1'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(NAME_VARIABLES_MAX)
  @IsString({ each: true })
  @MaxLength(VARIABLE_CHARACTERS, { each: true })
  nameVariables?: string[];
}

/** Field of the recipients, validated separately from the message. */
export class AudienceField {
  @IsObject() @Nested(() => GivenAudience) audience: GivenAudience;
}

/**
 * Body of a call that creates a job from contacts, for the API description only. `parseJobRequest` validates the
 * message and the added fields.
 */
@BodySchema({
  name: 'AudienceJobRequest',
  example: () => ({
    audience: { optedIn: true, nameVariables: ['1'] },
    type: 'template',
    template: { name: 'order_update', language: { code: 'en_US' }, variables: { '1': 'customer', '2': 'Monday' } },
    hold: true,
  }),
})
export class AudienceJobRequest extends AudienceField {
  @IsIn(['template']) type: 'template';
  @IsObject() @Nested(() => TemplateContent) template: TemplateContent;
  @Doc(FROM_DOC)
  @IsOptional()
  @Either({ title: 'A number', ...PHONE_SCHEMA }, { title: 'Numbers', ...NUMBERS_SCHEMA })
  from?: string | string[];
  @Doc(JOB_NAME_DOC, { example: 'Order updates, Monday' }) @IsOptional() @IsJobName() name?: string;
  @Doc('Start time, within the next 35 days; defaults to now') @IsOptional() @IsTime() scheduledAt?: string;
  @Doc(EXPIRE_AT_DOC) @IsOptional() @IsTime() expireAt?: string;
  @Doc(HOLD_DOC, { example: true }) @IsOptional() @IsBoolean() hold?: boolean;
  @Doc(DRY_RUN_DOC, { example: true }) @IsOptional() @IsBoolean() dryRun?: boolean;
  @Doc(MAX_SPEND_DOC) @IsOptional() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  @Doc(QUIET_HOURS_DOC) @IsOptional() @Nested(() => QuietHours) quietHours?: QuietHours;
}

/** Returns the filters for messaging, with days converted to times before now. */
export function audienceOf(
  { labelId, wroteWithinDays, silentForDays, optedIn, windowOpen }: AudienceQuery,
  now = Date.now(),
): Audience {
  const daysBefore = (days: number): string => new Date(now - days * DAY_MS).toISOString();
  return {
    ...(labelId !== undefined && { labelId }),
    ...(wroteWithinDays !== undefined && { wroteSince: daysBefore(wroteWithinDays) }),
    ...(silentForDays !== undefined && { silentSince: daysBefore(silentForDays) }),
    ...(optedIn && { optedIn }),
    ...(windowOpen && { windowOpen }),
  };
}
