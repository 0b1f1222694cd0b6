import { Inject, Injectable } from '@nestjs/common';
import {
  JOB_MESSAGES_MAX,
  type JobQuietHours,
  jsonBytes,
  type MessageContent,
  sendJobMessagesV1,
  type SpendLimit,
} from '@switchboard/contracts';
import { dueIn, GENERIC_PLAN, preparedQuery, type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { JobsConfig } from '../config';
import { Clock } from '../quiet/clock';
import { openingOf } from '../quiet/quiet-hours';
import {
  COUNT_RELEASED_REGIONS,
  endOfFresh,
  partsForMessaging,
  type PendingRecipient,
  regionCounts,
  STEP_BYTES,
  withMessageIds,
} from '../recipients/job-recipients';
import { advancePace, carryOver, type Pace, type PaceFacts, windowOf } from '../pace/pace';
import {
  COUNT_TAKEN,
  END_ROUND,
  FIND_MESSAGE,
  FIND_NEXT_LANE,
  FIND_PENDING,
  FIND_PENDING_IN_REGIONS,
  FIND_REGIONS_OF_JOBS,
  FIND_SPREADS,
  LOCK_JOBS_OF_LANE,
  NEXT_REST_END,
  RELEASE_RECIPIENTS,
  RELEASED,
  TAKE_LANE,
  WAIT_UNTIL,
} from './release.queries';
import { sharesOf } from './shares';
import { leftOf, type SpreadNumber, spreadShare } from '../pace/spread';

/** Maximum delay until a started or resumed job, or a number whose pause has ended, is noticed. */
const LOOK_EVERY_MS = 200;
/** Maximum number of business numbers for which a process releases concurrently. */
const NUMBERS_AT_A_TIME = 2;

/** Interval between rounds of a number: short enough for an even rate, long enough for tasks of useful size. */
const ROUND_MS = 200;
/** Interval of a number without a rate limit, which waits only for results. */
const FREE_ROUND_MS = 25;
/** Delay when another process has locked the due number. */
const WHILE_HELD_MS = 50;
/** Minimum number of recipients per round while results are awaited, to avoid small tasks. */
const WORTH_A_ROUND = JOB_MESSAGES_MAX;

interface Lane extends PaceFacts {
  accountId: string;
  phoneNumber: string;
  turn: string | null;
}

interface OpenJob {
  id: string;
  status: string;
  pending: number;
  released: number;
  /** True if the job has several numbers. */
  isShared: boolean;
  isTemplate: boolean;
  quietHours: JobQuietHours | null;
  /** Time until which all recipients have quiet hours. */
  waitingUntil: Date | null;
  /** Regions that the job may send to now; absent if it has no quiet hours. */
  regions?: readonly string[];
  /** Numbers that currently send for the job; absent if it has only one. */
  numbers?: readonly SpreadNumber[];
}

interface Released {
  recipients: number;
  bytes: number;
}

/** Releases recipients to messaging at the pace of their number. */
@Injectable()
export class ReleaseService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: JobsConfig,
  ) {}

  /**
   * Runs one round of a due number: stores rows, counts and tasks in one transaction. If the process dies during it,
   * nothing is stored.
   * @returns true after a round, false when no number has work, or the milliseconds until the next check
   */
  @Every({ name: 'release', everyMs: LOOK_EVERY_MS, parallel: NUMBERS_AT_A_TIME, restsWhenIdle: true })
  async releaseNext(): Promise<boolean | number> {
    const now = this.clock.now();
    const [next] = await preparedQuery<{ dueInMs: number }>(this.dataSource, FIND_NEXT_LANE, [new Date(now)]);
    if (!next) return dueIn(this.dataSource, NEXT_REST_END, LOOK_EVERY_MS, [new Date(now)]);
    if (next.dueInMs > 0) return Math.ceil(next.dueInMs);
    return this.transactions.run(async (tx) => {
      const [lane] = await tx.queryPrepared<Lane>(TAKE_LANE, [new Date(now)]);
      // Another process has locked the number. The next number may be due before that round ends.
      if (!lane) return WHILE_HELD_MS;
      tx.queue(GENERIC_PLAN);
      await this.release(tx, lane, now);
      return true;
    });
  }

  private async release(tx: Transaction, lane: Lane, now: number): Promise<void> {
    const { accountId, phoneNumber } = lane;
    const locked = await withoutQuietRegions(
      tx,
      await tx.queryPrepared<OpenJob>(LOCK_JOBS_OF_LANE, [accountId, phoneNumber]),
      { accountId, now },
    );
    const { allowed, ...pace } = advancePace(lane, this.config.JOBS_MAX_PACE);
    const jobs = await partsOfNumber(tx, lane, { jobs: locked, roundWorth: Math.ceil((pace.rate * ROUND_MS) / 1_000) });
    const shares = sharesOf(
      jobs.filter(({ status }) => status === 'processing'),
      Math.min(allowed, this.roomOf(pace, jobs)),
      lane.turn,
    );
    let [released, bytes] = [0, 0];
    for (const { job, share } of shares) {
      const step = await releaseJob(tx, lane, job, { recipients: share, bytes: STEP_BYTES - bytes });
      released += step.recipients;
      bytes += step.bytes;
      if (bytes >= STEP_BYTES) break; // The next round continues.
    }
    const carry = carryOver(pace, allowed - released);
    tx.queue(END_ROUND, {
      accountId,
      phoneNumber,
      rate: pace.rate,
      carry,
      turn: shares[0]?.job.id ?? lane.turn,
      released,
      pauseMs: this.config.JOBS_MAX_PACE === 0 ? FREE_ROUND_MS : ROUND_MS,
    });
  }

  /** Returns how many more recipients of the number may be released without a result. */
  private roomOf({ rate }: Pace, jobs: readonly OpenJob[]): number {
    const outstanding = jobs.reduce((sum, { released }) => sum + released, 0);
    const pending = jobs.reduce((sum, job) => sum + job.pending, 0);
    const window = windowOf(rate, this.config.JOBS_MAX_OUTSTANDING);
    const room = Math.max(window - outstanding, 0);
    return room < Math.min(WORTH_A_ROUND, pending, window / 4) ? 0 : room;
  }
}

