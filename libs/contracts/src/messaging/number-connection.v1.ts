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

/** Requirements of a number for sending and receiving, in order of dependency. */
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

/** Requirement of a number, and whether it is met. */
@BodySchema({ name: 'ConnectionCheck' })
export class ConnectionCheck {
  @Doc('Name of the check') @IsIn(CONNECTION_CHECKS) check: ConnectionCheckName;
  @Doc('`unknown` if the platform does not report it')
  @IsIn(['ok', 'missing', 'unknown'])
  state: 'ok' | 'missing' | 'unknown';
  @Doc('Result of the check') @IsString() found: string;
  @Doc('Remedy; null if no action is needed') @OrNull() @IsString() remedy: string | null;
}

/** Public profile of a number; absent fields stay unchanged. Limits are those of the platform. */
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
  /** With a token: checks the number in this business account, which the account need not have added yet. */
  @IsOptional() @Matches(WABA_ID, WABA_RULE) wabaId?: string;
  /** Encrypted with ENCRYPTION_KEY; the stored one when absent. */
  @IsOptional() @IsString() sealedAccessToken?: string;
  /** Encrypted with ENCRYPTION_KEY; required to check the webhook fields of the app. */
  @IsOptional() @IsString() sealedAppSecret?: string;
  /** Expected callback URL. */
  @IsOptional() @IsString() callbackUrl?: string;
  /** Profile to compare with that of the number. */
  @IsOptional() @Nested(() => NumberProfile) profile?: NumberProfile;
  /** Maximum age of a cached result, in seconds; always checks again when absent. */
  @IsOptional() @IsInt() @Min(1) @Max(3_600) maxAgeSeconds?: number;
}

export class CheckNumberReply {
  @IsString() wabaId: string;
  /** Null when the business account has no such number, or could not be queried. */
  @IsOptional() @IsString() phoneNumberId: string | null;
  /** True if the account has the number with these credentials and sends from it. */
  @IsBoolean() isAdded: boolean;
  /** True if the profile matches; absent if none was given or it could not be read. */
  @IsOptional() @IsBoolean() isProfileSet?: boolean;
  /** Checks that depend on a failed one are omitted. */
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
  /** Encrypted with ENCRYPTION_KEY. */
  @IsString() sealedAccessToken: string;
  /** For `register`: six digits, encrypted with ENCRYPTION_KEY. */
  @IsOptional() @IsString() sealedPin?: string;
  /** For `profile`. */
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
  /** Microsecond precision: credentials stored after this time re-attach the business account. */
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
