import { labelsOf, type MessageRecord, phoneOfPerson, timeOfId } from '@switchboard/contracts';
import type { MessageRow } from './messages.queries';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A stored message as the API shows it (spec §5.1). */
export function toMessageRecord(row: MessageRow): MessageRecord {
  return {
    id: row.id,
    upstreamId: row.upstreamId,
    direction: row.direction,
    ...senderOf(row),
    to: row.direction === 'outbound' ? phoneOfPerson(row.recipient) : row.recipient,
    username: row.username,
    contactName: row.contactName,
    type: row.type,
    content: row.content,
    caption: row.caption ?? captionOf(row.content),
    context: row.context,
    referral: row.referral,
    errors: row.errors,
    status: isOpen(row.state) ? 'unknown' : row.state,
    // A failure that was overtaken by a delivery is no longer this message's error.
    error: row.state === 'failed' ? row.error : null,
    pricing: row.pricing,
    // Whatever the platform reports of it ends the hold.
    held: row.state === 'accepted' && row.heldReason !== null,
    jobId: row.jobId,
    ...labelsOf(row),
    // To the second the time by which lists are ordered and by which `since` and `until` judge; a customer's message
    // was written then.
    timestamp: (row.receivedAt ?? timeOfId('msg', row.id) ?? row.createdAt).toISOString(),
    createdAt: row.createdAt.toISOString(),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    readAt: iso(row.readAt),
    failedAt: iso(row.failedAt),
    editedAt: iso(row.editedAt),
    deletedAt: iso(row.deletedAt),
    groupId: row.groupId,
    origin: row.origin,
  };
}

/** As the event of a customer's message names them (spec §5.1.6). */
function senderOf({
  direction,
  sender,
  recipient,
  userId,
  profileName,
}: MessageRow): Pick<MessageRecord, 'from' | 'userId' | 'name'> {
  if (direction === 'outbound')
    return { from: sender, userId: phoneOfPerson(recipient) === null ? recipient : null, name: profileName };
  const from = phoneOfPerson(sender);
  return { from, userId: from === null ? sender : userId, name: profileName ?? '' };
}

/** The upstream platform has not answered yet, or its answer was lost. */
function isOpen(state: string): boolean {
  return state === 'sending' || state === 'unknown';
}

/** Customers' media carry their caption inside. */
function captionOf(content: object | null): string | null {
  return content && 'caption' in content && typeof content.caption === 'string' ? content.caption : null;
}
