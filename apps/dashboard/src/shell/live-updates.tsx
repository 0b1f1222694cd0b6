import { useEffect, useRef } from 'react';
import { useLiveUpdates } from '../hooks/use-live';
import type { Unread } from '../hooks/use-unread';
import { announce } from '../lib/alerts';
import { showUnread } from '../lib/page-title';

/** Keeps pages up to date, and shows unread messages in the tab's title and alerts. */
export function LiveUpdates({ unread }: { unread: Unread | undefined }) {
  const before = useRef<number>(undefined);
  const { text = '', messages } = unread ?? {};
  useLiveUpdates();
  useEffect(() => showUnread(text), [text]);
  useEffect(() => {
    if (messages === undefined) return;
    if (before.current !== undefined && messages > before.current) announce(text);
    before.current = messages;
  }, [messages, text]);
  return null;
}
