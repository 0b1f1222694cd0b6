import { setPriority } from 'node:os';

/**
 * Nice value that gives a thread a third of the processor share of a normal one when both are busy. 0 is normal, 19 the
 * lowest priority.
 */
const NICENESS = 5;

/**
 * Lowers the priority of a thread for its lifetime. Does nothing on systems other than Linux, where threads have no
 * priorities.
 * @param threadId the operating system's thread id, or undefined when unknown
 */
export function lowerThreadPriority(threadId: number | undefined): void {
  if (threadId === undefined) return;
  try {
    setPriority(threadId, NICENESS);
  } catch {
    // Ignore the error: the file is then read at normal priority.
  }
}
