import { api, must } from '../api/client';
import { countText } from '../lib/formats';
import { useRead } from './queries';

const POLL_MS = 30_000;
/** Maximum number of conversations to check, latest first. */
const COUNTED = 50;

/** Unread messages among the latest conversations. */
export interface Unread {
  /** Number of conversations with unread messages, such as `3` or `20+`; empty if there are none. */
  text: string;
  /** Number of unread messages in these conversations. */
  messages: number;
}

/**
 * Counts unread messages in the latest conversations. A message is unread until any user of the account replies or
 * marks it as read.
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
