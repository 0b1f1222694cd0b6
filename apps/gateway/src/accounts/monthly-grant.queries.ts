import type { Transaction } from '@switchboard/database';

/**
 * Grants this month's credits to all eligible accounts, or to one, unless already granted. A unique index on the ledger
 * ensures one grant per month under concurrency. Months are in UTC, by the database's clock.
 */
const GRANT_MONTHLY = `
  WITH this_month AS (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month),
  granted AS (
    INSERT INTO credit_ledger (account_id, category, amount, kind, reason, grant_month)
    SELECT p.account_id, 'utility', p.monthly_credits, 'grant', 'plan ' || p.name || ', ' || to_char(m.month,
      'YYYY-MM'), m.month
    FROM effective_plans p CROSS JOIN this_month m
    WHERE p.monthly_credits > 0 AND ($1::text IS NULL OR p.account_id = $1)
      AND NOT EXISTS (SELECT 1 FROM credit_ledger l WHERE l.account_id = p.account_id AND l.category = 'utility'
        AND l.grant_month = m.month)
    ORDER BY p.account_id
    ON CONFLICT (account_id, category, grant_month) WHERE grant_month IS NOT NULL DO NOTHING
    RETURNING account_id, category, amount
  )
  INSERT INTO credit_balances AS b (account_id, category, balance) SELECT account_id, category, amount FROM granted
  ON CONFLICT (account_id, category) DO UPDATE SET balance = b.balance + excluded.balance
  RETURNING account_id AS "accountId"`;

/** @returns the accounts that received credits in this call */
export async function grantMonthly(tx: Transaction, accountId?: string): Promise<string[]> {
  const rows = await tx.query<{ accountId: string }>(GRANT_MONTHLY, [accountId ?? null]);
  return rows.map((row) => row.accountId);
}
