import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logging';

export interface LoopOptions {
  /** Named in the log line of a failure: `<name>.failed`. */
  name: string;
  /** Longest pause after a turn, in milliseconds. */
  everyMs: number;
  logger: Logger;
  /** One turn; true asks for the next one without a pause, because there is more to do, a number for a pause of so many milliseconds at most. */
  turn(signal: AbortSignal): Promise<boolean | number | void>;
}

export interface Loop {
  /** Lets the running turn end (its signal says so) and starts no other. */
  stop(): Promise<void>;
}

/** Does a piece of work again and again, the first time at once; a turn that fails is logged and the next one comes all the same. */
export function startLoop({ name, everyMs, logger, turn }: LoopOptions): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let next: boolean | number | void = false;
      try {
        next = await turn(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, `${name}.failed`);
      }
      if (next !== true) await delay(typeof next === 'number' ? Math.min(next, everyMs) : everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
