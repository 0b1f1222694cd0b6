import { IsBoolean, IsInt, IsISO8601, IsOptional, IsString, Matches } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, event, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsPhone } from '../validation';
import { NameDecision, NumberRestriction } from './account-notices.v1';

export class ListNumbersCommand {
  @IsString() accountId: string;
}

/** Import progress of a number's chat history (spec §11.10.5). */
@BodySchema({ name: 'AppHistory' })
export class AppHistory {
  @Doc(
    'Period being imported. 0: the day on which the number was connected. 1: the 90 days before. 2: the 90 days before those. Null until reported',
  )
  @OrNull()
  @IsInt()
  phase: number | null;
  @Doc('Percentage of the history that has been imported; null until reported') @OrNull() @IsInt() progress:
    | number
    | null;
  @Doc("Time of the platform's last progress report") @OrNull() @IsTime() reportedAt: string | null;
  @Doc('Whether the business declined to share its earlier messages') @IsBoolean() declined: boolean;
}

/** Business number in the format of the API's `/me` (spec §7.6). */
export class NumberRecord {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** Upstream id used in callbacks; the previous version did not send it. */
  @IsOptional() @IsString() phoneNumberId?: string;
  @IsOptional() @IsString() qualityRating: string | null;
  @IsOptional() @IsString() messagingLimit: string | null;
  /** Business portfolio whose numbers share the messaging limit; null until the platform reports it. */
  @IsOptional() @IsString() portfolioId?: string | null;
  /** Upstream status, or STOPPED while sending from the number is stopped. */
  @IsString() status: string;
  /** Upstream code and text of the error that stopped the number. */
  @IsOptional() @IsString() stoppedReason?: string | null;
  /** True for the account's default sender. */
  @IsOptional() @IsBoolean() isPrimary?: boolean;
  /** Upstream throughput level: STANDARD or HIGH. */
  @IsOptional() @IsString() throughput?: string | null;
  /** Display name that contacts see; null until the platform reports it. */
  @IsOptional() @IsString() displayName?: string | null;
  /** Time of the last callback about the number, with minute precision. */
  @IsOptional() @IsTime() lastCallbackAt?: string | null;
  /** Current restrictions imposed by the platform. */
  @IsOptional() @ListOf(() => NumberRestriction) restrictions?: NumberRestriction[];
  /** `disabled` or `disable_scheduled`; null if the platform reported neither or reverted it. */
  @IsOptional() @IsString() businessState?: string | null;
  /** Latest platform decision about the display name. */
  @IsOptional() @Nested(() => NameDecision) nameDecision?: NameDecision | null;
  /** Import progress; null or absent if no history is imported. */
  @IsOptional() @Nested(() => AppHistory) appHistory?: AppHistory | null;
}

export class ListNumbersReply {
  @ListOf(() => NumberRecord) numbers: NumberRecord[];
}

export const listNumbersV1 = command({
  name: 'messaging.list-numbers.v1',
  owner: 'messaging',
  description: "Returns the account's business numbers, primary first.",
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
          portfolioId: '300000000000001',
          status: 'CONNECTED',
        },
      ],
    },
  },
});

export class AddNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** Upstream id of the number. */
  @IsString() phoneNumberId: string;
  /** Business account of the number. */
  @IsString()
  @Matches(/^[0-9]{1,32}$/, { message: 'wabaId must be an identifier of the upstream platform: 1 to 32 digits' })
  wabaId: string;
  /** Access token, encrypted by the sender with ENCRYPTION_KEY and never sent to the broker in clear. */
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
    'Registers a business number for an account, or renews its credentials if the account already has it. INVALID_PARAMETER if it does not belong to the business account.',
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
  /** True for a dry run, which only reports the effects. */
  @IsBoolean() dryRun: boolean;
}

export class RemoveNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** Messages of the number whose outcome is unknown; any of them prevents the removal. */
  @IsInt() unsettled: number;
  /** Received files that have not been downloaded yet; removing the credentials loses them. */
  @IsInt() unfetchedMedia: number;
  /** Default sender after the removal; null if the account has no other number. */
  @IsOptional() @IsString() primary: string | null;
}

export const removeNumberV1 = command({
  name: 'messaging.remove-number.v1',
  owner: 'messaging',
  description:
    'Removes a business number from an account and deletes its credentials. Its messages remain readable, and it can be added again, to any account. INVALID_PARAMETER while some of its messages have an unknown outcome.',
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
  /** Upstream status of the number. */
  @IsString() status: string;
}

export const resumeNumberV1 = command({
  name: 'messaging.resume-number.v1',
  owner: 'messaging',
  description:
    'Resumes sending from a number that was stopped because the upstream platform rejected its credentials or standing. No effect if it was not stopped.',
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
  /** Access token, encrypted with ENCRYPTION_KEY and never sent to the broker in clear. */
  @IsString() sealedAccessToken: string;
  /**
   * Time at which the credentials were stored, with microsecond precision. If two events arrive out of order, the later
   * credentials apply.
   */
  @IsOptional() @IsString() storedAt?: string;
}

export const numberAddedV1 = event({
  name: 'messaging.number.added.v1',
  producer: 'messaging',
  consumers: ['templates'],
  description: 'A business number, or new credentials for it, were added to an account.',
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

export class NumberCredentialsChangedV1 {
  @IsString() accountId: string;
}

export const numberCredentialsChangedV1 = event({
  name: 'messaging.number-credentials.changed.v1',
  producer: 'messaging',
  consumers: [],
  broadcastTo: ['messaging'],
  description:
    'A business number, or new credentials for it, were added to an account. Every process removes the numbers of the account from its cache.',
  body: NumberCredentialsChangedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000' },
});

export class NumberRemovedV1 {
  @IsString() accountId: string;
  @IsString() numberId: string;
  @IsString() phoneNumber: string;
  /** Upstream id of the number. */
  @IsString() phoneNumberId: string;
}

export const numberRemovedV1 = event({
  name: 'messaging.number.removed.v1',
  producer: 'messaging',
  consumers: [],
  broadcastTo: ['messaging'],
  changes: ({ accountId, numberId }) => [{ accountId, kind: 'number', ids: [numberId] }],
  description: 'A business number was removed from an account. Every process removes it from its cache.',
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
  /** Code and meaning of the upstream error. */
  @IsString() reason: string;
  @IsISO8601() timestamp: string;
}

export const numberStoppedV1 = event({
  name: 'messaging.number.stopped.v1',
  producer: 'messaging',
  consumers: ['gateway'],
  description:
    'Sending from a business number was stopped because the upstream platform would reject it. The operator and the account should be notified.',
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
  /** Quality rating: GREEN, YELLOW, RED, NA or UNKNOWN. */
  @IsString() qualityRating: string;
  /** Previous quality rating; null if unknown. */
  @IsOptional() @IsString() previousQualityRating: string | null;
  /** Messaging limit, for example TIER_10K. */
  @IsOptional() @IsString() messagingLimit: string | null;
  /** Time at which the change was detected, in ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const numberQualityChangedV1 = event({
  name: 'messaging.number-quality.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, numberId }) => [{ accountId, kind: 'number', ids: [numberId] }],
  description: 'The upstream platform changed the rating of a business number. Published once per change.',
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
