import { Injectable } from '@nestjs/common';
import type { CreditCategory } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { requireAccount } from './accounts.service';
import { recordAudit } from '../audit-log/audit-log';
import { ADD_TO_BALANCE, INSERT_LEDGER, SELECT_CREDIT_DAYS, SELECT_LEDGER } from './credits.queries';

export type Balances = Record<CreditCategory, number>;

export interface TopUp {
  accountId: string;
  category: CreditCategory;
  amount: number;
  reason: string;
}

export const LEDGER_KINDS = ['grant', 'top_up', 'reserve', 'settle', 'refund'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Filter for ledger entries; absent fields match all. */
export interface LedgerFilter {
  limit: number;
  /** Id of a ledger entry; only older entries match. */
  before?: string;
  kind?: LedgerKind;
  since?: string;
  until?: string;
}

/** Credit totals of one UTC day. */
export interface CreditDay {
  day: string;
  /** Credits granted by the plan or by an operator. */
  given: number;
  /** Credits reserved for messages. */
  spent: number;
  /** Credits returned because the message was not sent or not delivered. */
  returned: number;
}

/** Ledger entry. The sum of all amounts is the balance. */
export interface LedgerEntry {
  entryId: string;
  category: CreditCategory;
  /** Negative for a reservation; 0 when reserved credits are settled. */
  amount: number;
  kind: LedgerKind;
  reason: string;
  reservationId: string | null;
  createdAt: Date;
}

/** Append-only ledger of credits. The balance is the sum of its entries and changes in the same transaction. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Returns the balance of every category; 0 for categories without grants. */
  async balancesOf(accountId: string): Promise<Balances> {
    const rows = await query<{ category: CreditCategory; balance: string }>(
      this.dataSource,
      'SELECT category, balance FROM credit_balances WHERE account_id = $1',
      [accountId],
    );
    return { utility: 0, ...Object.fromEntries(rows.map(({ category, balance }) => [category, Number(balance)])) };
  }

  /** Adds credits manually. @returns the new balance @throws AppError NOT_FOUND for an unknown account */
  topUp({ accountId, category, amount, reason }: TopUp, actor: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      await requireAccount(tx, accountId);
      await tx.query(INSERT_LEDGER, { accountId, category, amount, kind: 'top_up', reason, reservationId: null });
      const [row] = await tx.query<{ balance: string }>(ADD_TO_BALANCE, [accountId, category, amount]);
      await recordAudit(tx, {
        actor,
        action: 'credits.top-up',
        accountId,
        target: category,
        details: { amount, reason },
      });
      return Number(row?.balance);
    });
  }

  /**
   * Lists ledger entries, newest first.
   * @throws AppError NOT_FOUND for an unknown account
   */
  async ledgerOf(accountId: string, { limit, before, kind, since, until }: LedgerFilter): Promise<LedgerEntry[]> {
    await requireAccount(this.dataSource, accountId);
    const params = { accountId, before, limit, kind, since, until };
    const rows = await query<LedgerEntry & { amount: string }>(this.dataSource, SELECT_LEDGER, params);
    return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
  }

  /**
   * Returns the totals of the last days with entries, oldest first. The cost is independent of the number of entries.
   */
  daysOf(accountId: string, days: number): Promise<CreditDay[]> {
    return query<CreditDay>(this.dataSource, SELECT_CREDIT_DAYS, [accountId, days]);
  }
}
