import { Inject, Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { activity, CONFIG, Every } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import type { JobsConfig } from '../config';
import type { Change } from '../outcomes/merge-changes';
import { OutcomesService } from '../outcomes/outcomes.service';
import { ADVANCE_SETTLED, FIND_OVERDUE, FIND_WAITING_JOBS } from './lifecycle.queries';

const RECONCILE_EVERY_MS = 2_000;

/** Maximum number of recipients to query per job and run, and maximum number of concurrent queries. */
const MOST_PER_JOB = 200;
const AT_A_TIME = 20;

/**
 * Queries messaging about recipients whose result is overdue, because the event or the task may be lost. If no message
 * was sent, the recipient is released again with the same message id, so that a late task sends nothing twice.
 */
@Injectable()
export class ReconcileOverdue {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messaging: MessagingClient,
    private readonly outcomes: OutcomesService,
    @Inject(CONFIG) private readonly config: JobsConfig,
  ) {}

  /** @throws AppError UNAVAILABLE when messaging does not respond; the next run repeats the query */
  @Every({ name: 'jobs.reconcile', everyMs: RECONCILE_EVERY_MS, restsWhenIdle: true })
  async reconcileSome(): Promise<void> {
    const waiting = await query<{ accountId: string; jobId: string }>(this.dataSource, FIND_WAITING_JOBS);
    if (waiting.length > 0) activity.note();
    for (const job of waiting) {
      const { accountId, jobId } = job;
      await query(this.dataSource, ADVANCE_SETTLED, [accountId, jobId]);
      const overdue = await query<{ messageId: string }>(this.dataSource, FIND_OVERDUE, [
        accountId,
        jobId,
        this.config.JOBS_RESULT_GRACE_SECONDS,
        MOST_PER_JOB,
      ]);
      for (let from = 0; from < overdue.length; from += AT_A_TIME) {
        const changes = await Promise.all(
          overdue.slice(from, from + AT_A_TIME).map(({ messageId }) => this.outcomeOf(accountId, messageId)),
        );
        await this.outcomes.apply({ accountId, jobId, changes });
      }
    }
  }

  private async outcomeOf(accountId: string, messageId: string): Promise<Change> {
    const { state: status, upstreamId, error } = await this.messaging.getSend({ accountId, messageId });
    return { messageId, status, upstreamId, error, at: new Date().toISOString() };
  }
}
