import {
  canonicalPhone,
  type JobMessageChange,
  type JobRecipient,
  type MessageError,
  newId,
  type SendJobMessagesV1,
} from '@switchboard/contracts';
import { PLAN_ONCE, type Transaction } from '@switchboard/database';
import { publishFailure } from '../sends/failed-send';
import { captionOf, contentOf } from '../sends/message-content';
import { FAIL_UNSENT, UNSENT, type UnsentMessage } from './unsent.queries';

/** A recipient whose message failed before it was handed to the upstream platform, and why. */
export interface UnsentFailure {
  recipient: JobRecipient;
  error: MessageError;
}

/**
 * Records the failures and reports each to the customer, when the transaction commits. Call it in a transaction without
 * other changes of messages: what is derived from messages is locked in one order per statement. A message that has a
 * record keeps it: it was reported by whoever wrote that.
 * @returns what the job may be told: the new records
 */
export async function failUnsent(
  tx: Transaction,
  job: Omit<SendJobMessagesV1, 'recipients'>,
  failures: readonly UnsentFailure[],
): Promise<JobMessageChange[]> {
  const { accountId, jobId, message } = job;
  const unsent = UNSENT.parameters(failures, {
    id: ({ recipient }) => recipient.messageId,
    recipient: ({ recipient }) => recipient.to,
    content: ({ recipient }) => askedContent(message, recipient.components),
    clientRef: ({ recipient }) => recipient.clientRef ?? null,
    phoneKey: ({ recipient }) => canonicalPhone(recipient.to),
    newContactId: () => newId('ct'),
  });
  tx.queue(PLAN_ONCE);
  const rows = await tx.queryPrepared<UnsentMessage>(FAIL_UNSENT, [
    accountId,
    jobId,
    message.from ?? null,
    message.type,
    captionOf(message),
    ...unsent,
  ]);
  const errors = new Map(failures.map(({ recipient, error }) => [recipient.messageId, error]));
  return rows.flatMap((row) => {
    const error = errors.get(row.id);
    if (!error) return [];
    publishFailure(tx, { ...row, accountId, jobId, upstreamId: null }, error);
    return [{ messageId: row.id, status: 'failed' as const, upstreamId: null, error, at: row.failedAt.toISOString() }];
  });
}

/** What was to be sent, as the job asked for it: nobody has checked it against its template. */
function askedContent(message: SendJobMessagesV1['message'], components: JobRecipient['components']): object {
  const { template } = message;
  if (message.type !== 'template' || !template) return contentOf(message);
  return { ...template, ...(components && { components }) };
}
