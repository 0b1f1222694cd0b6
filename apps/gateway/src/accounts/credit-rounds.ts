import { Inject, Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '@switchboard/database';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { DELETE_ENDED, RELEASE_OVERDUE } from './credits.queries';
import { grantMonthly } from './monthly-grant.queries';

const RELEASE_EVERY_MS = 5_000;
const GRANT_EVERY_MS = 60_000;
const BATCH_SIZE = 500;
/**
 * Key of an advisory lock. Without it, concurrent runs on several gateways would lock balances in different orders and
 * could deadlock.
 */
const ROUND_LOCK = 4_810_226;

/** Scheduled credit jobs: monthly grants, and the release of overdue reservations. */
@Injectable()
export class CreditRounds {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Grants this month's credits to every account that has not received them. */
  @Every({ name: 'credits.grant', everyMs: GRANT_EVERY_MS })
  async grantMonth(): Promise<void> {
    const granted = (await this.alone((tx) => grantMonthly(tx))) ?? [];
    if (granted.length > 0) this.logger.info({ accounts: granted.length }, 'credits.granted');
  }

  /** Releases reservations that were neither settled nor refunded in time. @returns true if more may remain */
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

  /** Runs the work under the advisory lock. @returns undefined if another gateway holds the lock */
  private alone<T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.transactions.run(async (tx) => {
      const [lock] = await tx.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [ROUND_LOCK]);
      return lock?.mine ? work(tx) : undefined;
    });
  }
}
