import { type ContactRecord, timeOfId } from '@switchboard/contracts';
import { showWindows } from '../messages/service-window';
import type { ContactRow } from './contact-list.queries';

/** A stored contact as the API shows it (spec §7.3.4). */
export function toContactRecord(row: ContactRow): ContactRecord {
  const {
    id,
    phone,
    userId,
    name,
    profileName,
    optedOut,
    marketingOptOut,
    lastMessageId,
    lastInboundAt,
    windows,
    createdAt,
  } = row;
  return {
    id,
    phone,
    userId,
    name,
    profileName,
    optedOut,
    marketingOptOut,
    lastMessageAt: (lastMessageId && timeOfId('msg', lastMessageId)?.toISOString()) || null,
    lastInboundAt: lastInboundAt?.toISOString() ?? null,
    ...showWindows(windows),
    createdAt: createdAt.toISOString(),
  };
}
