import { Inject, Injectable } from '@nestjs/common';
import {
  type EstimateSum,
  firstIdAt,
  ID_PATTERNS,
  isId,
  type JobQuietHours,
  type JobRecord,
  type ListJobsCommand,
  type ListJobsReply,
  notFound,
  type SumEstimatesCommand,
} from '@switchboard/contracts';
import { scanQuery, placeOf, query, seenPageOf, type SeenRow } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { JobsConfig } from '../config';
import { LIST_USED_MEDIA } from './create-job.queries';
import { expectedSeconds, totalRate } from '../pace/duration';
import { leftOf, type LimitedNumber } from '../pace/spread';
import { Clock } from '../quiet/clock';
import { quietSeconds, type RegionCount, waitingAt } from '../quiet/waiting';
import {
  COUNT_JOBS,
  countNamedJobsSql,
  FIND_LIMITS,
  FIND_REGIONS,
  GET_JOB,
  listJobsSql,
  SUM_ESTIMATES,
} from './jobs.queries';

const TIMES = ['createdAt', 'scheduledAt', 'startedAt', 'completedAt', 'expireAt'] as const;

/** A row of `JOB_COLUMNS`. */
export type JobRow = Omit<JobRecord, (typeof TIMES)[number]> &
  Record<(typeof TIMES)[number], Date | null> & { quietHours?: JobQuietHours | null };

/** Returns a job in the format of the API. */
function toJobRecord(row: JobRow): JobRecord {
  const times = Object.fromEntries(TIMES.map((name) => [name, row[name]?.toISOString() ?? null])) as Record<
    (typeof TIMES)[number],
    string
  >;
  const { from, to } = row.quietHours ?? {};
  const quietHours = from !== undefined && to !== undefined ? { from, to } : null;
  return {
    ...row,
    ...times,
    quietHours,
    waitingRecipients: null,
    waitingUntil: null,
    expectedSeconds: null,
    expectedEndAt: null,
  };
}

/** Statuses of a job that may still send. */
const OPEN_STATUSES: readonly JobRecord['status'][] = ['queued', 'processing', 'paused'];

/** Maximum number of jobs to count for an account, because no counter is stored. */
const COUNT_LIMIT = 10_000;

