import type { RecipientRecord } from '@switchboard/contracts';

/** A recipient as the API shows it: one error, whether it was refused by us or has failed, and the upstream's id under both names. */
export function recipientItem({ upstreamId, refusal, error, id, index, phone, status, clientRef, ...times }: RecipientRecord): object {
  return { index, phone, status, id, message_id: upstreamId, messageId: upstreamId, clientRef, error: error ?? refusal, ...times };
}
