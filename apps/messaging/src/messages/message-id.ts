import { createHash } from 'node:crypto';
import { ID_BYTES, idOf } from '@switchboard/contracts';

const LOWER_ORDERS = 2 ** 22;
/** Number of positions within a millisecond: 34 bits, which leaves 40 bits for the hash. */
export const ORDERS = 2 ** 12 * LOWER_ORDERS;

/** Position of an inbound message in time. */
export interface InboundPlace {
  at: Date;
  /** Position within the millisecond, below `ORDERS`. Derived from the hash if absent. */
  order?: number;
}

/**
 * Builds the id of an inbound message from its position in time. A hash replaces the random bits, so the id is
 * deterministic.
 */
export function inboundMessageId({
  numberId,
  upstreamId,
  at,
  order,
}: { numberId: string; upstreamId: string } & InboundPlace): string {
  const bytes = createHash('sha256').update(`${numberId}\n${upstreamId}`).digest().subarray(0, ID_BYTES);
  if (order !== undefined) {
    // Twelve bits follow the UUID version, the others the variant.
    bytes.writeUInt16BE(Math.floor(order / LOWER_ORDERS), 6);
    bytes.writeUIntBE(order % LOWER_ORDERS, 8, 3);
  }
  return idOf('msg', at.getTime(), bytes);
}
