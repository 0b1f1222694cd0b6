import { setPriority } from 'node:os';

/** A third of what a thread gets that is as it was, when both want all of a processor; 0 is usual, 19 the least. */
const NICENESS = 5;

/**
 * Lets whatever else wants the processor go before a thread, for as long as it lives. Only Linux knows priorities of
 * threads; elsewhere it stays as it is.
 * @param threadId by the operating system's count; undefined when it is not to be known
 */
export function lowerThreadPriority(threadId: number | undefined): void {
  if (threadId === undefined) return;
  try {
    setPriority(threadId, NICENESS);
  } catch {
    // A file is read all the same.
  }
}
