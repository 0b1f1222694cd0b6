import { Inject, Injectable } from '@nestjs/common';
import { AppError, ESTIMATED_SENDS_MAX, type StoredEstimate } from '@switchboard/contracts';
import { dueIn, query, type Transaction, Transactions } from '@switchboard/database';
import { Every, LOGGER, type Logger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { publishProgress } from '../jobs/job-events';
import { type EstimatedRecipient, EstimateTally } from './estimate-tally';
import { SendEstimator } from './send-estimator';
import { CLAIM_ESTIMATE, NEXT_ESTIMATE, READ_ESTIMATED, STORE_ESTIMATE } from './store-estimates.queries';

/** Short, so that the estimate does not see the first results of the job itself. */
const EVERY_MS = 200;
/** Less than the claim, so that no other process starts the same estimate. */
const LONGEST_MS = 40_000;

interface DueJob {
  accountId: string;
  jobId: string;
  /** Number to send from, or the first of several. */
  from: string;
  /** Category of the template; null for other messages. */
  category: string | null;
  isCapped: boolean;
  scheduledAt: Date | null;
  createdAt: Date;
  isTooOld: boolean;
  /** Numbers of the job if it has several. */
  numbers: string[];
}

/**
 * Estimates jobs asynchronously, so creating a job does not wait. If the process dies, another one repeats the
 * estimate. If no price can be determined, the job has no estimate and still runs.
 */
@Injectable()
export class StoreEstimates {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly estimator: SendEstimator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns true if there may be more, or the time until the next one is due */
  @Every({ name: 'jobs.estimates', everyMs: EVERY_MS, restsWhenIdle: true })
  async storeNext(signal: AbortSignal): Promise<boolean | number> {
    const [job] = await query<DueJob>(this.dataSource, CLAIM_ESTIMATE);
    if (!job) return dueIn(this.dataSource, NEXT_ESTIMATE, EVERY_MS);
    const { accountId, jobId } = job;
    try {
      const estimate = job.isTooOld ? null : await this.estimateOf(job, signal);
      // At shutdown, another process repeats the estimate after the claim has ended.
      if (signal.aborted) return false;
      await this.transactions.run((tx) => store(tx, job, estimate));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Messaging did not respond. The estimate is repeated after the claim has ended.
      if (error.code === 'UNAVAILABLE') return true;
      this.logger.info({ accountId, jobId, code: error.code }, 'job.not-estimated');
      await this.transactions.run((tx) => store(tx, job, null));
    }
    return true;
  }

  /** Returns null if the price is unknown, or takes too long. */
  private async estimateOf(job: DueJob, signal: AbortSignal): Promise<StoredEstimate | null> {
    const { accountId, jobId, from, category, numbers, isCapped, scheduledAt, createdAt } = job;
    const endAt = performance.now() + LONGEST_MS;
    const at = new Date(Math.max(scheduledAt?.getTime() ?? 0, createdAt.getTime())).toISOString();
    const sends = {
      accountId,
      from,
      at,
      isCapped,
      ...(numbers.length > 0 && { numbers }),
      ...(category !== null && { category }),
    };
    // Before the recipients, because the messages of the job use up the free ones.
    const capacity = await this.estimator.capacityOf(sends, { skipsRemaining: true });
    const tally = new EstimateTally();
    for (let after = -1; ; ) {
      const part = await query<EstimatedRecipient>(this.dataSource, READ_ESTIMATED, [
        accountId,
        jobId,
        after,
        ESTIMATED_SENDS_MAX,
      ]);
      const last = part.at(-1);
      if (!last) break;
      if (signal.aborted || performance.now() > endAt) return null;
      await this.estimator.add(tally, sends, part);
      after = last.position;
    }
    const { currency, price, free } = tally.result(capacity);
    if (currency === null || price.lowest === null) return null;
    const freeMessages = free.reduce((sum, each) => sum + each.messages, 0);
    return {
      currency,
      ...price,
      messages: tally.messages,
      free: freeMessages,
      charged: tally.messages - freeMessages,
      estimatedAt: new Date().toISOString(),
    };
  }
}

async function store(tx: Transaction, { accountId, jobId }: DueJob, estimate: StoredEstimate | null): Promise<void> {
  await tx.query(STORE_ESTIMATE, [accountId, jobId, estimate && JSON.stringify(estimate)]);
  // Open pages show the estimate.
  if (estimate) publishProgress(tx, [{ accountId, jobId }]);
}
