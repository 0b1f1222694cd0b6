import { randomBytes } from 'node:crypto';
import { bytesOfId, ID_BYTES, idOf, JOB_POSITIONS_MAX } from '@switchboard/contracts';

const POSITION_BYTES = 3;

/**
 * A new message id that carries the recipient's position in its last three bytes, so that what is reported of the
 * message finds its row by the table's key. Its time is when the message is first handed over.
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
 * The position in a message id of `messageIdOf`; any other id gives a position that its row does not confirm, or null.
 */
export function positionOf(messageId: string): number | null {
  return bytesOfId('msg', messageId)?.readUIntBE(ID_BYTES - POSITION_BYTES, POSITION_BYTES) ?? null;
}
