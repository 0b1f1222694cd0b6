import { TypeID, typeid } from 'typeid-js';

/** Prefixes of internal ids (spec §1.3.1). */
const ID_PREFIXES = [
  'acc',
  'key',
  'msg',
  'job',
  'ct',
  'evt',
  'med',
  'num',
  'dlv',
  'att',
  'ep',
  'cb',
  'req',
  'aud',
  'prk',
  'rpl',
  'usr',
  'ses',
  'tpl',
  'otp',
  'inv',
  'ntc',
  'note',
  'srp',
  'lbl',
  'act',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Patterns of ids by prefix. */
export const ID_PATTERNS = Object.fromEntries(
  ID_PREFIXES.map((prefix) => [prefix, new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)]),
) as Readonly<Record<IdPrefix, RegExp>>;

/** Size of the UUIDv7 in an id, in bytes. The timestamp is in the first six. */
export const ID_BYTES = 16;
const TIME_BYTES = 6;
const LATEST_MS = 2 ** 48 - 1;

/** Returns a new id: the prefix and a UUIDv7 in base 32. Ids sort by creation time. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/**
 * Returns an id for a time with 74 given bits, such as a hash, a count or a position, in place of random ones.
 * @param timeMs Unix time in milliseconds; fractions are truncated
 * @param bytes 16 bytes; the time, version and variant bits are overwritten
 */
export function idOf(prefix: IdPrefix, timeMs: number, bytes: Buffer): string {
  writeTime(bytes, timeMs);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6); // version 7
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8); // variant of RFC 9562
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/**
 * Returns the lowest id for a time, for range queries: `id >= firstIdAt(prefix, time)` selects objects created at or
 * after that millisecond.
 */
export function firstIdAt(prefix: IdPrefix, time: Date | number): string {
  return TypeID.fromUUIDBytes(prefix, writeTime(Buffer.alloc(ID_BYTES), Number(time))).toString();
}

/** Returns the creation time of an id; null if the text is not an id with this prefix. */
export function timeOfId(prefix: IdPrefix, id: string): Date | null {
  const bytes = bytesOfId(prefix, id);
  return bytes && new Date(bytes.readUIntBE(0, TIME_BYTES));
}

/** Returns the 16 bytes of an id; null if the text is not an id with this prefix. */
export function bytesOfId(prefix: IdPrefix, id: string): Buffer | null {
  return isId(prefix, id) ? Buffer.from(TypeID.fromString(id, prefix).toUUIDBytes()) : null;
}

/** Checks the format of an id before a query: PostgreSQL rejects some invalid text, such as NUL characters. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return ID_PATTERNS[prefix].test(text);
}

function writeTime(bytes: Buffer, timeMs: number): Buffer {
  bytes.writeUIntBE(Math.min(Math.max(Math.trunc(timeMs), 0), LATEST_MS), 0, TIME_BYTES);
  return bytes;
}
