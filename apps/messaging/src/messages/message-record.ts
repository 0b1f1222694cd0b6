import { labelsOf, type MessageRecord, phoneOfPerson, timeOfId } from '@switchboard/contracts';
import type { MessageRow } from './messages.queries';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Converts a stored message to its API form (spec §5.1). */
export function toMessageRecord(row: MessageRow): MessageRecord {
  return {
    id: row.id,
    upstreamId: row.upstreamId,
    direction: row.direction,
    ...senderOf(row),
    to: row.direction === 'outbound' ? phoneOfPerson(row.recipient) : row.recipient,
    username: row.username,
    parentUserId: row.parentUserId,
    contactName: row.contactName,
    type: row.type,
    content: withFile(row),
    caption: row.caption ?? captionOf(row.content),
    context: row.context,
    referral: row.referral,
    errors: row.errors,
    status: isOpen(row.state) ? 'unknown' : row.state,
    // A later delivery supersedes the failure.
    error: row.state === 'failed' ? row.error : null,
    pricing: row.pricing,
    // Any later status ends the hold.
    held: row.state === 'accepted' && row.heldReason !== null,
    jobId: row.jobId,
    senderId: row.senderId,
    ...labelsOf(row),
    // Equal, to the second, to the time by which lists are ordered and filtered (`since`, `until`). For an inbound
    // message, it is the time at which the contact wrote it.
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

/** Returns the sender fields as in the event of an inbound message (spec §5.1.6). */
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

/** Adds the id and size of the stored file to the content of a media message. */
function withFile({ content, file }: MessageRow): object | null {
  if (content === null || file === null) return content;
  return { id: file.id, ...content, ...(file.bytes !== null && { bytes: file.bytes }) };
}

/** Returns true while the outcome of the send is unknown. */
function isOpen(state: string): boolean {
  return state === 'sending' || state === 'unknown';
}

/** Reads the caption of inbound media, which is part of the content. */
function captionOf(content: object | null): string | null {
  return content && 'caption' in content && typeof content.caption === 'string' ? content.caption : null;
}
