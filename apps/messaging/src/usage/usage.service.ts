import { Injectable } from '@nestjs/common';
import {
  CHARGED_JOBS_MAX,
  firstIdAt,
  type GetJobChargesCommand,
  type GetJobChargesReply,
  type GetUsageCommand,
  type GetUsageReply,
  type ReportedCharges,
  type UsageFigures,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CLEANUP_STATEMENT_MS, Every } from '@switchboard/platform';
import { rateCardOf } from '@switchboard/pricing';
import { DataSource } from 'typeorm';
import { RateCards } from '../rates/rate-cards';
import { RatesService } from '../rates/rates.service';
import { findSpendCap } from './find-spend-cap';
import { summarizeUsage } from './summarize-usage';
import {
  DELETE_EXPIRED_USAGE,
  SUM_USAGE_OF_JOB_RANGE,
  SUM_USAGE_OF_JOBS,
  sumUsageSql,
  type UsageRow,
} from './usage.queries';

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
    private readonly cards: RateCards,
  ) {}

  async usageOf({ accountId, month, by }: GetUsageCommand): Promise<GetUsageReply> {
    const [rows, { rates }, spendCap] = await Promise.all([
      query<UsageRow>(this.dataSource, sumUsageSql(by), [accountId, `${month}-01`, firstDayAfter(month)]),
      this.rates.list(),
      findSpendCap(this.dataSource, accountId, month),
    ]);
    return { ...summarizeUsage(rows, { card: rateCardOf(rates), by }), spendCap };
  }

  /** Returns the reported charges of jobs, and optionally the total of all jobs created in a month. */
  async chargesOfJobs({ accountId, jobIds, month }: GetJobChargesCommand): Promise<GetJobChargesReply> {
    const range = month === undefined ? undefined : [`${month}-01`, firstDayAfter(month)];
    const [ofJobs, ofMonth, card] = await Promise.all([
      query<UsageRow>(this.dataSource, SUM_USAGE_OF_JOBS, [accountId, jobIds]),
      range &&
        query<UsageRow>(this.dataSource, SUM_USAGE_OF_JOB_RANGE, [
          accountId,
          ...range.map((day) => firstIdAt('job', Date.parse(day))),
        ]),
      this.cards.current(),
    ]);
    const figuresOf = (rows: readonly UsageRow[]): GetUsageReply =>
      summarizeUsage(rows, { card, by: 'job', most: CHARGED_JOBS_MAX });
    return {
      currency: card.currency,
      jobs: figuresOf(ofJobs).groups.map(({ name, ...figures }) => ({ jobId: name ?? '', ...chargesOf(figures) })),
      total: ofMonth ? chargesOf(figuresOf(ofMonth).total) : null,
    };
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

function chargesOf({ delivered, billable, amount, unrated }: UsageFigures): ReportedCharges {
  return { delivered, billable, amount, unrated };
}
