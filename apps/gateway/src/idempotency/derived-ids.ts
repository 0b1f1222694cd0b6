import { createHash } from 'node:crypto';
import type { IdPrefix } from '@switchboard/contracts';
import { TypeID } from 'typeid-js';

export type NewIdFunction = (prefix: IdPrefix) => string;

/**
 * Ids that are the same whenever they are made again: of one seed, in the same order for each prefix.
 * They look and sort as all ids of ours do (UUIDv7); their time is the seed's.
 */
export function idsFrom(seed: Buffer, seededAt: Date): NewIdFunction {
  const counts = new Map<IdPrefix, number>();
  return (prefix) => {
    const count = counts.get(prefix) ?? 0;
    counts.set(prefix, count + 1);
    const bytes = createHash('sha256').update(seed).update(`${prefix}:${count}`).digest().subarray(0, 16);
    bytes.writeUIntBE(seededAt.getTime(), 0, 6);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return TypeID.fromUUIDBytes(prefix, bytes).toString();
  };
}
