export interface SaveState {
  isDirty: boolean;
  savedAt?: string;
  problem?: Error;
  /** Whether another attempt is scheduled. */
  retries: boolean;
}

export interface SaverOptions {
  store(written: string): Promise<void>;
  /** Returns whether a retry of the same text may succeed after this error. */
  isWorthRetrying(error: unknown): boolean;
  onChange(state: SaveState): void;
  /** Delay before a save, after that many consecutive failures. */
  pauseMs?(failures: number): number;
}

/** Delay after the last key press. */
const TYPING_MS = 1_500;
const LONGEST_PAUSE_MS = 30_000;

/** Saves what is typed, never two texts at a time, so that no save overtakes a later one. */
export class DraftSaver {
  private latest: string;
  private running: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private seen: Omit<SaveState, 'isDirty'> = { retries: false };

  constructor(
    private kept: string,
    private readonly options: SaverOptions,
  ) {
    this.latest = kept;
  }

  /** Schedules a save of the text shortly after the last key press. */
  write(written: string): void {
    if (written === this.latest) return;
    this.latest = written;
    this.failures = 0;
    this.plan();
    this.tell();
  }

  /** Saves the current text immediately. @throws the error of the save */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    while (this.latest !== this.kept) {
      this.running ??= this.storeOnce().finally(() => (this.running = undefined));
      await this.running;
    }
    if (this.seen.problem) this.settle({});
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private plan(): void {
    const { pauseMs = pauseAfter } = this.options;
    clearTimeout(this.timer);
    // The error is in the save state, which the page shows.
    this.timer = setTimeout(() => void this.flush().catch(() => undefined), pauseMs(this.failures));
  }

  private async storeOnce(): Promise<void> {
    const sent = this.latest;
    try {
      await this.options.store(sent);
    } catch (error) {
      const retries = this.options.isWorthRetrying(error);
      this.failures += 1;
      this.settle({ problem: error instanceof Error ? error : new Error(String(error)), retries });
      if (retries) this.plan();
      throw error;
    }
    this.kept = sent;
    this.failures = 0;
    this.settle({ savedAt: new Date().toISOString() });
  }

  private settle({ savedAt = this.seen.savedAt, problem, retries = false }: Partial<SaveState>): void {
    this.seen = { retries, ...(savedAt && { savedAt }), ...(problem && { problem }) };
    this.tell();
  }

  private tell(): void {
    this.options.onChange({ ...this.seen, isDirty: this.latest !== this.kept });
  }
}

function pauseAfter(failures: number): number {
  return Math.min(TYPING_MS * 2 ** failures, LONGEST_PAUSE_MS);
}
