import { failureOf, inboundContent, type MessageRecord } from '@switchboard/contracts';

/**
 * A message as the API lists it (spec §5.1); its content stands under the name of its type, as in the request or in the
 * event.
 * @param publicBaseUrl where customers reach the API, without the version
 */
export function messageItem(record: MessageRecord, publicBaseUrl: string): Record<string, unknown> {
  const { id, upstreamId, direction, from, userId = null, to, name, caption, status, error, jobId, clientRef } = record;
  const { type, content } =
    direction === 'inbound' ? inboundContent(record.type, record.content, publicBaseUrl) : record;
  const { timestamp, createdAt, sentAt, deliveredAt, readAt, failedAt } = record;
  const head = { id, message_id: upstreamId, messageId: upstreamId, direction, from, userId, to, name, type };
  const tail = {
    caption,
    status,
    error: error && failureOf(error),
    jobId,
    clientRef,
    timestamp,
    createdAt,
    sentAt,
    deliveredAt,
    readAt,
    failedAt,
  };
  // The fixed fields win over an upstream type that bears the name of one of them.
  return content === undefined || type in head || type in tail
    ? { ...head, ...tail }
    : { ...head, [type]: content, ...tail };
}
