import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { type Rate, take, type Take } from './gcra';

/** Memory limit, enough for tens of thousands of clients. Evicts the least recently used. */
const MAX_BYTES = 16 * MIB;

/** Counts requests in the memory of this process. */
export class MemoryRates {
  /** Time at which a client's debt ends, in milliseconds on the process's clock. */
  private readonly emptyAt = new LRUCache<string, number>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_emptyAt, clientId) => entryBytes(clientId),
  });

  constructor(private readonly now: () => number = () => performance.now()) {}

  take(clientId: string, rate: Rate): Take {
    const outcome = take(rate, this.debtOf(clientId));
    this.note(clientId, outcome.debtMs);
    return outcome;
  }

  /** Undoes the count of one request. */
  refund(clientId: string, { limit, windowMs }: Rate): void {
    this.note(clientId, Math.max(0, this.debtOf(clientId) - windowMs / limit));
  }

  /** Sets a client's debt to one that was counted elsewhere. */
  note(clientId: string, debtMs: number): void {
    this.emptyAt.set(clientId, this.now() + debtMs);
  }

  debtOf(clientId: string): number {
    return Math.max(0, (this.emptyAt.get(clientId) ?? 0) - this.now());
  }
}
