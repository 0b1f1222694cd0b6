import { IsArray, IsIn, IsObject, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, OrNull } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command, event, SMALL_COMMAND_BYTES } from '../message-contract';

/** Kinds of reports of the upstream platform about a business account or its numbers (spec §11.7.1). */
export const ACCOUNT_NOTICES = [
  'restriction',
  'violation',
  'disable_scheduled',
  'disabled',
  'reinstated',
  'deleted',
  'review',
  'alert',
  'name',
  'limit',
  'spend_cap',
  'other',
] as const;
export type AccountNotice = (typeof ACCOUNT_NOTICES)[number];

export const NOTICE_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type NoticeSeverity = (typeof NOTICE_SEVERITIES)[number];

/** Restriction that the upstream platform imposed on a business. */
@BodySchema({ name: 'NumberRestriction' })
export class NumberRestriction {
  @Doc('Name of the restriction at the platform', { example: 'RESTRICTED_BIZ_INITIATED_MESSAGING' })
  @IsString()
  type: string;
  @Doc('End of the restriction; null if the platform reported none') @OrNull() @IsTime() until: string | null;
}

/** Decision of the upstream platform about a display name. */
@BodySchema({ name: 'NameDecision' })
export class NameDecision {
  @Doc('Decision of the platform: APPROVED, DEFERRED, PENDING or REJECTED') @IsString() decision: string;
  @OrNull() @IsString() name: string | null;
  @Doc('Reason why the name was rejected, such as `NAME_FORMAT_UNACCEPTABLE`') @OrNull() @IsString() reason:
    | string
    | null;
  @IsTime() at: string;
}

const EXAMPLE = {
  id: 'ntc_01jd0000000000000000000000',
  notice: 'restriction' as const,
  severity: 'critical' as const,
  summary: 'The platform restricted the business until 2 March 2026, 10:15 UTC: no messages that start a conversation',
  phoneNumbers: ['15550783881'],
  wabaId: '100000000000001',
  restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: '2026-03-02T10:15:00.000Z' }],
  messagingLimit: null,
  details: {
    event: 'ACCOUNT_RESTRICTION',
    restrictionInfo: [{ restrictionType: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1772446500 }],
  },
  timestamp: '2026-02-27T10:15:00.000Z',
};

/** Notice about an account's businesses or numbers, as shown to the account. */
@BodySchema({ name: 'AccountNotice', example: () => EXAMPLE })
export class AccountNoticeRecord {
  @IsString() id: string;
  @IsIn(ACCOUNT_NOTICES) notice: AccountNotice;
  @IsIn(NOTICE_SEVERITIES) severity: NoticeSeverity;
  @Doc('Summary of the notice in one sentence') @IsString() summary: string;
  @Doc('Your numbers that the notice affects') @IsArray() @IsString({ each: true }) phoneNumbers: string[];
  @Doc('ID of the business account at the platform') @IsString() wabaId: string;
  @Doc('Restrictions of the business; empty unless `notice` is `restriction`')
  @ListOf(() => NumberRestriction)
  restrictions: NumberRestriction[];
  @Doc(
    'New messaging limit, such as TIER_10K: maximum contacts with whom the business can start conversations in 24 hours. Null unless `notice` is `limit`',
  )
  @OrNull()
  @IsString()
  messagingLimit: string | null;
  @Doc('Details reported by the platform, with camelCase keys') @IsObject() details: object;
  @Doc('Time of the change, as reported by the platform') @IsTime() timestamp: string;
}

export class ListAccountNoticesCommand extends PageRequest {}

export class ListAccountNoticesReply extends PageReply {
  @ListOf(() => AccountNoticeRecord) notices: AccountNoticeRecord[];
}

export const listAccountNoticesV1 = command({
  name: 'messaging.list-account-notices.v1',
  owner: 'messaging',
  description: "Returns the notices of the upstream platform about the account's businesses and numbers, newest first.",
  request: ListAccountNoticesCommand,
  response: ListAccountNoticesReply,
  maxBytes: SMALL_COMMAND_BYTES,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: { notices: [EXAMPLE], total: 1, totalIsExact: true, hasNext: false, nextCursor: null },
  },
});

export class AccountNoticeRaisedV1 extends AccountNoticeRecord {
  @IsString() accountId: string;
}

export const accountNoticeRaisedV1 = event({
  name: 'messaging.account-notice.raised.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId }) => [{ accountId, kind: 'notice' }],
  description:
    'The upstream platform reported a change to a business account or a number. Published once for each account that has a number there.',
  body: AccountNoticeRaisedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', ...EXAMPLE },
});
