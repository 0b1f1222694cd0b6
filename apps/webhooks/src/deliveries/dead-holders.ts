import type { Transactions } from '@switchboard/database';
import { type Abandoned, abandonClaimsOf } from './abandoned.queries';
import { lockDeadHolders } from './claim-holder.queries';

/**
 * Which holders of claims are dead: those whose lock was gone at two looks in a row. One that has only lost its connection has
 * taken it again by then.
 */
export class DeadHolders {
  private suspects = new Set<number>();

  constructor(private readonly transactions: Transactions) {}

  /** Looks once. @returns the attempts that it ended */
  endTheirClaims(): Promise<Abandoned[]> {
    return this.transactions.run(async (tx) => {
      const missing = await lockDeadHolders(tx);
      const dead = missing.filter((holder) => this.suspects.has(holder));
      this.suspects = new Set(missing);
      return dead.length > 0 ? abandonClaimsOf(tx, dead) : [];
    });
  }
}
