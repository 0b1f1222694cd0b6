import type { MessageRecord } from '@switchboard/contracts';
import type { MessageRow } from './messages.queries';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A stored message as the API shows it (decisions 5). */
export function toMessageRecord(row: MessageRow): MessageRecord {
  return {
    id: row.id,
    upstreamId: row.upstreamId,
    direction: row.direction,
    from: row.sender,
    to: row.recipient,
    name: row.profileName,
    type: row.type,
    content: row.content,
    status: row.state,
    // A failure that was overtaken by a delivery is no longer this message's error.
    error: row.state === 'failed' ? row.error : null,
    clientRef: row.clientRef,
    timestamp: (row.receivedAt ?? row.createdAt).toISOString(),
    createdAt: row.createdAt.toISOString(),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    readAt: iso(row.readAt),
    failedAt: iso(row.failedAt),
  };
}
