import { Injectable } from '@nestjs/common';
import { foldHourlyTotals } from '@switchboard/database';
import { Every, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { MESSAGE_HOURS, PRICE_HOURS } from './message-hours';

const EVERY_MS = 3_600_000;

/** Aggregates hourly statistics into one row per completed day. */
@Injectable()
export class StatisticsRollup {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns true if there may be more hours to aggregate */
  @Every({ name: 'figures-fold', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async fold(): Promise<boolean> {
    const isMore = await foldHourlyTotals(this.dataSource, MESSAGE_HOURS);
    return (await foldHourlyTotals(this.dataSource, PRICE_HOURS)) || isMore;
  }
}
