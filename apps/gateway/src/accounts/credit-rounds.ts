import { Inject, Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '@switchboard/database';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { DELETE_ENDED, RELEASE_OVERDUE } from './credits.queries';
import { grantMonthly } from './monthly-grant.queries';

const RELEASE_EVERY_MS = 5_000;
const GRANT_EVERY_MS = 60_000;
const BATCH_SIZE = 500;
/** Rounds of several gateways would lock balances in different orders: one at a time does (any constant will do). */
const ROUND_LOCK = 4_810_226;

/** What is done about credits without anybody asking: each month's grants, and reservations that nobody ended. */
@Injectable()
export class CreditRounds {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Gives every account this month's credits that it has not had. */
  @Every({ name: 'credits.grant', everyMs: GRANT_EVERY_MS })
  async grantMonth(): Promise<void> {
    const granted = (await this.alone((tx) => grantMonthly(tx))) ?? [];
    if (granted.length > 0) this.logger.info({ accounts: granted.length }, 'credits.granted');
  }

  /** Gives back what was reserved and neither spent nor given back in time. @returns whether there may be more */
  @Every({ name: 'credits.release', everyMs: RELEASE_EVERY_MS })
  async releaseOverdue(): Promise<boolean> {
    const done = await this.alone(async (tx) => ({
      released: await tx.query<{ accountId: string; amount: number; reservations: number }>(RELEASE_OVERDUE, [
        BATCH_SIZE,
      ]),
      deleted: await tx.query(DELETE_ENDED, [BATCH_SIZE]),
    }));
    if (!done) return false;
    for (const { accountId, amount } of done.released) this.logger.warn({ accountId, amount }, 'credits.released');
    return (
      done.deleted.length === BATCH_SIZE ||
      done.released.reduce((sum, { reservations }) => sum + reservations, 0) === BATCH_SIZE
    );
  }

  /** @returns undefined when another gateway is at it */
  private alone<T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.transactions.run(async (tx) => {
      const [lock] = await tx.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [ROUND_LOCK]);
      return lock?.mine ? work(tx) : undefined;
    });
  }
}
