import { setPriority } from 'node:os';

/** Gives a thread a third of the processor share of a normal one when both are busy. 0 is normal, 19 the lowest. */
const NICENESS = 5;

/**
 * Lowers the priority of a thread for its lifetime. Does nothing except on Linux, where threads have priorities.
 * @param threadId the operating system's thread id, or undefined when unknown
 */
export function lowerThreadPriority(threadId: number | undefined): void {
  if (threadId === undefined) return;
  try {
    setPriority(threadId, NICENESS);
  } catch {
    // The file is read at normal priority.
  }
}
