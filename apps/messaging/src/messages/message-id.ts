import type { IdPrefix } from '@switchboard/contracts';
import { createHash } from 'node:crypto';
import { TypeID } from 'typeid-js';

const PREFIX = 'msg';
const TIME_BYTES = 6;
const UUID_BYTES = 16;
const MAX_TIME_MS = 2 ** 48 - 1;

/** The least id that a message, or something else of ours, of this time can have: `id >= boundaryId(t)` is "at or after t", to the millisecond. */
export function boundaryId(timeMs: number, prefix: IdPrefix = PREFIX): string {
  return TypeID.fromUUIDBytes(prefix, withTime(Buffer.alloc(UUID_BYTES), timeMs)).toString();
}

/** When a message came about: its id carries the time. Null for an id that is none of ours. */
export function timeOfMessageId(id: string): Date | null {
  try {
    const bytes = TypeID.fromString(id, PREFIX).toUUIDBytes();
    return new Date(Buffer.from(bytes).readUIntBE(0, TIME_BYTES));
  } catch {
    return null; // typeid-js says what is wrong with the text; nobody asks
  }
}

/**
 * The id of an inbound message: the same message gives the same id however often it is reported, so the table's key keeps it
 * single without an index of its own. A UUIDv7 of the upstream's time and a hash instead of chance.
 * @param at when the customer wrote; the same in every report of the message
 */
export function inboundMessageId({ numberId, upstreamId, at }: { numberId: string; upstreamId: string; at: Date }): string {
  const bytes = createHash('sha256').update(`${numberId}\n${upstreamId}`).digest().subarray(0, UUID_BYTES);
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70; // version 7
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80; // variant of RFC 9562
  return TypeID.fromUUIDBytes(PREFIX, withTime(bytes, at.getTime())).toString();
}

function withTime(bytes: Buffer, timeMs: number): Buffer {
  bytes.writeUIntBE(Math.min(Math.max(Math.trunc(timeMs), 0), MAX_TIME_MS), 0, TIME_BYTES);
  return bytes;
}
