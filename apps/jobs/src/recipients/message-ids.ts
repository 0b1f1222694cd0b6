import { randomBytes } from 'node:crypto';
import { bytesOfId, ID_BYTES, idOf, JOB_POSITIONS_MAX } from '@switchboard/contracts';

const POSITION_BYTES = 3;

/**
 * Creates a message id with the recipient's position in its last three bytes, so that reports about the message find
 * its row by primary key. The id's time is that of the first release.
 * @throws RangeError for a position beyond 24 bits
 */
export function messageIdOf(position: number, timeMs: number): string {
  if (!Number.isInteger(position) || position < 0 || position >= JOB_POSITIONS_MAX)
    throw new RangeError(`no message id can hold position ${position}`);
  const bytes = randomBytes(ID_BYTES);
  bytes.writeUIntBE(position, ID_BYTES - POSITION_BYTES, POSITION_BYTES);
  return idOf('msg', timeMs, bytes);
}

/**
 * Returns the position in an id from `messageIdOf`. For any other id, returns null or a position that does not match
 * the id in the row.
 */
export function positionOf(messageId: string): number | null {
  return bytesOfId('msg', messageId)?.readUIntBE(ID_BYTES - POSITION_BYTES, POSITION_BYTES) ?? null;
}
