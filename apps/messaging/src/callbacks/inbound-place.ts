import { type InboundPlace, ORDERS } from '../messages/message-id';

const SECOND_MS = 1_000;
const POSITIONS = 4_096;

/** Returns the start of the second. Upstream's times have a precision of one second. */
export const secondOf = (timeMs: number): number => Math.floor(timeMs / SECOND_MS) * SECOND_MS;

/** A report of a message by upstream. */
export interface Report {
  /** Time at which the callback arrived, usually after the second in which the message was written. */
  arrivedAt: Date;
  /** Position of the message in the callback, starting at 0. */
  position: number;
}

/**
 * Returns the position of an inbound message within its second. The position is the arrival time if that is within the
 * second. Otherwise it is at the end of the second, ordered by delay. Messages of one callback keep their order. The
 * result depends on no stored data, so callbacks can be applied concurrently.
 * @param writtenAt time reported by upstream
 */
export function placeOfInbound(writtenAt: Date, { arrivedAt, position }: Report): Required<InboundPlace> {
  const first = secondOf(writtenAt.getTime());
  const last = first + SECOND_MS - 1;
  const timeMs = Math.min(Math.max(arrivedAt.getTime(), first), last);
  const lateMs = Math.min(Math.max(arrivedAt.getTime() - last, 0), ORDERS / POSITIONS - 1);
  return { at: new Date(timeMs), order: lateMs * POSITIONS + Math.min(position, POSITIONS - 1) };
}
