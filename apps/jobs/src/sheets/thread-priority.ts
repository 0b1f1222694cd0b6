import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of what a thread gets that is as it was, when both want all of a processor; 0 is usual, 19 the least. */
const NICENESS = 5;

/**
 * Lets whatever else wants the processor go before this thread, for as long as the thread lives. Only Linux knows priorities of
 * threads; elsewhere, and where /proc is not to be seen, it stays as it is.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, NICENESS);
  } catch {
    // A file is read all the same.
  }
}
