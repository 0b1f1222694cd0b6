import {
  type JobMessageChange,
  type JobRecipient,
  labelsOf,
  type MessageError,
  newId,
  type SendJobMessagesV1,
} from '@switchboard/contracts';
import { GENERIC_PLAN, type Transaction } from '@switchboard/database';
import { type FailedMessage, publishFailure } from '../messages/message-events';
import { keysOf } from '../people/person-keys';
import { captionOf, contentOf } from '../sends/message-content';
import { FAIL_UNSENT, UNSENT } from './unsent.queries';

/** A recipient whose message failed before it was submitted to the upstream platform, and the reason. */
export interface UnsentFailure {
  recipient: JobRecipient;
  error: MessageError;
}

/**
 * Records the failures and publishes them to the account when the transaction commits. The transaction must not change
 * other messages, because the rows derived from messages are locked in a consistent order only within a statement.
 * Existing messages stay unchanged, because they were published when they were written.
 * @returns the changes of the new messages, for the job
 */
export async function failUnsent(
  tx: Transaction,
  job: Omit<SendJobMessagesV1, 'recipients'>,
  failures: readonly UnsentFailure[],
): Promise<JobMessageChange[]> {
  const { accountId, jobId, message } = job;
  const unsent = failures.map(({ recipient, error }) => ({
    id: recipient.messageId,
    recipient: recipient.to,
    content: askedContent(message, recipient.components),
    ...labelsOf(recipient),
    error,
    ...keysOf(recipient.to),
    newContactId: newId('ct'),
  }));
  tx.queue(GENERIC_PLAN);
  const rows = await tx.queryPrepared<FailedMessage>(FAIL_UNSENT, [
    accountId,
    jobId,
    message.from ?? null,
    message.type,
    captionOf(message),
    ...UNSENT.parameters(unsent),
  ]);
  const errors = new Map(failures.map(({ recipient, error }) => [recipient.messageId, error]));
  return rows.flatMap((row) => {
    const error = errors.get(row.id);
    if (!error) return [];
    publishFailure(tx, row, error);
    return [{ messageId: row.id, status: 'failed' as const, upstreamId: null, error, at: row.failedAt.toISOString() }];
  });
}

/** Returns the content as the job requested it, without checking it against the template. */
function askedContent(message: SendJobMessagesV1['message'], components: JobRecipient['components']): object {
  const { template } = message;
  if (message.type !== 'template' || !template) return contentOf(message);
  return { ...template, ...(components && { components }) };
}
