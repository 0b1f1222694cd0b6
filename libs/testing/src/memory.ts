import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const NOISE_BYTES = 64 * 1024;

/**
 * Returns the number of bytes that some work retains after garbage collection.
 * @param work returns the objects to retain, so that they are counted
 */
export async function bytesKeptBy(work: () => unknown): Promise<number> {
  const before = await bytesInUse();
  const kept: unknown = await work();
  const after = await bytesInUse();
  // This reference keeps the value alive until now.
  return kept === undefined ? Number.NaN : after - before;
}

/** Returns the size of the heap and of buffers, without garbage. */
export async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Buffers are freed shortly after their collection, and compiled code only after several rounds.
  let inUse = Infinity;
  for (let round = 0, freed = Infinity; round < 3 || freed > NOISE_BYTES; round += 1) {
    collect();
    await nextTurn();
    const { heapUsed, external } = process.memoryUsage();
    freed = inUse - (heapUsed + external);
    inUse = heapUsed + external;
  }
  return inUse;
}
