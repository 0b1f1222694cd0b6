import { type AppError, type ErrorCode, type JobStatus, type PauseReason } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { CheckedJob } from './job-check';
import { LOCK_JOB, SET_NUMBERS } from './jobs.queries';

/** Errors that pause a job, or stop one of its numbers, until their cause is fixed. */
const PAUSING: Partial<Record<ErrorCode, PauseReason>> = {
  TEMPLATE_NOT_FOUND: 'TEMPLATE_NOT_APPROVED',
  TEMPLATE_NOT_APPROVED: 'TEMPLATE_NOT_APPROVED',
  TEMPLATE_PARAMS_MISMATCH: 'TEMPLATE_NOT_APPROVED',
  NUMBER_STOPPED: 'NUMBER_STOPPED',
};

/** Statuses of a job whose numbers may change. A paused job is resumed with them. */
const CAN_SEND: readonly JobStatus[] = ['queued', 'processing', 'paused'];

/** Returns the pause reason for an error; undefined if the job can never continue. */
export function pauseReasonOf({ code, status }: AppError): PauseReason | undefined {
  // The previous version reported a stopped number as an error of the upstream platform.
  return PAUSING[code] ?? (status >= 500 ? 'NUMBER_STOPPED' : undefined);
}

/**
 * Stores which numbers of a job can send, under the lock of the job. Changes nothing for a job with one number, or for
 * one that has since ended.
 */
export async function setNumbers(
  tx: Pick<Transaction, 'query'>,
  { accountId, jobId }: { accountId: string; jobId: string },
  { checked: { numbers = [] }, faults }: { checked: CheckedJob; faults: ReadonlyMap<string, AppError> },
): Promise<void> {
  if (numbers.length + faults.size === 0) return;
  const [job] = await tx.query<{ status: JobStatus }>(LOCK_JOB, [accountId, jobId]);
  if (!job || !CAN_SEND.includes(job.status)) return;
  const reasons = [...faults.values()].map((error) => pauseReasonOf(error) ?? 'NUMBER_STOPPED');
  await tx.query(SET_NUMBERS, [
    accountId,
    jobId,
    [...numbers.map(({ phoneNumber }) => phoneNumber), ...faults.keys()],
    [...numbers.map(() => null), ...reasons],
  ]);
}
