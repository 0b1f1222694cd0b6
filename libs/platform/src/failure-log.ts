import type { Logger } from './logging';

/** Interval at which work that keeps failing is logged again. */
const REMIND_MS = 600_000;
const MOST_KINDS = 20;

/** Logs the failures of repeated work: each kind of failure once, and the recovery once. */
export class FailureLog {
  private readonly kinds = new Set<string>();
  private failures = 0;
  private firstAt = 0;
  private clearAt = 0;

  /** @param name prefix of the log events `<name>.failed` and `<name>.recovered` */
  constructor(
    private readonly logger: Logger,
    private readonly name: string,
  ) {}

  failed(error: unknown, fields: object = {}): void {
    const now = performance.now();
    this.failures += 1;
    if (this.failures === 1) this.firstAt = now;
    if (now >= this.clearAt) {
      this.kinds.clear();
      this.clearAt = now + REMIND_MS;
    }
    const kind = kindOf(error);
    if (this.kinds.has(kind) || this.kinds.size >= MOST_KINDS) return;
    this.kinds.add(kind);
    this.logger.warn({ ...fields, err: error, failures: this.failures }, `${this.name}.failed`);
  }

  succeeded(): void {
    if (this.failures === 0) return;
    const { failures } = this;
    this.logger.info({ failures, failingMs: Math.round(performance.now() - this.firstAt) }, `${this.name}.recovered`);
    this.failures = 0;
    this.clearAt = 0;
  }
}

/** Returns the error code, if any, because the message may contain an id. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && code !== '' ? code : `${error.name}: ${error.message}`;
}
