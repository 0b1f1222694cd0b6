import type { MessageError } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { FORGET_UPLOADS_OF } from './upload.queries';

/** Message after statuses were applied. */
interface ReportedOutcome {
  id: string;
  failedAt: Date | null;
  error: MessageError | null;
}

/**
 * Forgets the uploads of files because of which the platform failed a message after accepting it, as it may no longer
 * have them. The next message with such a file uploads it again.
 */
export async function forgetRejectedUploads(
  tx: Pick<Transaction, 'query'>,
  outcomes: readonly ReportedOutcome[],
): Promise<void> {
  const ids = outcomes.flatMap(({ id, failedAt, error }) => (failedAt && error?.category === 'media' ? [id] : []));
  if (ids.length > 0) await tx.query(FORGET_UPLOADS_OF, [ids]);
}
