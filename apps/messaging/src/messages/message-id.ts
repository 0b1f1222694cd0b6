import { createHash } from 'node:crypto';
import { ID_BYTES, idOf } from '@switchboard/contracts';

const LOWER_ORDERS = 2 ** 22;
/** Thirty-four bits; forty are left for the hash. */
export const ORDERS = 2 ** 12 * LOWER_ORDERS;

/** Where an inbound message stands. */
export interface InboundPlace {
  at: Date;
  /** Its order within the millisecond, below `ORDERS`; by its hash when absent. */
  order?: number;
}

/** The id of an inbound message: of its place in time, with a hash instead of random bits. */
export function inboundMessageId({
  numberId,
  upstreamId,
  at,
  order,
}: { numberId: string; upstreamId: string } & InboundPlace): string {
  const bytes = createHash('sha256').update(`${numberId}\n${upstreamId}`).digest().subarray(0, ID_BYTES);
  if (order !== undefined) {
    // Twelve bits beside the version, the others behind the variant.
    bytes.writeUInt16BE(Math.floor(order / LOWER_ORDERS), 6);
    bytes.writeUIntBE(order % LOWER_ORDERS, 8, 3);
  }
  return idOf('msg', at.getTime(), bytes);
}
