import { type InboundPlace, ORDERS } from '../messages/message-id';

const SECOND_MS = 1_000;
const POSITIONS = 4_096;

/** The beginning of the second in which something happened; upstream tells no more of it. */
export const secondOf = (timeMs: number): number => Math.floor(timeMs / SECOND_MS) * SECOND_MS;

/** When upstream reported a message. */
export interface Report {
  /** When the callback came; mostly later than the second in which the message was written. */
  arrivedAt: Date;
  /** Where the message stands in the callback, from 0. */
  position: number;
}

/**
 * Where an inbound message stands among others of its second: as late in it as it arrived; at its end, by how late,
 * when it arrived after it; messages of one callback in its order. It depends on nothing that is stored, so callbacks
 * may be applied side by side.
 * @param writtenAt upstream's time
 */
export function placeOfInbound(writtenAt: Date, { arrivedAt, position }: Report): Required<InboundPlace> {
  const first = secondOf(writtenAt.getTime());
  const last = first + SECOND_MS - 1;
  const timeMs = Math.min(Math.max(arrivedAt.getTime(), first), last);
  const lateMs = Math.min(Math.max(arrivedAt.getTime() - last, 0), ORDERS / POSITIONS - 1);
  return { at: new Date(timeMs), order: lateMs * POSITIONS + Math.min(position, POSITIONS - 1) };
}
