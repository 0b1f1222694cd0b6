import { TypeID, typeid } from 'typeid-js';

/** The prefixes of our own identifiers (spec §1.3.1). */
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
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** What every identifier of a kind matches, and no other text. */
export const ID_PATTERNS = Object.fromEntries(
  ID_PREFIXES.map((prefix) => [prefix, new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)]),
) as Readonly<Record<IdPrefix, RegExp>>;

/** Bytes of the UUIDv7 in an identifier; the time takes the first six. */
export const ID_BYTES = 16;
const TIME_BYTES = 6;
const LATEST_MS = 2 ** 48 - 1;

/** A new identifier: the prefix and a UUIDv7 in base 32, so that identifiers sort by time of creation. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/**
 * An identifier of this time whose other 74 bits are given instead of random: a hash, a count or a position.
 * @param timeMs since 1970; a fraction is cut off
 * @param bytes 16 of them, used up: this writes the time, the version and the variant over them
 */
export function idOf(prefix: IdPrefix, timeMs: number, bytes: Buffer): string {
  writeTime(bytes, timeMs);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6); // version 7
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8); // variant of RFC 9562
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/**
 * The least identifier of a time: `id >= firstIdAt(prefix, time)` says "created at that time or later", to the
 * millisecond.
 */
export function firstIdAt(prefix: IdPrefix, time: Date | number): string {
  return TypeID.fromUUIDBytes(prefix, writeTime(Buffer.alloc(ID_BYTES), Number(time))).toString();
}

/** When an identifier was created. Null for a text that is no identifier of this kind. */
export function timeOfId(prefix: IdPrefix, id: string): Date | null {
  const bytes = bytesOfId(prefix, id);
  return bytes && new Date(bytes.readUIntBE(0, TIME_BYTES));
}

/** The 16 bytes of an identifier. Null for a text that is no identifier of this kind. */
export function bytesOfId(prefix: IdPrefix, id: string): Buffer | null {
  return isId(prefix, id) ? Buffer.from(TypeID.fromString(id, prefix).toUUIDBytes()) : null;
}

/**
 * Whether a text has the form of an identifier of this kind: no other text is worth a query, and PostgreSQL would
 * refuse some (NUL).
 */
export function isId(prefix: IdPrefix, text: string): boolean {
  return ID_PATTERNS[prefix].test(text);
}

function writeTime(bytes: Buffer, timeMs: number): Buffer {
  bytes.writeUIntBE(Math.min(Math.max(Math.trunc(timeMs), 0), LATEST_MS), 0, TIME_BYTES);
  return bytes;
}
