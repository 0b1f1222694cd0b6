import { type Activity, activity as ofService } from './activity';
import { FailureLog } from './failure-log';
import type { Logger } from './logging';
import { gauge } from './metrics';
import { watchTurn } from './turn-watch';
import { Wakeup } from './wakeup';
import { inWorkload, withLongStatements } from './workload';

/** Statement limit for loops that delete or build large amounts of data, in milliseconds. */
export const CLEANUP_STATEMENT_MS = 300_000;
/** Time beyond its statement limit after which an iteration counts as stuck, in milliseconds. */
const STUCK_AFTER_MS = 300_000;

/** Longest rest of a loop while its service is idle. It also bounds the delay if a notice of work was lost. */
const IDLE_REST_MS = 30_000;

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
  /** Prefix of the log events for failures: `<name>.failed`, `<name>.recovered`. */
  name: string;
  /** Maximum pause between iterations, in milliseconds. */
  everyMs: number;
  logger: Logger;
  /** Limit for one database statement, in milliseconds; defaults to that of background work. */
  statementMs?: number;
  wakeup?: Wakeup;
  /**
   * Lets the loop rest for up to half a minute while its service is idle (`Activity`). When the service gets work, the
   * rest is shortened to `everyMs`. An iteration whose work becomes due by time must return the time until then.
   */
  restsWhenIdle?: boolean;
  activity?: Pick<Activity, 'isIdle' | 'note' | 'onWork'>;
  /**
   * Runs one iteration. Returns true to continue without a pause, because there is more work, or the maximum pause in
   * milliseconds.
   */
  turn(signal: AbortSignal): Promise<boolean | number | void>;
}

export interface Loop {
  /** Aborts the signal of the running iteration, waits for the iteration to end, and starts no new one. */
  stop(): Promise<void>;
}

/**
 * Runs work periodically, starting immediately. A failed iteration does not end the loop, and repeated failures are
 * logged once.
 */
export function startLoop({
  name,
  everyMs,
  logger,
  statementMs = 0,
  wakeup = new Wakeup(),
  restsWhenIdle = false,
  activity = ofService,
  turn,
}: LoopOptions): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failures = new FailureLog(logger, name);
  // Set at the start, so that an alert also fires for a loop that never completes an iteration.
  lastSuccess.set({ loop: name }, Date.now() / 1_000);
  every.set({ loop: name }, everyMs / 1_000);
  const idleMs = restsWhenIdle ? Math.max(everyMs, IDLE_REST_MS) : everyMs;
  const stopListening = activity.onWork(() => wakeup.shorten(everyMs));
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let next: boolean | number | void = false;
      let hasFailed = false;
      const callsBefore = wakeup.callCount;
      // An iteration asks for due times only if the service is idle.
      const wasIdle = activity.isIdle;
      const ended = watchTurn(name, STUCK_AFTER_MS + statementMs);
      try {
        next = await (statementMs ? withLongStatements(statementMs, () => turn(signal)) : turn(signal));
        failures.succeeded();
        lastSuccess.set({ loop: name }, Date.now() / 1_000);
      } catch (error) {
        hasFailed = true;
        if (!signal.aborted) failures.failed(error);
      } finally {
        ended();
      }
      if (next === true) {
        // What one loop did may be work for others, here and in other processes.
        if (restsWhenIdle) activity.note();
        continue;
      }
      const longestMs = wasIdle && activity.isIdle && !hasFailed ? idleMs : everyMs;
      await wakeup.rest(typeof next === 'number' ? Math.min(next, longestMs) : longestMs, callsBefore, signal);
    }
  };
  const running = inWorkload('background', run);
  return {
    stop: async () => {
      stopping.abort();
      stopListening();
      await running;
    },
  };
}
