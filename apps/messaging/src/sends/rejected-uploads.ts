import type { MessageError } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { FORGET_UPLOADS_OF } from './upload.queries';

/** State of a message after its statuses were applied. */
interface ReportedOutcome {
  id: string;
  failedAt: Date | null;
  error: MessageError | null;
}

/**
 * Deletes the stored media ids of files if the platform accepted a message and then failed it with a media error. The
 * platform may have lost the file, so the next message uploads it again.
 */
export async function forgetRejectedUploads(
  tx: Pick<Transaction, 'query'>,
  outcomes: readonly ReportedOutcome[],
): Promise<void> {
  const ids = outcomes.flatMap(({ id, failedAt, error }) => (failedAt && error?.category === 'media' ? [id] : []));
  if (ids.length > 0) await tx.query(FORGET_UPLOADS_OF, [ids]);
}
