import { createHash } from 'node:crypto';
import { ID_BYTES, type IdPrefix, idOf } from '@switchboard/contracts';

export type NewIdFunction = (prefix: IdPrefix) => string;

/** Creates reproducible ids from a seed, in the same order for each prefix, with the seed's timestamp. */
export function idsFrom(seed: Buffer, seededAt: Date): NewIdFunction {
  const counts = new Map<IdPrefix, number>();
  return (prefix) => {
    const count = counts.get(prefix) ?? 0;
    counts.set(prefix, count + 1);
    const hash = createHash('sha256').update(seed).update(`${prefix}:${count}`).digest();
    return idOf(prefix, seededAt.getTime(), hash.subarray(0, ID_BYTES));
  };
}
