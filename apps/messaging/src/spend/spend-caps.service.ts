import { Injectable } from '@nestjs/common';
import { AppError, type SpendCapRecord, type SpendLimit } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { RatesService } from '../rates/rates.service';
import { UsageService } from '../usage/usage.service';
import { findSpendCap } from './find-spend-cap';
import { foreignCurrency } from './send-price';
import { CLEAR_CAP, FORGET_NOTICES, LOCK_TOTALS, SET_CAP, START_TOTAL, TOTAL_KEYS } from './spend.queries';
import { monthOf } from './spend-limiter';

/** Spend caps of accounts. */
@Injectable()
export class SpendCapsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly rates: RatesService,
    private readonly usage: UsageService,
  ) {}

  /** Returns the cap with the amounts of the current month; null if the account has none. */
  find(accountId: string): Promise<SpendCapRecord | null> {
    return findSpendCap(this.dataSource, accountId, monthOf(new Date()));
  }

  /**
   * Sets the cap. What was delivered in the current month before counts as spent.
   * @throws AppError INVALID_VALUE if the rate card has another currency
   */
  async set(accountId: string, cap: SpendLimit): Promise<void> {
    await this.requireRates(cap);
    const month = monthOf(new Date());
    const { total } = await this.usage.usageOf({ accountId, month, by: 'category' });
    await this.transactions.run(async (tx) => {
      await tx.query(START_TOTAL, [accountId, month, total.amount ?? '0']);
      await tx.query(LOCK_TOTALS, TOTAL_KEYS.parameters([{ accountId, jobId: '', month }]));
      const changed = await tx.query(SET_CAP, [accountId, cap.amount, cap.currency]);
      if (changed.length > 0) await tx.query(FORGET_NOTICES, [accountId, month]);
    });
  }

  async clear(accountId: string): Promise<void> {
    await query(this.dataSource, CLEAR_CAP, [accountId]);
  }

  /** @throws AppError INVALID_VALUE if the rate card has another currency, or there is none */
  async requireRates({ currency }: SpendLimit): Promise<void> {
    const known = (await this.rates.list()).rates[0]?.currency;
    if (known === currency) return;
    const message = foreignCurrency(currency, known);
    throw new AppError('INVALID_VALUE', { message, details: [{ field: 'currency', message }] });
  }
}
