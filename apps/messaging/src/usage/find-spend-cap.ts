import type { SpendCapRecord, SpendLimit } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { amountOf, unitsOf } from '@switchboard/pricing';
import type { DataSource } from 'typeorm';

interface CapRow extends SpendLimit {
  settled: string;
  reserved: string;
}

/** $1 account, $2 month */
const GET_CAP = `
  SELECT spend_caps.amount::text AS amount, currency, COALESCE(settled, 0)::text AS settled,
    COALESCE(reserved, 0)::text AS reserved
  FROM spend_caps LEFT JOIN spend_totals ON spend_totals.account_id = spend_caps.account_id AND job_id = ''
    AND month = $2
  WHERE spend_caps.account_id = $1`;

/** Formats an amount with at least two decimals. */
const plain = (amount: string): string => amountOf(unitsOf(amount));

/** Returns an account's cap with the amounts of a month; null if the account has none. */
export async function findSpendCap(
  dataSource: DataSource,
  accountId: string,
  month: string,
): Promise<SpendCapRecord | null> {
  const [row] = await query<CapRow>(dataSource, GET_CAP, [accountId, month]);
  if (!row) return null;
  const { amount, currency, settled, reserved } = row;
  return { amount: plain(amount), currency, month, spent: plain(settled), reserved: plain(reserved) };
}
