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
  /** Credits, at least one. */
  amount: number;
  reason: string;
}

export const LEDGER_KINDS = ['grant', 'top_up', 'reserve', 'settle', 'refund'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Which entries of a ledger; what is absent leaves none out. */
export interface LedgerFilter {
  limit: number;
  /** Only entries behind this one, by its id. */
  before?: string;
  kind?: LedgerKind;
  since?: string;
  until?: string;
}

/** What happened to an account's credits on a day, in UTC. */
export interface CreditDay {
  day: string;
  /** By the plan and by hand. */
  given: number;
  /** Set aside for what was to be sent. */
  spent: number;
  /** Given back, as it was not sent or did not arrive. */
  returned: number;
}

/** One line of the ledger; the sum of all amounts is the balance. */
export interface LedgerEntry {
  entryId: string;
  category: CreditCategory;
  /** Negative when credits are set aside; 0 when what was set aside is spent. */
  amount: number;
  kind: LedgerKind;
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
   * The ledger, the newest entry first.
   * @throws AppError NOT_FOUND when there is no such account
   */
  async ledgerOf(accountId: string, { limit, before, kind, since, until }: LedgerFilter): Promise<LedgerEntry[]> {
    await requireAccount(this.dataSource, accountId);
    const params = { accountId, before, limit, kind, since, until };
    const rows = await query<LedgerEntry & { amount: string }>(this.dataSource, SELECT_LEDGER, params);
    return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
  }

  /** The last days on which anything happened, the oldest first. What it costs does not depend on how much it was. */
  daysOf(accountId: string, days: number): Promise<CreditDay[]> {
    return query<CreditDay>(this.dataSource, SELECT_CREDIT_DAYS, [accountId, days]);
  }
}
