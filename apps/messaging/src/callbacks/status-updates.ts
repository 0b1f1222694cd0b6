import { type MessageError, type MessagePricing, REPORTED_STATUSES, type ReportedStatus } from '@switchboard/contracts';
import type { UpstreamStatus } from '@switchboard/upstream';
import { errorOfStatus } from '../messages/message-error';
import { pricingOf } from './pricing';
import { upstreamTime } from '../upstream/upstream-time';

export interface StatusUpdate {
  upstreamId: string;
  /** Internal id of the message, which upstream echoes. Null if upstream did not. */
  echoedId: string | null;
  status: ReportedStatus;
  /** ISO 8601. */
  at: string;
  error: MessageError | null;
  /** Null if the status has no pricing. Absent if an earlier version stored the pending status. */
  pricing?: MessagePricing | null;
  /** User id of the recipient that several businesses share; absent if upstream does not report it. */
  parentUserId?: string;
}

const isReported = (status: string): status is ReportedStatus =>
  (REPORTED_STATUSES as readonly string[]).includes(status);

/** Types of statuses that are not about a message. */
const NOT_OF_MESSAGES: ReadonlySet<unknown> = new Set(['call', 'payment']);

/** Reads the supported statuses in the callback's order. Skips others, such as `played`. */
export function readStatuses(statuses: readonly Partial<UpstreamStatus>[], now: Date): StatusUpdate[] {
  return statuses.flatMap(
    ({
      id,
      status,
      timestamp,
      type,
      recipient_type,
      recipient_parent_user_id: parentUserId,
      biz_opaque_callback_data: echo,
      errors,
      pricing,
    }): StatusUpdate[] => {
      // Here `status` is the state of a payment or call, not of a message.
      if (NOT_OF_MESSAGES.has(type)) return [];
      // This service does not send messages to groups, which have one status per member.
      if (recipient_type === 'group') return [];
      if (typeof id !== 'string' || typeof status !== 'string' || !isReported(status)) return [];
      const echoedId = typeof echo === 'string' ? echo : null;
      const error = status === 'failed' ? errorOfStatus(errors) : null;
      return [
        {
          upstreamId: id,
          echoedId,
          status,
          at: upstreamTime(timestamp, now),
          error,
          pricing: pricingOf(pricing),
          ...(typeof parentUserId === 'string' && parentUserId !== '' && { parentUserId }),
        },
      ];
    },
  );
}
