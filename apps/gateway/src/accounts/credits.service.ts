import { Injectable } from '@nestjs/common';
import type { CreditCategory } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { requireAccount } from './accounts.service';
import { recordAudit } from './audit-log';
import { ADD_TO_BALANCE, INSERT_LEDGER, SELECT_LEDGER } from './credits.queries';

export type Balances = Record<CreditCategory, number>;

export interface TopUp {
  accountId: string;
  category: CreditCategory;
  /** Credits, at least one. */
  amount: number;
  reason: string;
}

/** One line of the ledger; the sum of all amounts is the balance. */
export interface LedgerEntry {
  entryId: string;
  category: CreditCategory;
  /** Negative when credits are set aside; 0 when what was set aside is spent. */
  amount: number;
  kind: 'grant' | 'top_up' | 'reserve' | 'settle' | 'refund';
  reason: string;
  reservationId: string | null;
  createdAt: Date;
}

/** A ledger that is only ever added to, and a balance that is its sum, kept in the same transaction. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** The account's balance of every category; what was never granted is 0. */
  async balancesOf(accountId: string): Promise<Balances> {
    const rows = await query<{ category: CreditCategory; balance: string }>(
      this.dataSource,
      'SELECT category, balance FROM credit_balances WHERE account_id = $1',
      [accountId],
    );
    return { utility: 0, ...Object.fromEntries(rows.map(({ category, balance }) => [category, Number(balance)])) };
  }

  /** Adds credits by hand. @returns the new balance @throws AppError NOT_FOUND when there is no such account */
  topUp({ accountId, category, amount, reason }: TopUp, actor: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      await requireAccount(tx, accountId);
      await tx.query(INSERT_LEDGER, [accountId, category, amount, 'top_up', reason, null]);
      const [row] = await tx.query<{ balance: string }>(ADD_TO_BALANCE, [accountId, category, amount]);
      await recordAudit(tx, {
        actor,
        action: 'credits.topped-up',
        accountId,
        target: category,
        details: { amount, reason },
      });
      return Number(row?.balance);
    });
  }

  /**
   * The ledger, the newest entry first.
   * @param before only entries older than this one, by its id; all when absent
   * @throws AppError NOT_FOUND when there is no such account
   */
  async ledgerOf(accountId: string, { limit, before }: { limit: number; before?: string }): Promise<LedgerEntry[]> {
    await requireAccount(this.dataSource, accountId);
    const rows = await query<LedgerEntry & { amount: string }>(this.dataSource, SELECT_LEDGER, [
      accountId,
      before ?? null,
      limit,
    ]);
    return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
  }
}
