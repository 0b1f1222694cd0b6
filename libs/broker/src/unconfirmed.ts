import type { CommandContract } from '@switchboard/contracts';

/** Age in milliseconds at which a confirm is overdue: the queue has no leader, or the broker's node is cut off. */
export const OVERDUE_MS = 2_000;

export class Unconfirmed {
  private readonly startedAt = new Map<number, number>();
  private last = 0;

  /** Adds a publish. @returns its number, for {@link remove} */
  add(): number {
    this.last += 1;
    this.startedAt.set(this.last, performance.now());
    return this.last;
  }

  remove(number: number): void {
    this.startedAt.delete(number);
  }

  get size(): number {
    return this.startedAt.size;
  }

  /** Returns the age of the oldest publish in milliseconds; 0 when there is none. */
  oldestMs(): number {
    const { value } = this.startedAt.values().next();
    return value === undefined ? 0 : performance.now() - value;
  }
}

export class UnconfirmedByContract {
  private readonly contracts = new Map<CommandContract, Unconfirmed>();

  of(contract: CommandContract): Unconfirmed {
    const known = this.contracts.get(contract);
    if (known) return known;
    const made = new Unconfirmed();
    this.contracts.set(contract, made);
    return made;
  }

  /** Returns the age of the oldest publish of any contract in milliseconds; 0 when there is none. */
  oldestMs(): number {
    return Math.max(0, ...[...this.contracts.values()].map((unconfirmed) => unconfirmed.oldestMs()));
  }
}

/**
 * Returns whether a publish was not confirmed because its channel closed. amqplib rejects all pending publishes with
 * this text.
 */
export function isChannelClosed(error: unknown): boolean {
  return error instanceof Error && error.message === 'channel closed';
}
