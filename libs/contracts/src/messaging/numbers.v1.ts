import { IsBoolean, IsInt, IsISO8601, IsOptional, IsString, Matches } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, event, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsPhone } from '../validation';
import { NameDecision, NumberRestriction } from './account-notices.v1';

export class ListNumbersCommand {
  @IsString() accountId: string;
}

/** How far the platform has told the earlier messages of a number's phone app (spec §11.10.5). */
@BodySchema({ name: 'AppHistory' })
export class AppHistory {
  @Doc('0: the day on which the number came. 1: the 90 days before. 2: the 90 days before those. Null until it is told')
  @OrNull()
  @IsInt()
  phase: number | null;
  @Doc('Per cent of the whole; null until it is told') @OrNull() @IsInt() progress: number | null;
  @Doc('When the platform last told of it') @OrNull() @IsTime() reportedAt: string | null;
  @Doc('The business does not share its earlier messages') @IsBoolean() declined: boolean;
}

/** One of the account's business numbers as `/me` shows it (spec §7.6). */
export class NumberRecord {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** What the upstream platform calls it in callbacks; the version before this one did not tell. */
  @IsOptional() @IsString() phoneNumberId?: string;
  @IsOptional() @IsString() qualityRating: string | null;
  @IsOptional() @IsString() messagingLimit: string | null;
  /** The upstream's own status, or STOPPED while nothing is sent from it. */
  @IsString() status: string;
  /** What stopped it: the upstream's code and words. */
  @IsOptional() @IsString() stoppedReason?: string | null;
  /** Sends what names no number. */
  @IsOptional() @IsBoolean() isPrimary?: boolean;
  /** STANDARD or HIGH. */
  @IsOptional() @IsString() throughput?: string | null;
  /** When the upstream platform last reported anything about it, to the minute. */
  @IsOptional() @IsTime() lastCallbackAt?: string | null;
  /** What the platform lets it not do now; none when absent. */
  @IsOptional() @ListOf(() => NumberRestriction) restrictions?: NumberRestriction[];
  /** `disabled` or `disable_scheduled`; null when the platform reported neither, or took it back. */
  @IsOptional() @IsString() businessState?: string | null;
  /** The last decision about its name that the platform reported. */
  @IsOptional() @Nested(() => NameDecision) nameDecision?: NameDecision | null;
  /** Null or absent for a number of which none were told. */
  @IsOptional() @Nested(() => AppHistory) appHistory?: AppHistory | null;
}

export class ListNumbersReply {
  @ListOf(() => NumberRecord) numbers: NumberRecord[];
}

export const listNumbersV1 = command({
  name: 'messaging.list-numbers.v1',
  owner: 'messaging',
  description: "The account's business numbers, the primary one first.",
  request: ListNumbersCommand,
  response: ListNumbersReply,
  maxBytes: SMALL_COMMAND_BYTES,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: {
      numbers: [
        {
          id: 'num_01jd0000000000000000000000',
          phoneNumber: '15550783881',
          phoneNumberId: '200000000000002',
          qualityRating: 'GREEN',
          messagingLimit: 'TIER_10K',
          status: 'CONNECTED',
        },
      ],
    },
  },
});

export class AddNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** The upstream's identifier of the number. */
  @IsString() phoneNumberId: string;
  /** The upstream's business account that holds the number. */
  @IsString()
  @Matches(/^[0-9]{1,32}$/, { message: 'wabaId must be an identifier of the upstream platform: 1 to 32 digits' })
  wabaId: string;
  /** Encrypted with ENCRYPTION_KEY by the sender; never in clear on the broker. */
  @IsString() sealedAccessToken: string;
}

export class AddNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
}

export const addNumberV1 = command({
  name: 'messaging.add-number.v1',
  owner: 'messaging',
  description:
    'Registers a business number for an account, or renews its credentials when the account has it already. INVALID_PARAMETER when it does not belong to the business account.',
  request: AddNumberCommand,
  response: AddNumberReply,
  changes: true,
  timeoutMs: 20_000,
  maxBytes: 16_384,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      phoneNumber: '15550783881',
      phoneNumberId: '200000000000002',
      wabaId: '100000000000001',
      sealedAccessToken: 'v1.c2VhbGVk',
    },
    response: { id: 'num_01jd0000000000000000000000', phoneNumber: '15550783881' },
  },
});

