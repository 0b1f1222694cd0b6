import { Injectable } from '@nestjs/common';
import { failJobMessagesV1, inParts, JOB_MESSAGES_MAX, type JobError, type JobStatus, type MessageContent, type MessageError, PART_BYTES, type TemplateComponent } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { finishJobs } from '../outcomes/finish-jobs';
import { messageIdOf } from '../recipients/message-ids';
import { CLOSE_RECIPIENTS, FIND_CLOSING_JOBS, FIND_UNREACHED, LOCK_CLOSING_JOB } from './upkeep.queries';

/** Recipients of one transaction, which holds their job meanwhile. */
const STEP_RECIPIENTS = 2_000;

/** Why recipients failed whom a job did not reach in time. */
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

interface Unreached {
  position: number;
  phone: string;
  clientRef: string | null;
  components: TemplateComponent[] | null;
  /** Of those who were released before. */
  messageId: string | null;
  isReturned: boolean;
}

/** Gives those their final state who will not be sent to any more: the job was cancelled, could not run, or has expired. */
@Injectable()
export class CloseJobs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** One step of each. @returns whether there may be more to do */
  async closeSome(): Promise<boolean> {
    const jobs = await query<{ accountId: string; jobId: string }>(this.dataSource, FIND_CLOSING_JOBS);
    for (const { accountId, jobId } of jobs) {
      await this.transactions.run(async (tx) => {
        const [job] = await tx.query<ClosingJob>(LOCK_CLOSING_JOB, [accountId, jobId]);
        if (!job) return;
        if (job.status === 'cancelled') await cancelSome(tx, { accountId, jobId });
        else await failSome(tx, { accountId, jobId, message: job.message }, reasonOf(job.error));
        await finishJobs(tx, [jobId]);
      });
    }
    return jobs.length > 0;
  }
}

function reasonOf(error: JobError | null): MessageError {
  return error ? { reason: error.code, code: 0, title: 'Job failed', message: error.message, category: 'other', retriable: false } : JOB_EXPIRED;
}

async function cancelSome(tx: Transaction, ids: Ids): Promise<void> {
  const unreached = await tx.query<Unreached>(FIND_UNREACHED, [ids.jobId, STEP_RECIPIENTS]);
  closeRecipients(tx, ids, unreached, null);
}

/** Each of them gets a record among the messages and an event, as if the upstream platform had refused it: messaging writes both. */
async function failSome(tx: Transaction, { accountId, jobId, message }: Ids & { message: MessageContent }, error: MessageError): Promise<void> {
  const unreached = await tx.query<Unreached>(FIND_UNREACHED, [jobId, STEP_RECIPIENTS]);
  const now = Date.now();
  const failed = unreached.map((row) => ({ ...row, messageId: row.messageId ?? messageIdOf(row.position, now) }));
  closeRecipients(tx, { accountId, jobId }, failed, error);
  const recipients = failed.map(({ messageId, phone: to, components, clientRef }) => ({
    messageId,
    to,
    ...(components && { components }),
    ...(clientRef !== null && { clientRef }),
  }));
  for (const part of inParts(recipients, { items: JOB_MESSAGES_MAX, bytes: PART_BYTES })) {
    tx.enqueue(failJobMessagesV1, { accountId, jobId, message, recipients: part, error });
  }
}

function closeRecipients(tx: Transaction, { accountId, jobId }: Ids, closed: readonly Unreached[], error: MessageError | null): void {
  const closedTo = Math.max(0, ...closed.filter(({ isReturned }) => !isReturned).map(({ position }) => position + 1));
  const columns = [closed.map(({ position }) => position), closed.map(({ messageId }) => messageId)];
  tx.queue(CLOSE_RECIPIENTS, [accountId, jobId, error ? 'failed' : 'cancelled', error && JSON.stringify(error), ...columns, closedTo]);
}
