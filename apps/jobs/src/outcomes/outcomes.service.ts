import { Inject, Injectable } from '@nestjs/common';
import { NUMBER_STOP_REASONS } from '@switchboard/contracts';
import { failsWholeBatch, GENERIC_PLAN, query, type Transaction, Transactions } from '@switchboard/database';
import { Batcher, CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { JobsConfig } from '../config';
import { type PausedJob, publishPaused, publishProgress } from '../jobs/job-events';
import { finishJobs } from './finish-jobs';
import { positionOf } from '../recipients/message-ids';
import { type JobChanges, mergeChanges } from './merge-changes';
import {
  CHANGES,
  HELD,
  LOCK_JOBS,
  MOVE_RECIPIENTS,
  PAUSE_FAILING_JOBS,
  PAUSE_HELD_JOBS,
  RECENT_OUTCOMES,
  SLOW_LANE,
  STOP_NUMBERS,
} from './outcomes.queries';

/** Maximum events per transaction. */
const MAX_EVENTS = 50;
/** Each transaction locks jobs, so more of them would wait for each other. */
const TRANSACTIONS_AT_A_TIME = 2;
/** Changes that arrive within this time are stored together. Short enough to keep the counts current. */
const EVERY_MS = 250;
/** Pause after throttling without a given duration. */
const DEFAULT_REST_MS = 1_000;

/** Stores the results of recipients. Rows only move to later states, and the counts follow. */
@Injectable()
export class OutcomesService {
  private readonly batches: Batcher<JobChanges, void>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: JobsConfig,
  ) {
    const work = async (items: JobChanges[]): Promise<void[]> => {
      await this.applyAll(items);
      return items.map(() => undefined);
    };
    this.batches = new Batcher(work, {
      maxItems: MAX_EVENTS,
      concurrency: TRANSACTIONS_AT_A_TIME,
      everyMs: EVERY_MS,
      isCommonFailure: failsWholeBatch,
    });
  }

  /** Resolves once the changes are stored. Idempotent. */
  async apply(job: JobChanges): Promise<void> {
    await this.slowDown(job);
    await this.batches.add(job);
  }

  /**
   * Slows the number down first, in a separate transaction, so that no further recipients are released at the old rate.
   * If the process crashes before this, the next throttling slows the number down.
   */
  private async slowDown({ jobId, changes }: JobChanges): Promise<void> {
    const throttled = changes.filter(({ status, scope }) => status === 'throttled' && scope !== 'recipient');
    if (throttled.length === 0) return;
    const restMs = Math.max(...throttled.map(({ retryAfterMs = DEFAULT_REST_MS }) => retryAfterMs));
    const ids = throttled.map(({ messageId }) => messageId);
    await query(this.dataSource, SLOW_LANE, [jobId, restMs, ids.map(positionOf), ids]);
  }

  private async applyAll(jobs: readonly JobChanges[]): Promise<void> {
    const jobIds = [...new Set(jobs.map(({ jobId }) => jobId))];
    await this.transactions.run(async (tx) => {
      tx.queue(GENERIC_PLAN);
      tx.queue(LOCK_JOBS, [jobIds]);
      const held = heldMessages(jobs);
      const ofNumbers = held.filter(({ reason }) => isNumberStop(reason));
      if (ofNumbers.length > 0) tx.queue(STOP_NUMBERS, HELD.parameters(ofNumbers));
      const changes = mergeChanges(jobs);
      if (changes.length > 0) tx.queue(MOVE_RECIPIENTS, CHANGES.parameters(changes));
      await this.pauseJobs(tx, jobs, held);
      await finishJobs(tx, jobIds);
      publishProgress(tx, jobs);
    });
  }

  private async pauseJobs(
    tx: Transaction,
    jobs: readonly JobChanges[],
    messages: readonly HeldMessage[],
  ): Promise<void> {
    const held = new Map(messages.map(({ jobId, reason }) => [jobId, reason]));
    const paused =
      held.size > 0 ? await tx.query<PausedJob>(PAUSE_HELD_JOBS, [[...held.keys()], [...held.values()]]) : [];
    const { JOBS_FAILURE_PERCENT: percent } = this.config;
    const isLimited = percent < 100 && jobs.some(({ changes }) => changes.some(({ status }) => status === 'failed'));
    const most = Math.floor((RECENT_OUTCOMES * percent) / 100);
    if (isLimited)
      paused.push(...(await tx.query<PausedJob>(PAUSE_FAILING_JOBS, [jobs.map(({ jobId }) => jobId), most])));
    for (const job of paused) publishPaused(tx, job);
  }
}

/** Returns true if the reason stops only the message's number, so that other numbers may continue. */
function isNumberStop(reason: string): boolean {
  return NUMBER_STOP_REASONS.some((each) => each === reason);
}

interface HeldMessage {
  jobId: string;
  messageId: string;
  position: number;
  businessNumber: string | null;
  reason: string;
}

function heldMessages(jobs: readonly JobChanges[]): HeldMessage[] {
  return jobs.flatMap(({ jobId, changes }) =>
    changes
      .filter(({ status }) => status === 'held')
      .map(({ messageId, heldNumber, reason = 'NUMBER_STOPPED' }) => ({
        jobId,
        messageId,
        position: positionOf(messageId) ?? -1,
        businessNumber: heldNumber ?? null,
        reason,
      })),
  );
}