export class RemoveNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** Says what would happen, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class RemoveNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** Messages of this number whose outcome is not known yet: while there are some it stays. */
  @IsInt() unsettled: number;
  /** Received files that were not fetched from upstream yet, and are lost with the number's credentials. */
  @IsInt() unfetchedMedia: number;
  /** The number that sends from then on what names no number; null when the account has no other one. */
  @IsOptional() @IsString() primary: string | null;
}

export const removeNumberV1 = command({
  name: 'messaging.remove-number.v1',
  owner: 'messaging',
  description:
    'Takes a business number away from an account and forgets its credentials; its messages stay readable, and it can be added again, to any account. INVALID_PARAMETER while the outcome of some of its messages is unknown.',
  request: RemoveNumberCommand,
  response: RemoveNumberReply,
  changes: true,
  timeoutMs: 10_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phoneNumber: '15550783881', dryRun: true },
    response: {
      id: 'num_01jd0000000000000000000000',
      phoneNumber: '15550783881',
      unsettled: 0,
      unfetchedMedia: 1,
      primary: '15550783882',
    },
  },
});

export class ResumeNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
}

export class ResumeNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** The upstream's own status of the number. */
  @IsString() status: string;
}

export const resumeNumberV1 = command({
  name: 'messaging.resume-number.v1',
  owner: 'messaging',
  description:
    'Lets a number send again that the upstream platform had refused for its credentials or standing; no harm when it was not stopped.',
  request: ResumeNumberCommand,
  response: ResumeNumberReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phoneNumber: '15550783881' },
    response: { id: 'num_01jd0000000000000000000000', phoneNumber: '15550783881', status: 'CONNECTED' },
  },
});

export class NumberAddedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  @IsString() wabaId: string;
  /** Encrypted with ENCRYPTION_KEY: never in clear on the broker. */
  @IsString() sealedAccessToken: string;
  /** When the credentials were stored, to the microsecond: of two that come out of order the later ones count. */
  @IsOptional() @IsString() storedAt?: string;
}

export const numberAddedV1 = event({
  name: 'messaging.number.added.v1',
  producer: 'messaging',
  consumers: ['templates'],
  broadcastTo: ['messaging'],
  description: 'An account got a business number, or new credentials for it.',
  body: NumberAddedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    wabaId: '100000000000001',
    sealedAccessToken: 'v1.c2VhbGVk',
    storedAt: '2026-03-02T10:15:04.120381+00:00',
  },
});

export class NumberRemovedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** The upstream's identifier of the number. */
  @IsString() phoneNumberId: string;
}

export const numberRemovedV1 = event({
  name: 'messaging.number.removed.v1',
  producer: 'messaging',
  consumers: [],
  broadcastTo: ['messaging'],
  description: 'An account has a business number no more: every process forgets whose it was.',
  body: NumberRemovedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    phoneNumberId: '200000000000002',
  },
});

export class NumberStoppedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** The upstream platform's code and what it means. */
  @IsString() reason: string;
  @IsISO8601() timestamp: string;
}

export const numberStoppedV1 = event({
  name: 'messaging.number.stopped.v1',
  producer: 'messaging',
  consumers: ['gateway'],
  description:
    'Nothing is sent from a business number any more, because the upstream platform would refuse it: the operator and the account should know.',
  body: NumberStoppedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    reason: '190 Access token expired or invalid',
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});

export class NumberQualityChangedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** GREEN, YELLOW, RED, NA or UNKNOWN. */
  @IsString() qualityRating: string;
  /** Null where none was known before. */
  @IsOptional() @IsString() previousQualityRating: string | null;
  /** For example TIER_10K. */
  @IsOptional() @IsString() messagingLimit: string | null;
  /** When the change was seen, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const numberQualityChangedV1 = event({
  name: 'messaging.number-quality.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: 'The upstream platform rates a business number differently than before; published once per change.',
  body: NumberQualityChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    numberId: 'num_01jd0000000000000000000000',
    phoneNumber: '15550783881',
    qualityRating: 'YELLOW',
    previousQualityRating: 'GREEN',
    messagingLimit: 'TIER_10K',
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
