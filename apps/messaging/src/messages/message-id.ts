import type { IdPrefix } from '@switchboard/contracts';
import { createHash } from 'node:crypto';
import { TypeID } from 'typeid-js';

const PREFIX = 'msg';
const TIME_BYTES = 6;
const UUID_BYTES = 16;
const MAX_TIME_MS = 2 ** 48 - 1;
const LOWER_ORDERS = 2 ** 22;
/** Thirty-four bits; forty are left for the hash. */
export const ORDERS = 2 ** 12 * LOWER_ORDERS;

/** The least id that a message, or something else of ours, of this time can have: `id >= boundaryId(t)` is "at or after t", to the millisecond. */
export function boundaryId(timeMs: number, prefix: IdPrefix = PREFIX): string {
  return TypeID.fromUUIDBytes(prefix, withTime(Buffer.alloc(UUID_BYTES), timeMs)).toString();
}

/** The time that an id carries. Null for an id that is none of ours. */
export function timeOfId(id: string, prefix: IdPrefix): Date | null {
  try {
    return new Date(Buffer.from(TypeID.fromString(id, prefix).toUUIDBytes()).readUIntBE(0, TIME_BYTES));
  } catch {
    return null; // typeid-js says what is wrong with the text; nobody asks
  }
}

/** When a message came about: its id carries the time. Null for an id that is none of ours. */
export const timeOfMessageId = (id: string): Date | null => timeOfId(id, PREFIX);

/** Where an inbound message stands. */
export interface InboundPlace {
  at: Date;
  /** Its order within the millisecond, below `ORDERS`; by its hash when absent. */
  order?: number;
}

/** The id of an inbound message: a UUIDv7 of its place, and a hash instead of chance. */
export function inboundMessageId({ numberId, upstreamId, at, order }: { numberId: string; upstreamId: string } & InboundPlace): string {
  const bytes = createHash('sha256').update(`${numberId}\n${upstreamId}`).digest().subarray(0, UUID_BYTES);
  if (order !== undefined) {
    // Twelve bits beside the version, the others behind the variant.
    bytes.writeUInt16BE(Math.floor(order / LOWER_ORDERS), 6);
    bytes.writeUIntBE(order % LOWER_ORDERS, 8, 3);
  }
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70; // version 7
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80; // variant of RFC 9562
  return TypeID.fromUUIDBytes(PREFIX, withTime(bytes, at.getTime())).toString();
}

function withTime(bytes: Buffer, timeMs: number): Buffer {
  bytes.writeUIntBE(Math.min(Math.max(Math.trunc(timeMs), 0), MAX_TIME_MS), 0, TIME_BYTES);
  return bytes;
}
