import {
  AppError,
  type JobRecord,
  type JobStatus,
  parseBody,
  RemoveNumberCommand,
  type RemoveNumberReply,
} from '@switchboard/contracts';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { Operator } from '../commands/operator';

const OPEN: JobStatus[] = ['queued', 'processing', 'paused'];
const PAGE = 100;

export interface NumberRemoval {
  accountId: string;
  phoneNumber: string;
  /** True to report the effects without making changes. */
  dryRun: boolean;
}

/** Result of a removal; `removed` is false in a dry run. */
export interface RemovedNumber extends Omit<RemoveNumberReply, 'id'> {
  numberId: string;
  openJobs: string[];
  removed: boolean;
}

/**
 * Removes a number from an account.
 * @throws AppError NOT_FOUND; INVALID_PARAMETER while a bulk job sends from the number or the outcome of some of its
 * messages is unknown
 */
export async function removeNumber(
  operator: Operator,
  { accountId, phoneNumber, dryRun }: NumberRemoval,
): Promise<RemovedNumber> {
  const request = parseBody(RemoveNumberCommand, { accountId, phoneNumber, dryRun: true });
  const { id: numberId, ...standing } = await operator.messaging.removeNumber(request);
  const openJobs = await openJobsOf(operator, accountId, phoneNumber);
  if (dryRun) return { numberId, ...standing, openJobs, removed: false };
  if (openJobs.length > 0) {
    throw new AppError('INVALID_PARAMETER', {
      message: `bulk jobs send from this number: ${openJobs.join(', ')}; let them end or cancel them (jobs cancel)`,
    });
  }
  const changes = await operator.get(AuditedChanges);
  const entry = {
    accountId,
    actor: operator.actor,
    action: 'number.remove',
    target: phoneNumber,
    details: { numberId },
  };
  const { unsettled, unfetchedMedia, primary } = await changes.request(
    entry,
    RemoveNumberCommand,
    { phoneNumber, dryRun: false },
    (command) => operator.messaging.removeNumber(command),
  );
  return { numberId, phoneNumber, unsettled, unfetchedMedia, primary, openJobs, removed: true };
}

/** Returns the ids of unfinished jobs, including scheduled ones, that send from the number. */
async function openJobsOf(operator: Operator, accountId: string, phoneNumber: string): Promise<string[]> {
  const found: JobRecord[] = [];
  for (const status of OPEN) {
    for (let cursor: string | undefined; ; ) {
      const { jobs, nextCursor } = await operator.jobs.listJobs({
        accountId,
        page: 1,
        limit: PAGE,
        cursor,
        status,
      });
      found.push(...jobs.filter(({ from }) => from === phoneNumber));
      if (!nextCursor) break;
      cursor = nextCursor;
    }
  }
  return found.map(({ jobId }) => jobId);
}
