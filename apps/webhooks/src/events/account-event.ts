import { type AccountNoticeRaisedV1, labelsOf, type MessageHeldV1 } from '@switchboard/contracts';
import { type CustomerEvent, isoMilliseconds } from './customer-event';

/** Creates the event for a notice about the business account (spec §11.7.1), one per platform report. */
export function accountNoticeEvent({ accountId, ...record }: AccountNoticeRaisedV1): CustomerEvent {
  const timestamp = isoMilliseconds(record.timestamp);
  const { id, notice, severity, summary, phoneNumbers, wabaId, restrictions, messagingLimit, details } = record;
  return {
    kind: 'account_notice',
    accountId,
    dedupKey: `account_notice:${id}`,
    messageId: null,
    subject: phoneNumbers[0] ?? wabaId,
    occurredAt: timestamp,
    fields: {
      event: 'account_notice',
      notice,
      severity,
      summary,
      phoneNumbers,
      wabaId,
      restrictions,
      messagingLimit: messagingLimit ?? null,
      details,
      timestamp,
      id,
    },
  };
}

/** Creates the event for a message that the platform is holding back (spec §11.8.1), one per message. */
export function messageHeldEvent({ accountId, ...held }: MessageHeldV1): CustomerEvent {
  const timestamp = isoMilliseconds(held.timestamp);
  const { id, upstreamId: messageId, to, reason, jobId } = held;
  return {
    kind: 'message_held',
    accountId,
    dedupKey: `message_held:${id}`,
    messageId,
    subject: to,
    occurredAt: timestamp,
    fields: {
      event: 'message_held',
      messageId,
      to,
      reason,
      timestamp,
      jobId: jobId ?? null,
      ...labelsOf(held),
      id,
    },
  };
}
