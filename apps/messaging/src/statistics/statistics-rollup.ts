import { Injectable } from '@nestjs/common';
import { foldHourlyTotals } from '@switchboard/database';
import { Every, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { MESSAGE_HOURS, PRICE_HOURS } from './message-hours';

const EVERY_MS = 3_600_000;

/** Folds the hourly totals of past days into one row per day. */
@Injectable()
export class StatisticsRollup {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns whether there may be more to fold */
  @Every({ name: 'figures-fold', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async fold(): Promise<boolean> {
    const isMore = await foldHourlyTotals(this.dataSource, MESSAGE_HOURS);
    return (await foldHourlyTotals(this.dataSource, PRICE_HOURS)) || isMore;
  }
}
