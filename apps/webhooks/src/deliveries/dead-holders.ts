import type { Transactions } from '@switchboard/database';
import type { EndpointRef } from '../endpoints/endpoint-ref';
import { type Abandoned, abandonClaimsOf } from './abandoned.queries';
import { lockDeadHolders, takeOverStored } from './claim-holder.queries';

/** Stored attempts that one look takes over from each dead process: as many endpoints as a page of the sweep has. */
const TAKEN_AT_ONCE = 1_000;

/** What dead processes have left. */
export interface LeftOver {
  /** Attempts that were under way and are ended. */
  ended: Abandoned[];
  /** Endpoints with first attempts that were stored and never begun. */
  waiting: EndpointRef[];
}

/**
 * Which holders are dead: those whose lock was gone at two looks in a row. One that has only lost its connection has
 * taken it again by then.
 */
export class DeadHolders {
  private suspects = new Set<number>();

  constructor(private readonly transactions: Transactions) {}

  /** Looks once, ends the claims of the dead and gives their stored attempts to a holder that lives. */
  takeOver(holder: number | null): Promise<LeftOver> {
    return this.transactions.run(async (tx) => {
      const missing = await lockDeadHolders(tx);
      const dead = missing.filter((each) => this.suspects.has(each));
      this.suspects = new Set(missing);
      if (dead.length === 0) return { ended: [], waiting: [] };
      const ended = await abandonClaimsOf(tx, dead);
      return { ended, waiting: await takeOverStored(tx, dead, { holder, atMost: TAKEN_AT_ONCE }) };
    });
  }
}
