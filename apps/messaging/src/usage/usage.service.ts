import { Injectable } from '@nestjs/common';
import type { GetUsageCommand, GetUsageReply } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CLEANUP_STATEMENT_MS, Every } from '@switchboard/platform';
import { rateCardOf } from '@switchboard/pricing';
import { DataSource } from 'typeorm';
import { RatesService } from '../rates/rates.service';
import { findSpendCap } from './find-spend-cap';
import { summarizeUsage } from './summarize-usage';
import { DELETE_EXPIRED_USAGE, sumUsageSql, type UsageRow } from './usage.queries';

const EVERY_MS = 3_600_000;
/** As for the other statistics. */
const DAYS_KEPT = 400;
const STEP_ROWS = 5_000;

/** Delivered messages of an account by month, with their price by the rate card. */
@Injectable()
export class UsageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rates: RatesService,
  ) {}

  async usageOf({ accountId, month, by }: GetUsageCommand): Promise<GetUsageReply> {
    const [rows, { rates }, spendCap] = await Promise.all([
      query<UsageRow>(this.dataSource, sumUsageSql(by), [accountId, `${month}-01`, firstDayAfter(month)]),
      this.rates.list(),
      findSpendCap(this.dataSource, accountId, month),
    ]);
    const currency = rates[0]?.currency ?? null;
    return { ...summarizeUsage(rows, { card: rateCardOf(rates), currency, by }), spendCap };
  }

  /** @returns whether there may be more to delete */
  @Every({ name: 'usage-expiry', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async deleteExpired(): Promise<boolean> {
    const deleted = await query(this.dataSource, DELETE_EXPIRED_USAGE, [DAYS_KEPT, STEP_ROWS]);
    return deleted.length === STEP_ROWS;
  }
}

function firstDayAfter(month: string): string {
  const day = new Date(`${month}-01`);
  day.setUTCMonth(day.getUTCMonth() + 1);
  return day.toISOString().slice(0, 10);
}
