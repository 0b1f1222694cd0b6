import { api, must } from '../api/client';
import { countText } from '../lib/formats';
import { useRead } from './queries';

const POLL_MS = 30_000;
/** Number of the latest conversations that are counted. */
const COUNTED = 50;

/** Conversations with unread messages. */
export interface Unread {
  /** Number of these conversations; empty for none. */
  text: string;
  /** Number of unread messages in them. */
  messages: number;
}

/**
 * Counts the unread among the latest conversations. A message is unread until the account replies or marks it as read;
 * this is the same for all users.
 */
export function useUnread(): Unread | undefined {
  const { data } = useRead(
    ['conversations', 'unread'],
    () => must(api.GET('/console/v1/conversations', { params: { query: { limit: COUNTED } } })),
    { everyMs: () => POLL_MS },
  );
  if (!data) return undefined;
  const unread = data.conversations.filter(({ unreadCount }) => unreadCount > 0);
  const hasMore = unread.length > 0 && data.nextCursor !== null;
  return {
    text: unread.length === 0 ? '' : `${countText(unread.length)}${hasMore ? '+' : ''}`,
    messages: unread.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
  };
}
