import { Injectable } from '@nestjs/common';
import { AppError, type SpendCapRecord, type SpendLimit } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { unitsOf } from '@switchboard/pricing';
import { DataSource } from 'typeorm';
import { RateCards } from '../rates/rate-cards';
import { RatesService } from '../rates/rates.service';
import { UsageService } from '../usage/usage.service';
import { findSpendCap } from '../usage/find-spend-cap';
import { foreignCurrency, lowestPrice } from './send-price';
import {
  CLEAR_CAP,
  FORGET_NOTICES,
  LOCK_TOTALS,
  READ_TOTALS,
  SET_CAP,
  START_TOTAL,
  TOTAL_KEYS,
  type TotalRow,
} from './spend.queries';
import { monthOf } from './spend-limiter';

interface ResumedJob {
  accountId: string;
  jobId: string;
  maxSpend?: SpendLimit;
  /** Category of its template; absent for other messages. */
  category?: string;
  /** Recipients that follow. Any market counts if it is empty. */
  nextRecipients?: readonly string[];
  /** Time of the sends. */
  at?: Date;
}

/** Reads and changes the spend caps of accounts, and checks jobs against them. */
@Injectable()
export class SpendCapsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly rates: RatesService,
    private readonly usage: UsageService,
    private readonly cards: RateCards,
  ) {}

  /** Returns the cap with the amounts of the current month; null if the account has none. */
  find(accountId: string): Promise<SpendCapRecord | null> {
    return findSpendCap(this.dataSource, accountId, monthOf(new Date()));
  }

  /**
   * Sets the cap. Messages already delivered in the current month count as spent.
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
  async requireRates({ currency }: SpendLimit, field = 'currency'): Promise<void> {
    const known = (await this.rates.list()).rates[0]?.currency;
    if (known === currency) return;
    const message = foreignCurrency(currency, known);
    throw new AppError('INVALID_VALUE', { message, details: [{ field, message }] });
  }

  /**
   * Checks that the caps of a job and its account leave enough for one of the next messages.
   * @throws AppError SPEND_CAP_REACHED
   */
  async requireRest({ accountId, jobId, maxSpend, at = new Date(), ...next }: ResumedJob): Promise<void> {
    const month = monthOf(at);
    const keys = [
      { accountId, jobId: '', month },
      { accountId, jobId, month: '' },
    ];
    const cap = await this.find(accountId);
    const [card, totals] = await Promise.all([
      this.cards.current(),
      query<TotalRow>(this.dataSource, READ_TOTALS, TOTAL_KEYS.parameters(keys)),
    ]);
    const least = (currency: string): bigint => unitsOf(lowestPrice(card, next, { currency, at }) ?? '0');
    const usedOf = (wanted: string): bigint => {
      const total = totals.find((row) => row.jobId === wanted);
      return total ? unitsOf(total.reserved) + unitsOf(total.settled) : 0n;
    };
    if (cap && usedOf('') + least(cap.currency) > unitsOf(cap.amount))
      throw new AppError('SPEND_CAP_REACHED', {
        message: `the account's spend cap of ${cap.amount} ${cap.currency} for ${month} is reached: raise it, or resume the job next month`,
      });
    if (maxSpend && usedOf(jobId) + least(maxSpend.currency) > unitsOf(maxSpend.amount))
      throw new AppError('SPEND_CAP_REACHED', {
        message: `the job's spend cap of ${maxSpend.amount} ${maxSpend.currency} is reached: resume the job with a higher maxSpend`,
      });
  }
}
