import { readFileSync, readlinkSync } from 'node:fs';

/** Milliseconds per clock tick: /proc counts in hundredths of a second on every machine. */
const MS_PER_TICK = 10;
/** Indexes of user time and kernel time among the values that follow the program's name (proc(5)). */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Returns the operating system's id of the calling thread, or undefined on systems other than Linux. */
export function currentThreadId(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}

/**
 * Measures the processor time of a thread of this process in milliseconds, so that waiting on a busy machine does not
 * count. Where processor time is unavailable, uses wall-clock time.
 */
export class ThreadClock {
  private readonly startedAt: number;

  constructor(private readonly threadId: number | undefined) {
    this.startedAt = this.now();
  }

  spentMs(): number {
    return this.now() - this.startedAt;
  }

  private now(): number {
    return processorTimeMs(this.threadId) ?? performance.now();
  }
}

function processorTimeMs(threadId: number | undefined): number | undefined {
  if (threadId === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1');
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(values[USER_TIME]) + Number(values[SYSTEM_TIME])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
