import { Inject, Injectable } from '@nestjs/common';
import type { RunJobRetentionCommand, RunJobRetentionReply } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { Every, type Logger, LOGGER, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';

/** SQL condition: the job ended longer ago than the account's retention. $1 account, $2 days */
const OLD = 'account_id = $1 AND NOT is_open AND completed_at < now() - make_interval(days => $2::int)';

/**
 * Finds accounts with jobs that may be past their retention, whose minimum is one day.
 * $1 one account, or null for all
 */
const FIND_ACCOUNTS = `
  SELECT DISTINCT account_id AS "accountId" FROM jobs
  WHERE NOT is_open AND completed_at < now() - interval '1 day' AND ($1::text IS NULL OR account_id = $1)
  ORDER BY account_id`;

/** Counts by the totals of the jobs instead of their rows. Duplicates have no row. $1 account, $2 days */
const COUNT_OLD_JOBS = `SELECT count(*)::int AS jobs, COALESCE(sum(total - duplicates), 0)::float8 AS recipients FROM jobs WHERE ${OLD}`;

/**
 * Locks the oldest job. Skips locked jobs, such as one whose failed recipients are being retried.
 * $1 account, $2 days
 */
const LOCK_OLDEST_JOB = `SELECT id FROM jobs WHERE ${OLD} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** $1 account, $2 job */
const DELETE_RECIPIENTS = `
  WITH gone AS (DELETE FROM recipients WHERE account_id = $1 AND job_id = $2 RETURNING 1) SELECT count(*)::int
    AS count FROM gone`;

/** $1 account, $2 job */
const DELETE_MEDIA = 'DELETE FROM job_media WHERE account_id = $1 AND job_id = $2';

/** $1 account, $2 job */
const DELETE_NUMBERS = 'DELETE FROM job_numbers WHERE account_id = $1 AND job_id = $2';

/** $1 account, $2 job */
const DELETE_REGIONS = 'DELETE FROM job_regions WHERE account_id = $1 AND job_id = $2';

/** $1 account, $2 job */
const DELETE_JOB = 'DELETE FROM jobs WHERE account_id = $1 AND id = $2';

const EVERY_MS = 3_600_000;
/**
 * Limits of one step. The last job is deleted completely, so a step may exceed the limit of recipients. The reply
 * arrives well before the caller's deadline.
 */
const STEP_RECIPIENTS = 20_000;
const STEP_JOBS = 1_000;

type Removed = Omit<RunJobRetentionReply, 'done'>;
interface AccountDays {
  accountId: string;
  days: number;
}

/**
 * Deletes jobs that ended longer ago than their account retains messages, because recipients are phone numbers. The
 * messaging service returns the retention. Each job is deleted in one transaction, so that no partial job is visible.
 * Any number of processes may run this, and a killed process leaves no partial job.
 */
@Injectable()
export class RetentionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly messaging: MessagingClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns true if there is more to delete */
  @Every({ name: 'jobs.retention', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async removeOldJobs(): Promise<boolean> {
    return !(await this.runStep({ dryRun: false })).done;
  }

  /**
   * Runs one step, for one account or for all, or counts what all steps together would delete.
   * @throws AppError UNAVAILABLE when messaging does not respond
   */
  async runStep({ accountId, dryRun }: RunJobRetentionCommand): Promise<RunJobRetentionReply> {
    const reply: RunJobRetentionReply = { jobs: 0, recipients: 0, done: true };
    for (const account of await query<{ accountId: string }>(this.dataSource, FIND_ACCOUNTS, [accountId ?? null])) {
      const days = await this.daysOf(account.accountId);
      if (days === null) continue;
      if (dryRun) addTo(reply, await this.countOld({ ...account, days }));
      else await this.removeOld({ ...account, days }, reply);
      if (!reply.done) break;
    }
    if (!dryRun && reply.jobs > 0) this.logger.info({ accountId, ...reply }, 'jobs.removed');
    return reply;
  }

  /** Returns the retention in days. Null means forever. */
  private async daysOf(accountId: string): Promise<number | null> {
    return (await this.messaging.getAccountSettings({ accountId })).settings.messageDays;
  }

  private async countOld({ accountId, days }: AccountDays): Promise<Removed> {
    const [counted] = await query<Removed>(this.dataSource, COUNT_OLD_JOBS, [accountId, days]);
    return counted ?? { jobs: 0, recipients: 0 };
  }

  private async removeOld(account: AccountDays, reply: RunJobRetentionReply): Promise<void> {
    for (;;) {
      reply.done = reply.recipients < STEP_RECIPIENTS && reply.jobs < STEP_JOBS;
      if (!reply.done) return;
      const recipients = await this.removeOldest(account);
      if (recipients === undefined) return;
      addTo(reply, { jobs: 1, recipients });
    }
  }

  /** @returns the number of deleted recipients, or undefined if no unlocked job is past its retention */
  private removeOldest({ accountId, days }: AccountDays): Promise<number | undefined> {
    return this.transactions.run(async (tx) => {
      const [job] = await tx.query<{ id: string }>(LOCK_OLDEST_JOB, [accountId, days]);
      if (!job) return undefined;
      const [removed] = await tx.query<{ count: number }>(DELETE_RECIPIENTS, [accountId, job.id]);
      await tx.query(DELETE_MEDIA, [accountId, job.id]);
      await tx.query(DELETE_NUMBERS, [accountId, job.id]);
      await tx.query(DELETE_REGIONS, [accountId, job.id]);
      await tx.query(DELETE_JOB, [accountId, job.id]);
      return removed?.count ?? 0;
    });
  }
}

function addTo(sum: Removed, { jobs, recipients }: Removed): void {
  sum.jobs += jobs;
  sum.recipients += recipients;
}