/**
 * Reduces the counts of jobs with quiet hours to the recipients that they may send to now. If all recipients of a job
 * wait, stores until when.
 */
async function withoutQuietRegions(
  tx: Transaction,
  jobs: readonly OpenJob[],
  { accountId, now }: { accountId: string; now: number },
): Promise<readonly OpenJob[]> {
  const open = jobs.map((job) => (isWaiting(job, now) ? { ...job, pending: 0 } : job));
  const quiet = open.filter(({ quietHours, status, pending }) => quietHours && status === 'processing' && pending > 0);
  if (quiet.length === 0) return open;
  const rows = await tx.queryPrepared<{ jobId: string; region: string; pending: number }>(FIND_REGIONS_OF_JOBS, [
    accountId,
    quiet.map(({ id }) => id),
  ]);
  return open.map((job) => {
    const { quietHours } = job;
    if (!quietHours || !quiet.includes(job)) return job;
    const regions = rows
      .filter(({ jobId }) => jobId === job.id)
      .map((row) => ({ ...row, opening: openingOf(row.region, quietHours, now) }));
    const allowed = regions.filter(({ opening }) => opening <= now);
    const next = Math.min(...regions.map(({ opening }) => opening));
    if (allowed.length === 0 && regions.length > 0) tx.queue(WAIT_UNTIL, [accountId, job.id, new Date(next)]);
    return {
      ...job,
      pending: Math.min(
        job.pending,
        allowed.reduce((sum, { pending }) => sum + pending, 0),
      ),
      regions: [...new Set(allowed.map(({ region }) => region))],
    };
  });
}

const isWaiting = ({ status, waitingUntil }: OpenJob, now: number): boolean =>
  status === 'processing' && waitingUntil !== null && waitingUntil.getTime() > now;

/** Reduces the counts of jobs with several numbers to this number's share. */
async function partsOfNumber(
  tx: Transaction,
  { accountId, phoneNumber }: Lane,
  { jobs, roundWorth }: { jobs: readonly OpenJob[]; roundWorth: number },
): Promise<readonly OpenJob[]> {
  const shared = jobs.filter(({ isShared }) => isShared);
  if (shared.length === 0) return jobs;
  const rows = await tx.queryPrepared<SpreadNumber & { jobId: string }>(FIND_SPREADS, [
    accountId,
    shared.map(({ id }) => id),
  ]);
  return jobs.map((job) => {
    if (!job.isShared) return job;
    const numbers = rows.filter(({ jobId }) => jobId === job.id);
    const own = numbers.find((number) => number.phoneNumber === phoneNumber);
    // Only business-initiated messages count towards the limit.
    const left = job.isTemplate ? leftOf(numbers) : new Map<string, number>();
    const share = spreadShare(phoneNumber, { numbers, left, pending: job.pending, roundWorth });
    return {
      ...job,
      numbers,
      pending: Math.min(job.pending, share),
      // The previous version did not count by number.
      released: Math.min(job.released, own?.released ?? 0),
    };
  });
}

async function releaseJob(
  tx: Transaction,
  { accountId, phoneNumber }: Lane,
  { id: jobId, isTemplate, numbers, regions }: OpenJob,
  most: Released,
): Promise<Released> {
  const wanted = [jobId, most.recipients, most.bytes, phoneNumber];
  const pending = regions
    ? await tx.queryPrepared<PendingRecipient>(FIND_PENDING_IN_REGIONS, [...wanted, regions])
    : await tx.queryPrepared<PendingRecipient>(FIND_PENDING, wanted);
  const [job] = await tx.queryPrepared<{ message: MessageContent; maxSpend: SpendLimit | null }>(FIND_MESSAGE, [
    accountId,
    jobId,
  ]);
  if (!job || pending.length === 0) return { recipients: 0, bytes: 0 };
  const next = withMessageIds(pending);
  const number = numbers ? phoneNumber : null;
  tx.queue(RELEASE_RECIPIENTS, [accountId, jobId, endOfFresh(next), number, ...RELEASED.parameters(next)]);
  if (regions) tx.queue(COUNT_RELEASED_REGIONS, [accountId, jobId, ...regionCounts(next)]);
  if (numbers) tx.queue(COUNT_TAKEN, [accountId, jobId, phoneNumber, next.length]);
  const message = numbers ? { ...job.message, from: phoneNumber } : job.message;
  // Any number can send a template. Other messages must come from a number that the recipient has messaged.
  const others = numbers && !isTemplate ? { numbers: numbers.map((other) => other.phoneNumber) } : {};
  for (const recipients of partsForMessaging(next))
    tx.enqueue(sendJobMessagesV1, {
      accountId,
      jobId,
      message,
      recipients,
      ...others,
      ...(job.maxSpend && { maxSpend: job.maxSpend }),
    });
  return { recipients: next.length, bytes: next.reduce((sum, { bytes }) => sum + bytes, jsonBytes(message)) };
}
