import { api, must } from '../api/client';
import { countText } from '../lib/formats';
import { useRead } from './queries';

const POLL_MS = 30_000;
/** Maximum number of unread conversations to read. */
const COUNTED = 50;

/** Unread conversations. */
export interface Unread {
  /** Number of conversations with unread messages, such as `3` or `50+`; empty if there are none. */
  text: string;
  /** Number of unread messages in these conversations. */
  messages: number;
}

/**
 * Counts unread conversations and their messages. A message is unread until any user of the account replies or
 * marks it as seen or read.
 */
export function useUnread(): Unread | undefined {
  const { data } = useRead(
    ['conversations', 'unread'],
    () => must(api.GET('/console/v1/conversations', { params: { query: { view: 'unread', limit: COUNTED } } })),
    { everyMs: () => POLL_MS },
  );
  if (!data) return undefined;
  const { conversations: unread, nextCursor } = data;
  return {
    text: unread.length === 0 ? '' : `${countText(unread.length)}${nextCursor === null ? '' : '+'}`,
    messages: unread.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
  };
}
