import type { ContactRecord } from '@switchboard/contracts';
import { timeOfMessageId } from '../messages/message-id';
import { showWindows } from '../messages/service-window';
import type { ContactRow } from './contact-list.queries';

/** A stored contact as the API shows it (decisions 6). */
export function toContactRecord(row: ContactRow): ContactRecord {
  const { id, phone, userId, name, profileName, optedOut, marketingOptOut, lastMessageId, lastInboundAt, windows, createdAt } = row;
  return {
    id,
    phone,
    userId,
    name,
    profileName,
    optedOut,
    marketingOptOut,
    lastMessageAt: (lastMessageId && timeOfMessageId(lastMessageId)?.toISOString()) || null,
    lastInboundAt: lastInboundAt?.toISOString() ?? null,
    ...showWindows(windows),
    createdAt: createdAt.toISOString(),
  };
}
