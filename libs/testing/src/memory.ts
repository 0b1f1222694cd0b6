import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * How many bytes more are in use after some work than before, once everything that nobody holds is collected.
 * @param work returns what is to be kept, so that it counts
 */
export async function bytesKeptBy(work: () => unknown): Promise<number> {
  const before = await bytesInUse();
  const kept: unknown = await work();
  const after = await bytesInUse();
  // Named here so that it lives until now.
  return kept === undefined ? Number.NaN : after - before;
}

async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The memory of buffers is given back a little after they are collected.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
