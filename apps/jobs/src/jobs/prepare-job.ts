import { AppError, type JobRow, mediaReferences } from '@switchboard/contracts';
import type { CheckedJob, JobCheck } from './job-check';
import type { NewJob } from './new-job';
import { withComponents } from './row-components';

/** Reads the rows of a checked job in batches. */
export type ReadRows = (checked: CheckedJob) => AsyncIterable<readonly JobRow[]>;

/**
 * Checks a job with the messaging service, unless the caller already has, and converts variable values to components.
 * @throws AppError with the error of a send
 */
export async function prepareJob<
  Given extends Pick<NewJob, 'accountId' | 'message' | 'numbers' | 'checked' | 'maxSpend'>,
>(jobCheck: JobCheck, given: Given): Promise<{ job: Given; checked: CheckedJob }> {
  const checked = given.checked ?? (await jobCheck.checkNumbers(given.accountId, given.message, given));
  const job = { ...given, message: withComponents(given.message, checked) };
  // Only the components show which files the variable values refer to.
  if (job.message !== given.message && mediaReferences(job.message).length > 0)
    await jobCheck.check(job.accountId, job.message);
  return { job, checked };
}

/** Time reserved for returning an error before the caller stops waiting. */
const ANSWER_MS = 2_000;

/** Returns the time at which a long creation gives up, so that the caller gets its error. */
export const giveUpAt = (deadline: number | undefined): number | undefined =>
  deadline === undefined ? undefined : deadline - ANSWER_MS;

/**
 * Throws if the caller's deadline has passed. The caller may already be repeating the request with another job id.
 * @throws AppError UNAVAILABLE
 */
export function refuseLate({ deadline }: Pick<NewJob, 'deadline'>): void {
  if (deadline !== undefined && deadline <= performance.now()) throw new AppError('UNAVAILABLE');
}
