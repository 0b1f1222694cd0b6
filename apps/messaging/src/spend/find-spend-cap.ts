import type { SpendCapRecord, SpendLimit } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { amountOf, unitsOf } from '@switchboard/pricing';
import type { DataSource } from 'typeorm';
import { GET_CAP } from './spend.queries';

interface CapRow extends SpendLimit {
  settled: string;
  reserved: string;
}

/** Normalizes an amount to at least two decimals. */
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
