import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../api/client';
import { type Change, type HintKind, listenToEvents, liveSince, watchLive } from '../api/live-events';
import { useMe } from '../api/session';
import { paced } from '../lib/paced';

/** Query keys, by their first part, that each kind of change affects. */
const AFFECTED: Record<HintKind, readonly string[]> = {
  message: ['conversations', 'messages'],
  // Handled together with `message`, because both refetch the same queries.
  status: [],
  job: ['jobs'],
  template: ['templates', 'template-drafts'],
  number: ['numbers', 'account'],
  webhook: ['webhook-events', 'webhook-endpoints', 'webhook-replays'],
  notice: ['account-notices', 'numbers'],
  // Handled together with `message` as well.
  conversation: [],
};
const KINDS = Object.keys(AFFECTED) as HintKind[];
const readerOf = (kind: HintKind): HintKind => (kind === 'status' || kind === 'conversation' ? 'message' : kind);
/** Keys that are rarely polled while the stream is open. Data of other keys may change without a hint. */
const COVERED = new Set(['conversations', 'messages', 'jobs', 'templates', 'webhook-events']);
/** Polling interval while the stream is open, in milliseconds. Detects changes whose hint was lost. */
const RARE_POLL_MS = 60_000;
/** Refetch intervals while changes continue, shorter for messages than for other data. */
const PACES: Partial<Record<HintKind, { firstMs: number; lastMs: number }>> = {
  message: { firstMs: 500, lastMs: 2_000 },
};
const OTHER_PACE = { firstMs: 500, lastMs: 4_000 };
const OBJECT_ID = /^(?:msg|job)_/;

/**
 * Returns the polling interval of a resource in milliseconds: a long one while the stream reports its changes,
 * otherwise its own. Data read before the stream opened keeps its own interval until the next read, because hints may
 * be missing.
 */
export function pollEveryMs(key: QueryKey, ownMs: number, readAt: number): number {
  const since = liveSince();
  const isCovered = since !== undefined && readAt > since && COVERED.has(String(key[0]));
  return isCovered ? Math.max(ownMs, RARE_POLL_MS) : ownMs;
}

/** Returns whether the page receives hints about changes. */
export function useIsLive(): boolean {
  return useSyncExternalStore(watchLive, () => liveSince() !== undefined);
}

/** Refetches visible data when the server reports a change, even in a hidden tab. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  const { me } = useMe();
  const sessionId = me.session.id;
  useEffect(() => {
    /** IDs by kind; null if there are many. */
    const changed = new Map<HintKind, Set<string> | null>();
    const readers = new Map(
      KINDS.map((kind) => {
        const read = (): Promise<void> => {
          const ids = changed.get(kind) ?? null;
          changed.delete(kind);
          return queries.invalidateQueries({ predicate: (query) => isAffected(query, kind, ids) });
        };
        return [kind, paced(read, PACES[kind] ?? OTHER_PACE)] as const;
      }),
    );
    const onChanges = (changes: Change[]): void => {
      for (const { kind: reported, ids } of changes) {
        const kind = readerOf(reported);
        const noted = changed.has(kind) ? changed.get(kind) : new Set<string>();
        changed.set(kind, ids && noted ? new Set([...noted, ...ids]) : null);
        readers.get(kind)?.call();
      }
    };
    const close = listenToEvents({
      onChanges,
      onMissed: () => onChanges(KINDS.map((kind) => ({ kind }))),
    });
    return () => {
      close();
      for (const reader of readers.values()) reader.stop();
    };
  }, [queries, sessionId]);
}

/**
 * Returns true if a query needs a refetch. A query for one object ignores changes of other objects. Loaded pages of a
 * log never need one, and neither do queries whose `Retry-After` has not passed.
 */
function isAffected(
  { queryKey, meta, state: { error, errorUpdatedAt } }: Query,
  kind: HintKind,
  ids: ReadonlySet<string> | null,
): boolean {
  if (meta?.isLog === true || !AFFECTED[kind].includes(String(queryKey[0]))) return false;
  if (error instanceof ApiError && Date.now() < errorUpdatedAt + (error.more.retryAfterSeconds ?? 0) * 1_000)
    return false;
  const objectId = queryKey.find((part): part is string => typeof part === 'string' && OBJECT_ID.test(part));
  return objectId === undefined || ids === null || ids.has(objectId);
}
