import { Equals, IsArray, IsIn, IsObject, IsString } from 'class-validator';
import { BodySchema, Doc, IntersectionType, IsTime, ListOf, OrNull } from '../body-docs';
import {
  ACCOUNT_NOTICES,
  type AccountNotice,
  NOTICE_SEVERITIES,
  type NoticeSeverity,
  NumberRestriction,
} from '../messaging/account-notices.v1';
import { HELD_REASONS, type HeldReason, labelsOf, MessageLabels } from '../messaging/messages.v1';
import { EventEnvelope, MESSAGE_ID_DOC } from './customer-events';

const [MESSAGE, EVENT, AT] = [
  'msg_01jd0000000000000000000000',
  'evt_01jd0000000000000000000000',
  '2026-03-02T10:15:04.120Z',
];

/** Report of the upstream platform about a business account or its numbers (spec §11.7.1). */
@BodySchema({
  example: () => ({
    event: 'account_notice',
    notice: 'restriction',
    severity: 'critical',
    summary:
      'The platform restricted the business until 5 March 2026, 10:15 UTC: no messages that start a conversation',
    phoneNumbers: ['15550783881'],
    wabaId: '100000000000001',
    restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: '2026-03-05T10:15:00.000Z' }],
    messagingLimit: null,
    details: { event: 'ACCOUNT_RESTRICTION' },
    timestamp: AT,
    id: 'ntc_01jd0000000000000000000000',
    eventId: EVENT,
  }),
})
export class AccountNoticeEvent extends EventEnvelope {
  @Equals('account_notice') event: 'account_notice';
  @IsIn(ACCOUNT_NOTICES) notice: AccountNotice;
  @IsIn(NOTICE_SEVERITIES) severity: NoticeSeverity;
  @Doc('Summary of the notice in one sentence') @IsString() summary: string;
  @Doc('Your numbers that the notice affects') @IsArray() @IsString({ each: true }) phoneNumbers: string[];
  @Doc('ID of the business account at the platform') @IsString() wabaId: string;
  @Doc('Restrictions of the business; empty unless `notice` is `restriction`')
  @ListOf(() => NumberRestriction)
  restrictions: NumberRestriction[];
  @Doc('New messaging limit, such as TIER_10K; null unless `notice` is `limit`') @OrNull() @IsString() messagingLimit:
    | string
    | null;
  @Doc('Details reported by the platform, with camelCase keys') @IsObject() details: object;
  @IsTime() timestamp: string;
  @Doc('ID of the notice in the list of notices', { example: 'ntc_01jd0000000000000000000000' }) @IsString() id: string;
}

/** Message that the platform has accepted but is holding back (spec §11.8.1). */
@BodySchema({
  example: () => ({
    event: 'message_held',
    messageId: 'wamid.HBg',
    to: '919812345678',
    reason: 'quality_assessment',
    timestamp: AT,
    jobId: null,
    ...labelsOf({ clientRef: 'order-7781' }),
    id: MESSAGE,
    eventId: EVENT,
  }),
})
export class MessageHeldEvent extends IntersectionType(EventEnvelope, MessageLabels) {
  @Equals('message_held') event: 'message_held';
  @Doc("ID of the message at the upstream platform, as in the `message_id` of the send's response")
  @IsString()
  messageId: string;
  @IsString() to: string;
  @Doc(
    'Reason why the message is held. `quality_assessment`: the platform is first assessing how other recipients react to the template. `paused`: the platform paused the template',
  )
  @IsIn(HELD_REASONS)
  reason: HeldReason;
  @IsTime() timestamp: string;
  @OrNull() @IsString() jobId: string | null;
  @Doc(MESSAGE_ID_DOC, { example: MESSAGE }) @IsString() id: string;
}
