import { randomBytes } from 'node:crypto';
import { JOB_POSITIONS_MAX } from '@switchboard/contracts';
import { TypeID } from 'typeid-js';

const UUID_BYTES = 16;
const TIME_BYTES = 6;
const POSITION_BYTES = 3;

/**
 * A new message id that carries the recipient's position in its last three bytes, so that what is reported of the message finds its
 * row by the table's key. Otherwise as all ids of ours: a UUIDv7, whose time is when the message is first handed over.
 */
export function messageIdOf(position: number, timeMs: number): string {
  if (!Number.isInteger(position) || position < 0 || position >= JOB_POSITIONS_MAX) throw new RangeError(`no message id can hold position ${position}`);
  const bytes = randomBytes(UUID_BYTES);
  bytes.writeUIntBE(timeMs, 0, TIME_BYTES);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6); // version 7
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8); // variant of RFC 9562
  bytes.writeUIntBE(position, UUID_BYTES - POSITION_BYTES, POSITION_BYTES);
  return TypeID.fromUUIDBytes('msg', bytes).toString();
}

/** The position in a message id of `messageIdOf`; any other id gives a position that its row does not confirm, or null. */
export function positionOf(messageId: string): number | null {
  try {
    return Buffer.from(TypeID.fromString(messageId, 'msg').toUUIDBytes()).readUIntBE(UUID_BYTES - POSITION_BYTES, POSITION_BYTES);
  } catch {
    return null; // typeid-js says what is wrong with the text; nobody asks
  }
}
