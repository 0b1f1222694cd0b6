import { Injectable } from '@nestjs/common';
import {
  firstIdAt,
  type GetResultsCommand,
  type GetResultsReply,
  MAX_RESULT_GROUPS,
  RESULT_OPEN_DAYS,
  type ResultFigures,
} from '@switchboard/contracts';
import { query, scanQuery, Transactions } from '@switchboard/database';
import { CLEANUP_STATEMENT_MS, Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { medianSeconds } from './response-times';
import { type AccountDay, countDay, DAY_MS, dayOf, OutOfTimeError, storeCounts } from './result-days';
import * as sql from './results.queries';

const EVERY_MS = 30_000;
/** Pause between two days, so that a backlog leaves the database to others. */
const PAUSE_MS = 100;
const FIND_EVERY_MS = 600_000;
const HOUR_MS = 3_600_000;
/** As for the other statistics. */
const DAYS_KEPT = 400;
const STEP_ROWS = 5_000;

/** Age at which a read refreshes the figures of today and yesterday, and of earlier days. */
const STALE_MS = { recent: 60_000, earlier: HOUR_MS };
/** Interval at which the loop refreshes them. */
const REFRESH_MS = { recent: HOUR_MS, earlier: DAY_MS };
/** Time that a read spends on refreshing. */
const REFRESH_BUDGET_MS = 1_500;

interface Progress {
  computedAt: Date | null;
  dueAt: Date | null;
  removals: number;
  now: Date;
}

type Figures = { [Figure in keyof ResultFigures]: number };

/** What became of the messages of an account by template, job, label and agent. */
@Injectable()
export class ResultsService {
  /** Days between today and the next day on which to look for accounts. */
  private ago = 0;
  /** Oldest such day: at first, as old as the retained results. */
  private lookBack = DAYS_KEPT;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Returns the results of a range of days. First refreshes those that are not current, within a limited time. */
  async resultsOf(command: GetResultsCommand, now = Date.now()): Promise<GetResultsReply> {
    const pendingDays = await this.refresh(command, now);
    const { accountId, by, since, until } = command;
    const range = [accountId, by, since, until];
    const [days, rows, progress] = await Promise.all([
      scanQuery<Figures & { day: string }>(this.dataSource, sql.SUM_DAYS, [accountId, 'template', since, until]),
      scanQuery<Figures & { key: string; name: string; groups: number }>(this.dataSource, sql.SUM_GROUPS, [
        ...range,
        MAX_RESULT_GROUPS,
      ]),
      query<sql.DayProgress>(this.dataSource, sql.LIST_PROGRESS, [accountId, since, until]),
    ]);
    const keys = rows.map(({ key }) => key);
    const [reasons, times, names] = await Promise.all([
      this.partsOf(sql.SUM_REASONS, [...range, keys]),
      this.partsOf(sql.SUM_TIMES, [...range, keys]),
      by === 'label' ? this.labelNames(accountId, keys) : new Map<string, string>(),
    ]);
    const open = progress.flatMap(({ isFinal, computedAt }) => (isFinal || !computedAt ? [] : [computedAt.getTime()]));
    const known = open.length > 0 ? open : progress.flatMap(({ computedAt }) => computedAt?.getTime() ?? []);
    return {
      total: sumOf(days),
      days,
      groups: rows.map(({ key, name, groups: _groups, ...figures }) => {
        const counts = times.get(key) ?? new Map<string, number>();
        const buckets = new Map([...counts].map(([bucket, count]) => [Number(bucket), count]));
        return {
          key: key || null,
          name: (by === 'template' ? key : (names.get(key) ?? name)) || null,
          ...figures,
          reasons: [...(reasons.get(key) ?? [])]
            .map(([reason, messages]) => ({ reason, messages }))
            .toSorted((one, other) => other.messages - one.messages || (one.reason < other.reason ? -1 : 1)),
          responses: [...buckets.values()].reduce((sum, count) => sum + count, 0),
          medianResponseSeconds: medianSeconds(buckets),
        };
      }),
      moreGroups: Math.max(0, (rows[0]?.groups ?? 0) - rows.length),
      computedAt: known.length > 0 ? new Date(Math.min(...known)).toISOString() : null,
      pendingDays,
    };
  }

  /**
   * Computes the day that has been due for the longest time. Postpones a day whose computation fails, so that it does
   * not delay the others.
   * @returns a short pause if more may be due
   */
  @Every({ name: 'results', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async computeDue(): Promise<number | false> {
    const [due] = await query<sql.DueDay>(this.dataSource, sql.FIND_DUE);
    if (!due) return false;
    try {
      await this.compute(due, { isDue: ({ dueAt, now }) => dueAt !== null && dueAt <= now });
    } catch (error) {
      await query(this.dataSource, sql.POSTPONE_DAY, [due.accountId, due.day]);
      throw error;
    }
    return PAUSE_MS;
  }

  /**
   * Adds the days on which accounts sent messages, one day per step: the retained days once, then the newest two.
   * @returns true if there are more days to look at
   */
  @Every({ name: 'results-days', everyMs: FIND_EVERY_MS })
  async findDays(): Promise<boolean> {
    const day = dayOf(Date.now() - this.ago * DAY_MS);
    const start = Date.parse(day);
    await query(this.dataSource, sql.FIND_DAYS, [day, new Date(start), new Date(start + DAY_MS)]);
    this.ago = this.ago < this.lookBack ? this.ago + 1 : 0;
    if (this.ago > 0) return true;
    this.lookBack = 1;
    return false;
  }

  /** @returns whether there may be more to delete */
  @Every({ name: 'results-expiry', everyMs: HOUR_MS, statementMs: CLEANUP_STATEMENT_MS })
  async deleteExpired(): Promise<boolean> {
    let isMore = false;
    for (const statement of sql.DELETE_EXPIRED)
      isMore = (await query(this.dataSource, statement, [DAYS_KEPT, STEP_ROWS])).length === STEP_ROWS || isMore;
    return isMore;
  }

  /**
   * Refreshes the days that are not current, the newest first.
   * @returns the days that remain, which the loop computes next
   */
  private async refresh({ accountId, since, until }: GetResultsCommand, now: number): Promise<string[]> {
    await this.addToday(accountId, since, until, now);
    const progress = await query<sql.DayProgress>(this.dataSource, sql.LIST_PROGRESS, [accountId, since, until]);
    const stale = progress.filter((day) => isStale(day, now)).map(({ day }) => day);
    const endsAt = now + REFRESH_BUDGET_MS;
    const checkTime = (): void => {
      if (Date.now() > endsAt) throw new OutOfTimeError();
    };
    const pending: string[] = [];
    for (const day of stale) if (!(await this.tryCompute({ accountId, day }, checkTime, now))) pending.push(day);
    if (pending.length > 0) await query(this.dataSource, sql.HURRY, [accountId, pending]);
    return pending;
  }

  /** Adds today, which the loop may not have found yet. */
  private async addToday(accountId: string, since: string, until: string, now: number): Promise<void> {
    const today = dayOf(now);
    if (today < since || today > until) return;
    const [row] = await query<{ has: boolean }>(this.dataSource, sql.HAS_MESSAGES, [
      accountId,
      firstIdAt('msg', Date.parse(today)),
    ]);
    if (row?.has) await query(this.dataSource, sql.ADD_DAYS, [accountId, [today]]);
  }

  /** @returns false if there is no time, or another process computes the day */
  private async tryCompute(of: AccountDay, checkTime: () => void, now: number): Promise<boolean> {
    try {
      checkTime();
      const isDue = ({ computedAt }: Progress): boolean => isStale({ day: of.day, computedAt, isFinal: false }, now);
      return await this.compute(of, { isDue, checkTime });
    } catch (error) {
      if (error instanceof OutOfTimeError) return false;
      throw error;
    }
  }

  /**
   * Computes a day in one transaction.
   * @param options.isDue false if another process has just computed the day
   * @param options.checkTime throws when there is no more time. If given, a day that another process computes is left
   * to it; otherwise waits for that process.
   * @returns true if the day is current
   */
  private compute(
    of: AccountDay,
    { isDue, checkTime }: { isDue: (progress: Progress) => boolean; checkTime?: () => void },
  ): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const place = [of.accountId, of.day];
      const [lock] = await tx.query<{ locked: boolean }>(checkTime ? sql.TRY_LOCK_DAY : sql.LOCK_DAY, place);
      if (!lock?.locked) return false;
      const [progress] = await tx.query<Progress>(sql.FIND_PROGRESS, place);
      if (!progress?.dueAt || !isDue(progress)) return true;
      await tx.query(sql.READ_IN_INDEX_ORDER);
      const counts = await countDay(tx, of, checkTime);
      const { removals, now } = progress;
      const finished = await tx.query(sql.FINISH_DAY, [...place, removals, now, nextAt(of.day, now.getTime())]);
      // Messages were deleted meanwhile, and their counts are kept separately. The day remains due.
      if (finished.length === 0) return false;
      await storeCounts(tx, of, counts, false);
      return true;
    });
  }

  private async partsOf(statement: string, params: unknown[]): Promise<Map<string, Map<string, number>>> {
    const parts = new Map<string, Map<string, number>>();
    const rows = await scanQuery<{ key: string; part: string; count: number }>(this.dataSource, statement, params);
    for (const { key, part, count } of rows) {
      const known = parts.get(key) ?? new Map<string, number>();
      parts.set(key, known.set(part, count));
    }
    return parts;
  }

  private async labelNames(accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await query<{ id: string; name: string }>(this.dataSource, sql.LABEL_NAMES, [accountId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

const isRecent = (day: string, now: number): boolean => day >= dayOf(now - DAY_MS);

function isStale({ day, computedAt, isFinal }: sql.DayProgress, now: number): boolean {
  if (isFinal) return false;
  return !computedAt || now - computedAt.getTime() >= (isRecent(day, now) ? STALE_MS.recent : STALE_MS.earlier);
}

/** Returns when to compute a day again: until a week after its end, because statuses and answers arrive late. */
function nextAt(day: string, now: number): Date | null {
  const finalAt = Date.parse(day) + DAY_MS + RESULT_OPEN_DAYS * DAY_MS;
  if (now >= finalAt) return null;
  return new Date(Math.min(finalAt, now + (isRecent(day, now) ? REFRESH_MS.recent : REFRESH_MS.earlier)));
}

function sumOf(days: readonly Figures[]): Figures {
  const total = { sent: 0, delivered: 0, read: 0, answered: 0, pressed: 0, failed: 0 };
  for (const day of days) for (const figure of Object.keys(total) as (keyof Figures)[]) total[figure] += day[figure];
  return total;
}
