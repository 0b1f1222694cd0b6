import { type Rate, take, type Take } from './gcra';

/** So many clients may be remembered before those that owe nothing are forgotten. */
const SWEEP_ABOVE = 10_000;

/** Counts requests in this process's memory. */
export class MemoryRates {
  /** When a client owes nothing any more, on the process's clock in milliseconds. */
  private readonly emptyAt = new Map<string, number>();
  private sweepAbove = SWEEP_ABOVE;

  constructor(private readonly now: () => number = () => performance.now()) {}

  take(clientId: string, rate: Rate): Take {
    const outcome = take(rate, this.debtOf(clientId));
    this.note(clientId, outcome.debtMs);
    return outcome;
  }

  /** Undoes the counting of one request. */
  giveBack(clientId: string, { limit, windowMs }: Rate): void {
    this.note(clientId, Math.max(0, this.debtOf(clientId) - windowMs / limit));
  }

  /** Takes over what is known from elsewhere. */
  note(clientId: string, debtMs: number): void {
    this.emptyAt.set(clientId, this.now() + debtMs);
    if (this.emptyAt.size > this.sweepAbove) this.sweep();
  }

  debtOf(clientId: string): number {
    return Math.max(0, (this.emptyAt.get(clientId) ?? 0) - this.now());
  }

  private sweep(): void {
    const now = this.now();
    for (const [clientId, emptyAt] of this.emptyAt) if (emptyAt <= now) this.emptyAt.delete(clientId);
    this.sweepAbove = Math.max(SWEEP_ABOVE, 2 * this.emptyAt.size);
  }
}
