import { Injectable } from '@nestjs/common';
import {
  failJobMessagesV1,
  type JobError,
  type JobStatus,
  type MessageContent,
  type MessageError,
} from '@switchboard/contracts';
import { dueIn, query, type Transaction, Transactions } from '@switchboard/database';
import { Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { publishProgress } from '../jobs/job-events';
import { finishJobs } from '../outcomes/finish-jobs';
import {
  COUNT_RELEASED_REGIONS,
  endOfFresh,
  partsForMessaging,
  type PendingRecipient,
  regionCounts,
  STEP_BYTES,
  withMessageIds,
} from '../recipients/job-recipients';
import {
  CLOSE_RECIPIENTS,
  CLOSED,
  FIND_CLOSING_JOBS,
  FIND_UNREACHED,
  LOCK_CLOSING_JOB,
  NEXT_EXPIRY,
} from './lifecycle.queries';

const CLOSE_EVERY_MS = 500;

/** Recipients per transaction. Their job is locked during the transaction. */
const STEP_RECIPIENTS = 2_000;

/** Error of recipients that received no message before the job expired. */
export const JOB_EXPIRED: MessageError = {
  reason: 'JOB_EXPIRED',
  code: 0,
  title: 'Job expired',
  message: "the job's expireAt passed before this recipient was sent to",
  category: 'other',
  retriable: true,
};

interface Ids {
  accountId: string;
  jobId: string;
}

interface ClosingJob {
  status: JobStatus;
  error: JobError | null;
  message: MessageContent;
}

/** Ends the remaining recipients of a job that was cancelled, could not run, or has expired. */
@Injectable()
export class CloseJobs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Runs one step per job.
   * @returns true if there may be more recipients, or the time until the next job expires
   */
  @Every({ name: 'jobs.close', everyMs: CLOSE_EVERY_MS, restsWhenIdle: true })
  async closeSome(): Promise<boolean | number> {
    const jobs = await query<{ accountId: string; jobId: string }>(this.dataSource, FIND_CLOSING_JOBS);
    for (const { accountId, jobId } of jobs) {
      await this.transactions.run(async (tx) => {
        const [job] = await tx.query<ClosingJob>(LOCK_CLOSING_JOB, [accountId, jobId]);
        if (!job) return;
        if (job.status === 'cancelled') await cancelSome(tx, { accountId, jobId });
        else await failSome(tx, { accountId, jobId, message: job.message }, reasonOf(job.error));
        await finishJobs(tx, [jobId]);
        publishProgress(tx, [{ accountId, jobId }]);
      });
    }
    return jobs.length > 0 || dueIn(this.dataSource, NEXT_EXPIRY, CLOSE_EVERY_MS);
  }
}

function reasonOf(error: JobError | null): MessageError {
  return error
    ? { reason: error.code, code: 0, title: 'Job failed', message: error.message, category: 'other', retriable: false }
    : JOB_EXPIRED;
}

async function cancelSome(tx: Transaction, ids: Ids): Promise<void> {
  const unreached = await tx.query<PendingRecipient>(FIND_UNREACHED, [ids.jobId, STEP_RECIPIENTS, STEP_BYTES]);
  closeRecipients(tx, ids, unreached, null);
}

/**
 * Fails the recipients. Messaging records each as a message and publishes its event, as if the upstream platform had
 * rejected the message.
 */
async function failSome(
  tx: Transaction,
  { accountId, jobId, message }: Ids & { message: MessageContent },
  error: MessageError,
): Promise<void> {
  const unreached = await tx.query<PendingRecipient>(FIND_UNREACHED, [jobId, STEP_RECIPIENTS, STEP_BYTES]);
  const failed = withMessageIds(unreached);
  closeRecipients(tx, { accountId, jobId }, failed, error);
  for (const recipients of partsForMessaging(failed))
    tx.enqueue(failJobMessagesV1, { accountId, jobId, message, recipients, error });
}

function closeRecipients(
  tx: Transaction,
  { accountId, jobId }: Ids,
  closed: readonly PendingRecipient[],
  error: MessageError | null,
): void {
  tx.queue(COUNT_RELEASED_REGIONS, [accountId, jobId, ...regionCounts(closed)]);
  tx.queue(CLOSE_RECIPIENTS, [
    accountId,
    jobId,
    error ? 'failed' : 'cancelled',
    error && JSON.stringify(error),
    endOfFresh(closed),
    ...CLOSED.parameters(closed),
  ]);
}
