import { type MessageError, type MessagePricing, REPORTED_STATUSES, type ReportedStatus } from '@switchboard/contracts';
import type { UpstreamStatus } from '@switchboard/upstream';
import { errorOfStatus } from '../messages/message-error';
import { pricingOf } from './pricing';
import { upstreamTime } from '../upstream/upstream-time';

/** One status of a callback, in our terms. */
export interface StatusUpdate {
  upstreamId: string;
  /** The id we gave to the send and upstream echoes; null where it did not. */
  echoedId: string | null;
  status: ReportedStatus;
  /** ISO 8601. */
  at: string;
  error: MessageError | null;
  /** Null where it says nothing of it; absent in one that an earlier version parked. */
  pricing?: MessagePricing | null;
}

const isReported = (status: string): status is ReportedStatus =>
  (REPORTED_STATUSES as readonly string[]).includes(status);

/** The statuses that mean something to us, in the callback's order; others, such as `played`, are left out. */
export function readStatuses(statuses: readonly Partial<UpstreamStatus>[], now: Date): StatusUpdate[] {
  return statuses.flatMap(
    ({ id, status, timestamp, recipient_type, biz_opaque_callback_data: echo, errors, pricing }): StatusUpdate[] => {
      // What was sent to a group was not sent by this service, and has a status of each of its people.
      if (recipient_type === 'group') return [];
      if (typeof id !== 'string' || typeof status !== 'string' || !isReported(status)) return [];
      const echoedId = typeof echo === 'string' ? echo : null;
      const error = status === 'failed' ? errorOfStatus(errors) : null;
      return [
        { upstreamId: id, echoedId, status, at: upstreamTime(timestamp, now), error, pricing: pricingOf(pricing) },
      ];
    },
  );
}
