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

/** What failed is asked for again: a service may come back, and what was just made may not be there yet. */
const AFTER_FAILURE_MS = 3_000;
/** A slow answer is asked for more seldom: at most a sixth of the time is spent waiting for one. */
const PAUSE_PER_ANSWER = 5;
const NEWS_MS = 10_000;

type Pause = (state: { error: Error | null }, everyMs: number | undefined) => number | false;

/**
 * How often to ask again, in milliseconds: more seldom when answers are slow or the API says so, and not at all on
 * pages that nobody uses any more. Hidden pages do not ask anyway. The pages of a list count together: asked again,
 * they are all read.
 */
function usePolling<Data>(read: (cursor: string | undefined) => Promise<Data>) {
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
  const pause: Pause = ({ error }, everyMs) => {
    const wanted = error ? AFTER_FAILURE_MS : everyMs;
    if (wanted === undefined || isAsleep()) return false;
    const askedForMs = error instanceof ApiError ? (error.more.retryAfterSeconds ?? 0) * 1_000 : 0;
    return Math.max(wanted, askedForMs, PAUSE_PER_ANSWER * tookMs.current);
  };
  return { timed, pause };
}

/**
 * Reads one thing.
 * @param options.everyMs polls while it says a number: while something is not settled
 */
export function useRead<Data>(
  key: QueryKey,
  read: () => Promise<Data>,
  { everyMs, enabled = true }: { everyMs?: (data: Data | undefined) => number | undefined; enabled?: boolean } = {},
) {
  const { timed, pause } = usePolling(read);
  return useQuery({
    queryKey: key,
    queryFn: () => timed(undefined),
    enabled,
    refetchInterval: ({ state }) => pause(state, everyMs?.(state.data)),
  });
}

/** One page of a list as every list of the API answers it. */
interface Page {
  nextCursor: string | null;
}

type ReadPage<Found extends Page> = (cursor: string | undefined) => Promise<Found>;

/**
 * Reads a list page by page.
 * @param rowsOf takes the rows out of a page
 * @param options.everyMs reads all pages again that are shown, of which it hears the count: for short lists of things
 * that settle
 */
export function useList<Found extends Page, Row>(
  key: QueryKey,
  read: ReadPage<Found>,
  rowsOf: (page: Found) => Row[],
  { everyMs }: { everyMs?: (rows: Row[], pages: number) => number | undefined } = {},
) {
  const { timed, pause } = usePolling(read);
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
 * Reads a list that grows at its head, such as a log, page by page. By itself it asks for the newest page alone: rows
 * that are shown take their new state from it, and rows that are not shown yet are counted ("3 new").
 * @param options.keyOf names a row
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
    // A page that is looked at again asks for what is new below.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.error && !isAsleep() ? AFTER_FAILURE_MS : false),
  });
  const { timed, pause } = usePolling(() => read(undefined));
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
    /** The newest page, such as for a total that it tells. */
    newest: newest.data ?? pages.data?.pages[0],
    error: pages.error ?? newest.error,
    refetch: () => Promise.all([pages.refetch(), newest.refetch()]),
    rows: shown.map((row) => current.get(keyOf(row)) ?? row),
    /** How many rows of the newest page are not shown yet. */
    news,
    /** Whether all rows of that page are new, so that more may lie between. */
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
 * Changes something. Afterwards all that is shown is read again.
 * @param change asks the API
 * @param options.done what to tell when it succeeded
 * @param options.quiet whether a form shows the refusal itself
 */
export function useChange<Given, Data>(
  change: (given: Given) => Promise<Data>,
  { done, quiet = false }: { done?: string | ((data: Data) => string); quiet?: boolean } = {},
) {
  const queries = useQueryClient();
  const { tell } = useToasts();
  return useMutation<Data, ApiError, Given>({
    mutationFn: change,
    onSuccess: (data) => {
      forgetSubmitted();
      if (done !== undefined) tell({ kind: 'success', text: typeof done === 'string' ? done : done(data) });
      // Not awaited: the answer may hold a secret, which must not wait for the slowest list of the page.
      void queries.invalidateQueries();
    },
    onError: (error) => {
      if (!quiet)
        tell({
          kind: 'bad',
          text: error.message,
          // A fault of the page itself is no answer, and has neither.
          ...(error instanceof ApiError && {
            more: [error.code, error.more.requestId].filter(Boolean).join(' · '),
          }),
        });
    },
  });
}
