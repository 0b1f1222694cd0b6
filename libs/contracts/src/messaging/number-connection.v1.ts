import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { BodySchema, Doc, ListOf, Nested, OrNull } from '../body-docs';
import { command, event, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsPhone } from '../validation';

/** Requirements for a number to send and receive, in order of dependency. */
export const CONNECTION_CHECKS = [
  'token',
  'permissions',
  'business',
  'number',
  'subscription',
  'fields',
  'address',
  'registration',
  'name',
  'standing',
  'marketing',
  'callbacks',
  'templates',
] as const;
export type ConnectionCheckName = (typeof CONNECTION_CHECKS)[number];

/** Requirement for a number, and whether the number meets it. */
@BodySchema({ name: 'ConnectionCheck' })
export class ConnectionCheck {
  @Doc('Requirement that was checked') @IsIn(CONNECTION_CHECKS) check: ConnectionCheckName;
  @Doc('Result of the check; `unknown` if the platform does not report the requirement')
  @IsIn(['ok', 'missing', 'unknown'])
  state: 'ok' | 'missing' | 'unknown';
  @Doc('Value or state that the check found') @IsString() found: string;
  @Doc('Action that resolves the problem; null if no action is needed') @OrNull() @IsString() remedy: string | null;
}

/** Public profile of a number. Absent fields stay unchanged. Length limits are upstream limits. */
export class NumberProfile {
  @IsOptional() @IsString() @Length(1, 139) about?: string;
  @IsOptional() @IsString() @MaxLength(256) address?: string;
  @IsOptional() @IsString() @MaxLength(512) description?: string;
  @IsOptional() @IsEmail() @MaxLength(128) email?: string;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @MaxLength(256, { each: true })
  @Matches(/^https?:\/\/[^\s]+$/, { each: true, message: 'a website begins with http:// or https://' })
  websites?: string[];
  @IsOptional()
  @Matches(/^[A-Z_]{1,40}$/, { message: 'vertical must be one of the platform, such as RETAIL' })
  vertical?: string;
}

const WABA_ID = /^[0-9]{1,32}$/;
const WABA_RULE = { message: 'wabaId must be an identifier of the upstream platform: 1 to 32 digits' };

export class CheckNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** Business account to check, which the account need not have added yet; requires an access token. */
  @IsOptional() @Matches(WABA_ID, WABA_RULE) wabaId?: string;
  /** Access token, encrypted with ENCRYPTION_KEY; defaults to the stored one. */
  @IsOptional() @IsString() sealedAccessToken?: string;
  /** App secret, encrypted with ENCRYPTION_KEY; required to check the app's webhook fields. */
  @IsOptional() @IsString() sealedAppSecret?: string;
  /** Callback URL that the app should have. */
  @IsOptional() @IsString() callbackUrl?: string;
  /** Profile to compare with the number's current profile. */
  @IsOptional() @Nested(() => NumberProfile) profile?: NumberProfile;
  /** Maximum age of a cached result in seconds; if absent, checks again. */
  @IsOptional() @IsInt() @Min(1) @Max(3_600) maxAgeSeconds?: number;
}

export class CheckNumberReply {
  @IsString() wabaId: string;
  /** Upstream id of the number; null if the business account has no such number or could not be queried. */
  @IsOptional() @IsString() phoneNumberId: string | null;
  /** True if the account has added the number with these credentials and sends from it. */
  @IsBoolean() isAdded: boolean;
  /** True if the profile matches; absent if no profile was given or the current one could not be read. */
  @IsOptional() @IsBoolean() isProfileSet?: boolean;
  /** Results of the checks; checks that depend on a failed one are omitted. */
  @ListOf(() => ConnectionCheck) checks: ConnectionCheck[];
}

const SAMPLE_CHECK: ConnectionCheck = {
  check: 'subscription',
  state: 'missing',
  found:
    'The app does not get the callbacks of business account 100000000000001: nothing that customers write arrives.',
  remedy: 'Run ops numbers connect: it subscribes the app.',
};

export const checkNumberV1 = command({
  name: 'messaging.check-number.v1',
  owner: 'messaging',
  description:
    'Checks at the upstream platform whether a number is set up for sending and receiving. NOT_FOUND if the account does not have the number and no credentials are given.',
  request: CheckNumberCommand,
  response: CheckNumberReply,
  changes: false,
  timeoutMs: 30_000,
  maxBytes: 6_144,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phoneNumber: '15550783881' },
    response: {
      wabaId: '100000000000001',
      phoneNumberId: '200000000000002',
      isAdded: true,
      checks: [SAMPLE_CHECK],
    },
  },
});

export const NUMBER_STEPS = ['subscribe', 'register', 'profile'] as const;
export type NumberStep = (typeof NUMBER_STEPS)[number];

export class PrepareNumberCommand {
  @IsString() accountId: string;
  @IsIn(NUMBER_STEPS) step: NumberStep;
  @Matches(WABA_ID, WABA_RULE) wabaId: string;
  /** Upstream id of the number. */
  @IsString() @MaxLength(64) phoneNumberId: string;
  /** Access token, encrypted with ENCRYPTION_KEY. */
  @IsString() sealedAccessToken: string;
  /** Six-digit PIN, encrypted with ENCRYPTION_KEY; for step `register`. */
  @IsOptional() @IsString() sealedPin?: string;
  /** New profile, for step `profile`. */
  @IsOptional() @Nested(() => NumberProfile) profile?: NumberProfile;
}

export class PrepareNumberReply {
  @IsIn(NUMBER_STEPS) step: NumberStep;
}

export const prepareNumberV1 = command<PrepareNumberCommand, PrepareNumberReply>({
  name: 'messaging.prepare-number.v1',
  owner: 'messaging',
  description:
    'Performs one step of the setup of a number at the upstream platform: subscribes the app to its business account, registers it with a PIN, or sets its profile. Idempotent. UPSTREAM_ERROR with the reason given by the platform.',
  request: PrepareNumberCommand,
  response: PrepareNumberReply,
  changes: true,
  timeoutMs: 65_000,
  maxBytes: 6_144,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      step: 'register',
      wabaId: '100000000000001',
      phoneNumberId: '200000000000002',
      sealedAccessToken: 'v1.c2VhbGVk',
      sealedPin: 'v1.c2VhbGVk',
    },
    response: { step: 'register' },
  },
});

export class LeaveBusinessCommand {
  @IsString() accountId: string;
  @Matches(WABA_ID, WABA_RULE) wabaId: string;
}

export class LeaveBusinessReply {
  @IsString() wabaId: string;
}

export const leaveBusinessV1 = command({
  name: 'messaging.leave-business.v1',
  owner: 'messaging',
  description:
    'Stops the template sync of a business account in which the account has no number. INVALID_PARAMETER while it has one. Idempotent.',
  request: LeaveBusinessCommand,
  response: LeaveBusinessReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', wabaId: '100000000000001' },
    response: { wabaId: '100000000000001' },
  },
});

export class BusinessLeftV1 {
  @IsString() accountId: string;
  @IsString() wabaId: string;
  /** Time of the removal, with microsecond precision. Credentials stored later re-attach the business account. */
  @IsString() leftAt: string;
}

export const businessLeftV1 = event({
  name: 'messaging.business.left.v1',
  producer: 'messaging',
  consumers: ['templates'],
  description: 'An account no longer has a number of a business account. Its templates are no longer read.',
  body: BusinessLeftV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    wabaId: '100000000000001',
    leftAt: '2026-03-02T10:15:04.120381+00:00',
  },
});