@Injectable()
export class JobsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<JobsConfig, 'JOBS_MAX_PACE'>,
  ) {}

  /**
   * Returns one job of the account. Reading its counts is cheap, because every change stores them.
   * @throws AppError NOT_FOUND, the same for an unknown id and for another account's job (spec §2.1.4)
   */
  async getJob(accountId: string, jobId: string): Promise<JobRecord> {
    const [job] = isId('job', jobId) ? await query<JobRow>(this.dataSource, GET_JOB, [accountId, jobId]) : [];
    if (!job) throw notFound('job');
    const record = toJobRecord(job);
    if (!OPEN_STATUSES.includes(job.status)) return record;
    const now = this.clock.now();
    const startAt = job.startedAt ? now : Math.max(now, job.scheduledAt?.getTime() ?? 0);
    const { quietHours: quiet } = job;
    const regions = quiet ? await query<RegionCount>(this.dataSource, FIND_REGIONS, [accountId, jobId]) : [];
    const waiting = quiet ? waitingAt(regions, quiet, startAt) : {};
    if (job.status !== 'processing' && job.pauseReason !== 'HELD') return { ...record, ...waiting };
    const end = await this.expectedEndOf(accountId, record, { now, startAt, regions, ...(quiet && { quiet }) });
    return { ...record, ...waiting, ...end };
  }

  /** Estimates when the last pending message is sent, assuming that no other job uses the numbers. */
  private async expectedEndOf(
    accountId: string,
    { jobId, template, pending = 0 }: JobRecord,
    { now, startAt, regions, quiet }: { now: number; startAt: number; regions: RegionCount[]; quiet?: JobQuietHours },
  ): Promise<Pick<JobRecord, 'expectedSeconds' | 'expectedEndAt'>> {
    const numbers = await query<LimitedNumber>(this.dataSource, FIND_LIMITS, [accountId, jobId]);
    const left = leftOf(numbers);
    const limits = numbers.map((number) => ({ ...number, remaining: left.get(number.phoneNumber) ?? null }));
    // Only templates start conversations, so only they count towards the messaging limit.
    const messages = { messages: pending, initiated: template === null ? 0 : pending };
    const { JOBS_MAX_PACE: maxPace } = this.config;
    const sending = expectedSeconds(messages, limits, maxPace);
    const waiting = quiet ? quietSeconds(regions, { quiet, at: startAt, rate: totalRate(limits, maxPace) }) : 0;
    if (sending === null || waiting === null) return { expectedSeconds: null, expectedEndAt: null };
    const seconds = Math.ceil((startAt - now) / 1_000) + Math.max(sending, waiting);
    return { expectedSeconds: seconds, expectedEndAt: new Date(now + seconds * 1_000).toISOString() };
  }

  /** Returns the sum of the stored estimates of the jobs that were created in a month. */
  async sumEstimates({ accountId, month, currency }: SumEstimatesCommand): Promise<EstimateSum> {
    const [sum] = await query<EstimateSum>(this.dataSource, SUM_ESTIMATES, [accountId, ...idsOf(month), currency]);
    return sum ?? { lowest: null, highest: null, unrated: 0, jobs: 0, messages: 0, withoutEstimate: 0 };
  }

  /** Returns the given uploaded files that unfinished jobs of the account use. */
  async listUsedMedia(accountId: string, mediaIds: readonly string[]): Promise<string[]> {
    const used = await query<{ mediaId: string }>(this.dataSource, LIST_USED_MEDIA, [accountId, mediaIds]);
    return used.map(({ mediaId }) => mediaId);
  }

  /**
   * Returns one page, newest first.
   * @throws AppError INVALID_PARAMETER for an invalid cursor, INVALID_VALUE for a page number that is too high
   */
  async listJobs(command: ListJobsCommand): Promise<ListJobsReply> {
    const { accountId, status = null } = command;
    const { after, offset, take } = placeOf(command, ID_PATTERNS.job);
    const total = await this.countJobs(command);
    if (total.totalIsExact && after === null && offset >= total.total)
      return { jobs: [], ...total, hasNext: false, nextCursor: null };
    const names = namesIn(command);
    const sql = listJobsSql({ offset, take }, { isNamed: names.length > 0 });
    const seen = await scanQuery<JobRow & SeenRow>(this.dataSource, sql, [
      accountId,
      status,
      after,
      ...rangeOf(command),
      ...names,
    ]);
    const { rows, ...next } = seenPageOf(seen, command, ({ jobId }) => jobId);
    return { jobs: rows.map(({ cutOffAt: _none, ...row }) => toJobRecord(row)), ...total, ...next };
  }

  private async countJobs(command: ListJobsCommand): Promise<Pick<ListJobsReply, 'total' | 'totalIsExact'>> {
    const { accountId, status = null } = command;
    const names = namesIn(command);
    const [counted] =
      names.length === 0
        ? await query<Counted>(this.dataSource, COUNT_JOBS, [accountId, status, COUNT_LIMIT + 1, ...rangeOf(command)])
        : await scanQuery<Counted>(this.dataSource, countNamedJobsSql(COUNT_LIMIT), [
            accountId,
            status,
            null,
            ...rangeOf(command),
            ...names,
          ]);
    const { total = 0, isCutOff = false } = counted ?? {};
    return { total: Math.min(total, COUNT_LIMIT), totalIsExact: total <= COUNT_LIMIT && !isCutOff };
  }
}

/** Returns the parameter of a search by name; none without a search. */
function namesIn({ partOfName, search = partOfName }: ListJobsCommand): string[] {
  return search === undefined ? [] : [search];
}

interface Counted {
  total: number;
  /** True if a bounded scan ended before the list. */
  isCutOff?: boolean;
}

const rangeOf = ({ month }: ListJobsCommand): [string, string] | [null, null] =>
  month === undefined ? [null, null] : idsOf(month);

/** Returns the first id of a month (UTC), and the first one after it. */
function idsOf(month: string): [string, string] {
  const next = new Date(`${month}-01`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return [firstIdAt('job', Date.parse(`${month}-01`)), firstIdAt('job', next)];
}
