import { AppError, mediaReferences } from '@switchboard/contracts';
import type { CheckedJob, JobCheck } from './job-check';
import type { NewJob } from './new-job';
import { withComponents } from './row-components';

/**
 * Checks a job with the messaging service, unless the caller has, and converts the values of its message to components.
 * @throws AppError with the error of a send
 */
export async function prepareJob<
  Given extends Pick<NewJob, 'accountId' | 'message' | 'numbers' | 'checked' | 'maxSpend'>,
>(jobCheck: JobCheck, given: Given): Promise<{ job: Given; checked: CheckedJob }> {
  const checked = given.checked ?? (await jobCheck.checkNumbers(given.accountId, given.message, given));
  const job = { ...given, message: withComponents(given.message, checked) };
  // Files in the values of variables become visible only in the components.
  if (job.message !== given.message && mediaReferences(job.message).length > 0)
    await jobCheck.check(job.accountId, job.message);
  return { job, checked };
}

/**
 * Throws if the caller has stopped waiting, because the caller may repeat the request with another job id.
 * @throws AppError UNAVAILABLE
 */
export function refuseLate({ deadline }: Pick<NewJob, 'deadline'>): void {
  if (deadline !== undefined && deadline <= performance.now()) throw new AppError('UNAVAILABLE');
}
