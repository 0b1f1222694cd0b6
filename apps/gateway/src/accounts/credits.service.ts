import { Injectable } from '@nestjs/common';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { requireAccount } from './accounts.service';
import { recordAudit } from './audit-log';

export const CREDIT_CATEGORIES = ['utility'] as const;
export type CreditCategory = (typeof CREDIT_CATEGORIES)[number];
export type Balances = Record<CreditCategory, number>;

export interface Grant {
  accountId: string;
  category: CreditCategory;
  /** Credits, at least one. */
  amount: number;
  reason: string;
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

  /** Adds credits. @returns the new balance @throws AppError NOT_FOUND when there is no such account */
  grant(grant: Grant, actor: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      await requireAccount(tx.manager, grant.accountId);
      return addGrant(tx, grant, actor);
    });
  }

  /** Adds credits to an account that never had any; otherwise leaves it alone. */
  async grantOnce(grant: Grant, actor: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [grant.accountId]);
      const had = await tx.query('SELECT 1 FROM credit_balances WHERE account_id = $1 AND category = $2', [grant.accountId, grant.category]);
      if (had.length === 0) await addGrant(tx, grant, actor);
    });
  }
}

async function addGrant(tx: Transaction, { accountId, category, amount, reason }: Grant, actor: string): Promise<number> {
  await tx.query("INSERT INTO credit_ledger (account_id, category, amount, kind, reason) VALUES ($1, $2, $3, 'grant', $4)", [
    accountId,
    category,
    amount,
    reason,
  ]);
  const [row] = await tx.query<{ balance: string }>(
    `INSERT INTO credit_balances AS b (account_id, category, balance) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, category) DO UPDATE SET balance = b.balance + excluded.balance RETURNING balance`,
    [accountId, category, amount],
  );
  await recordAudit(tx, { actor, action: 'credits.granted', accountId, target: category, details: { amount, reason } });
  return Number(row?.balance);
}
