import type { MessageRecord } from '@switchboard/contracts';

/** A message as the API lists it (decisions 5); its content stands under the name of its type, as in the request. */
export function messageItem(record: MessageRecord): Record<string, unknown> {
  const { id, upstreamId, direction, from, to, name, type, content, caption, status, error, jobId, clientRef } = record;
  const { timestamp, createdAt, sentAt, deliveredAt, readAt, failedAt } = record;
  const head = { id, message_id: upstreamId, messageId: upstreamId, direction, from, to, name, type };
  const tail = { caption, status, error, jobId, clientRef, timestamp, createdAt, sentAt, deliveredAt, readAt, failedAt };
  // The fixed fields win over an upstream type that bears the name of one of them.
  return type in head || type in tail ? { ...head, ...tail } : { ...head, [type]: content, ...tail };
}
