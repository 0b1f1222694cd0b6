import { FailureLog, type Logger } from '@switchboard/platform';

const POLL_MS = 1_000;

export interface WorkLoopOptions {
  /** Named in the log lines of failures: `<name>.failed`, `<name>.recovered`. */
  name: string;
  /** How many turns run side by side. */
  workers: number;
  logger: Logger;
  /** One turn. @returns whether there was something to do: then the next one follows at once */
  turn(signal: AbortSignal): Promise<boolean>;
}

/** Looks for work again and again: every second, and at once when it is woken. */
export class WorkLoop {
  private readonly stopping = new AbortController();
  private readonly sleepers = new Set<() => void>();
  private readonly failures: FailureLog;
  private workers: Promise<void>[] = [];

  constructor(private readonly options: WorkLoopOptions) {
    this.failures = new FailureLog(options.logger, options.name);
  }

  start(): void {
    this.workers = Array.from({ length: this.options.workers }, () => this.work());
  }

  /** Lets the running turns end, which their signal tells. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await Promise.all(this.workers);
  }

  /** Looks for work now instead of at the next poll. */
  wake(): void {
    for (const wakeUp of this.sleepers) wakeUp();
  }

  private async work(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const worked = await this.turn();
      if (!worked && !this.stopping.signal.aborted) await this.sleep();
    }
  }

  /** Our own failure (the database is away): what was claimed comes up again when its lease ends. */
  private async turn(): Promise<boolean> {
    try {
      const worked = await this.options.turn(this.stopping.signal);
      this.failures.succeeded();
      return worked;
    } catch (error) {
      if (!this.stopping.signal.aborted) this.failures.failed(error);
      return false;
    }
  }

  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, POLL_MS);
      this.sleepers.add(wakeUp);
    });
  }
}
