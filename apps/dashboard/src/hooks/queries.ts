import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { useToasts } from '../components/toasts';
import { forgetSubmitted } from '../lib/unsaved-forms';
import { ApiError } from '../api/client';
import { isAsleep } from '../lib/user-activity';
import { pollEveryMs } from './use-live';

/** Retry delay after an error: the service may recover, and a just created item may not be visible yet. */
const AFTER_FAILURE_MS = 3_000;
/** Minimum pause as a multiple of the response time: at most a sixth of the time is spent waiting. */
const PAUSE_PER_ANSWER = 5;
const NEWS_MS = 10_000;

type Pause = (state: { error: Error | null; dataUpdatedAt: number }, everyMs: number | undefined) => number | false;

/**
 * Measures response times, and returns the polling interval in milliseconds. The interval grows with slow responses,
 * with `Retry-After`, and while the event stream is open. Idle pages do not poll, and TanStack Query stops polling in
 * hidden tabs. All pages of a list count as one response, because a refetch reads all of them.
 */
function usePolling<Data>(key: QueryKey, read: (cursor: string | undefined) => Promise<Data>) {
  const tookMs = useRef(0);
  const timed = async (cursor: string | undefined): Promise<Data> => {
    const begunAt = performance.now();
    const earlierMs = cursor === undefined ? 0 : tookMs.current;
    try {
      return await read(cursor);
    } finally {
      tookMs.current = earlierMs + performance.now() - begunAt;
    }
  };
  const pause: Pause = ({ error, dataUpdatedAt }, everyMs) => {
    const ownMs = everyMs && pollEveryMs(key, everyMs, dataUpdatedAt);
    const wanted = error ? AFTER_FAILURE_MS : ownMs;
    if (wanted === undefined || isAsleep()) return false;
    const askedForMs = error instanceof ApiError ? (error.more.retryAfterSeconds ?? 0) * 1_000 : 0;
    return Math.max(wanted, askedForMs, PAUSE_PER_ANSWER * tookMs.current);
  };
  return { timed, pause };
}

/**
 * Reads one resource.
 * @param options.everyMs polls while it returns a number, that is, while something is not settled
 */
export function useRead<Data>(
  key: QueryKey,
  read: () => Promise<Data>,
  { everyMs, enabled = true }: { everyMs?: (data: Data | undefined) => number | undefined; enabled?: boolean } = {},
) {
  const { timed, pause } = usePolling(key, read);
  return useQuery({
    queryKey: key,
    queryFn: () => timed(undefined),
    enabled,
    refetchInterval: ({ state }) => pause(state, everyMs?.(state.data)),
  });
}

interface Page {
  nextCursor: string | null;
}

type ReadPage<Found extends Page> = (cursor: string | undefined) => Promise<Found>;

/**
 * Reads a list page by page.
 * @param rowsOf extracts the rows of a page
 * @param options.everyMs polls all loaded pages, whose number it receives; for short lists whose items settle
 */
export function useList<Found extends Page, Row>(
  key: QueryKey,
  read: ReadPage<Found>,
  rowsOf: (page: Found) => Row[],
  { everyMs }: { everyMs?: (rows: Row[], pages: number) => number | undefined } = {},
) {
  const { timed, pause } = usePolling(key, read);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => timed(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => {
      const shown = state.data?.pages ?? [];
      return pause(state, everyMs?.(shown.flatMap(rowsOf), shown.length));
    },
  });
  return { ...query, rows: (query.data?.pages ?? []).flatMap(rowsOf) };
}

/**
 * Reads a list that grows at its head, such as a log, page by page. Only the newest page is polled: it updates the rows
 * that are shown, and its unseen rows are counted ("3 new").
 * @param options.keyOf identifies a row
 */
export function useLog<Found extends Page, Row>(
  key: QueryKey,
  read: ReadPage<Found>,
  rowsOf: (page: Found) => Row[],
  { keyOf, everyMs = NEWS_MS }: { keyOf: (row: Row) => string; everyMs?: number },
) {
  const queries = useQueryClient();
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Neither a hint nor returning to the page refetches the list; the query for the newest page below finds new rows.
    meta: { isLog: true },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.error && !isAsleep() ? AFTER_FAILURE_MS : false),
  });
  const { timed, pause } = usePolling(key, () => read(undefined));
  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: () => timed(undefined),
    enabled: pages.isSuccess,
    refetchInterval: ({ state }) => pause(state, everyMs),
  });
  const shown = (pages.data?.pages ?? []).flatMap(rowsOf);
  const known = new Set(shown.map(keyOf));
  const found = newest.data ? rowsOf(newest.data) : [];
  const current = new Map(found.map((row) => [keyOf(row), row]));
  const news = found.filter((row) => !known.has(keyOf(row))).length;
  return {
    ...pages,
    /** Newest page, for example for its total. */
    newest: newest.data ?? pages.data?.pages[0],
    error: pages.error ?? newest.error,
    refetch: () => Promise.all([pages.refetch(), newest.refetch()]),
    rows: shown.map((row) => current.get(keyOf(row)) ?? row),
    /** Number of rows of the newest page that are not shown yet. */
    news,
    /** Whether all rows of that page are new, so that more may exist between it and the shown rows. */
    hasMoreNews: news > 0 && news === found.length && newest.data?.nextCursor != null,
    showNews: (): void => {
      if (newest.data)
        queries.setQueryData<InfiniteData<Found, string | undefined>>(key, {
          pages: [newest.data],
          pageParams: [undefined],
        });
    },
  };
}

/**
 * Runs a mutation and then refetches all visible data.
 * @param change sends the request
 * @param options.done success message
 * @param options.quiet whether the caller shows the error, or an error, itself
 */
export function useChange<Given, Data>(
  change: (given: Given) => Promise<Data>,
  {
    done,
    quiet = false,
  }: { done?: string | ((data: Data) => string); quiet?: boolean | ((error: ApiError) => boolean) } = {},
) {
  const queries = useQueryClient();
  const { tell } = useToasts();
  return useMutation<Data, ApiError, Given>({
    mutationFn: change,
    onSuccess: (data) => {
      forgetSubmitted();
      if (done !== undefined) tell({ kind: 'success', text: typeof done === 'string' ? done : done(data) });
      // Not awaited: the response may contain a secret, which must not wait for the slowest list of the page.
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (!(typeof quiet === 'function' ? quiet(error) : quiet))
        tell({
          kind: 'bad',
          text: error.message,
          // Errors of the page itself have neither a code nor a request ID.
          ...(error instanceof ApiError && {
            more: [error.code, error.more.requestId].filter(Boolean).join(' · '),
          }),
        });
    },
  });
}
