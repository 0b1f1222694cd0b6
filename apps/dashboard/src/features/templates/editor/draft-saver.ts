/** How far saving is. */
export interface SaveState {
  /** Whether something is written that is not stored. */
  isDirty: boolean;
  /** When something was stored last. */
  savedAt?: string;
  /** Why the last try failed. */
  problem?: Error;
  /** Whether it tries again by itself. */
  retries: boolean;
}

export interface SaverOptions {
  store(written: string): Promise<void>;
  /** Whether the same text may be stored at another time, after this failure. */
  isWorthRetrying(error: unknown): boolean;
  onChange(state: SaveState): void;
  /** How long to wait before a save, after so many failures in a row. */
  pauseMs?(failures: number): number;
}

/** A text is stored when nothing was typed for so long. */
const TYPING_MS = 1_500;
const LONGEST_PAUSE_MS = 30_000;

/** Stores what is typed: one text after another and never two at a time, so that none overtakes a later one. */
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

  /** Takes what is written now; it is stored a moment after the last key. */
  write(written: string): void {
    if (written === this.latest) return;
    this.latest = written;
    this.failures = 0;
    this.plan();
    this.tell();
  }

  /** Stores what is written now. @throws what hinders it */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    while (this.latest !== this.kept) {
      this.running ??= this.storeOnce().finally(() => (this.running = undefined));
      await this.running;
    }
    if (this.seen.problem) this.settle({});
  }

  /** Gives up what is not stored. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private plan(): void {
    const { pauseMs = pauseAfter } = this.options;
    clearTimeout(this.timer);
    // The failure is on record, and is shown.
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
