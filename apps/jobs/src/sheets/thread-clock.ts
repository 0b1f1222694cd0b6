import { readFileSync, readlinkSync } from 'node:fs';

/** /proc counts in hundredths of a second, on whatever machine. */
const MS_PER_TICK = 10;
/** Of the values behind the program's name (proc(5)): time in user and in kernel mode. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/**
 * The calling thread by the operating system's count; undefined where that is not to be known (elsewhere than on
 * Linux).
 */
export function currentThreadId(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}

/**
 * What a thread of this process has spent since its clock was made, in milliseconds: processor time, so that a busy
 * machine costs the thread nothing. Where that is not to be known, the time that went by.
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
