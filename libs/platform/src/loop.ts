import { FailureLog } from './failure-log';
import type { Logger } from './logging';
import { gauge } from './metrics';
import { watchTurn } from './turn-watch';
import { Wakeup } from './wakeup';
import { inWorkload, withLongStatements } from './workload';

/** For loops whose turn removes or builds much at once: how long one database statement may take, in milliseconds. */
export const UPKEEP_STATEMENT_MS = 300_000;
/** A turn may take so long, and so much longer than its longest statement, before it counts as stuck. */
const STUCK_AFTER_MS = 300_000;

const lastSuccess = gauge(
  'loop_last_success_timestamp_seconds',
  'When each loop last ended a turn without a failure, in Unix seconds; when it began until then',
  ['loop'],
);

const every = gauge(
  'loop_every_seconds',
  'How long each loop rests after a turn at most, in seconds: one that last succeeded several times as long ago stands still',
  ['loop'],
);

export interface LoopOptions {
  /** Named in the log lines of failures: `<name>.failed`, `<name>.recovered`. */
  name: string;
  /** Longest pause after a turn, in milliseconds. */
  everyMs: number;
  logger: Logger;
  /** How long one database statement of a turn may take, in milliseconds; that of background work when absent. */
  statementMs?: number;
  /** Ends the pause before its time: there is something to do. */
  wakeup?: Wakeup;
  /**
   * One turn; true asks for the next one without a pause, because there is more to do, a number for a pause of so many
   * milliseconds at most.
   */
  turn(signal: AbortSignal): Promise<boolean | number | void>;
}

export interface Loop {
  /** Lets the running turn end (its signal says so) and starts no other. */
  stop(): Promise<void>;
}

/**
 * Does a piece of work again and again, the first time at once; the next turn comes after one that failed, too. Turns
 * that go on failing are logged once.
 */
export function startLoop({ name, everyMs, logger, statementMs = 0, wakeup = new Wakeup(), turn }: LoopOptions): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failures = new FailureLog(logger, name);
  // From the start on: a loop that never ends a turn well would show nothing, and no alert would miss it.
  lastSuccess.set({ loop: name }, Date.now() / 1_000);
  every.set({ loop: name }, everyMs / 1_000);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let next: boolean | number | void = false;
      const callsBefore = wakeup.callCount;
      const ended = watchTurn(name, STUCK_AFTER_MS + statementMs);
      try {
        next = await (statementMs ? withLongStatements(statementMs, () => turn(signal)) : turn(signal));
        failures.succeeded();
        lastSuccess.set({ loop: name }, Date.now() / 1_000);
      } catch (error) {
        if (!signal.aborted) failures.failed(error);
      } finally {
        ended();
      }
      if (next !== true)
        await wakeup.rest(typeof next === 'number' ? Math.min(next, everyMs) : everyMs, callsBefore, signal);
    }
  };
  const running = inWorkload('background', run);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
