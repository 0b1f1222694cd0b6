import { type QueryKey, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useToasts } from './toasts';
import { ApiError, untouchedMs } from '../api/client';

const STOP_POLLING_MS = 15 * 60_000;
/** What failed is asked for again: a service may come back, and what was just made may not be there yet. */
const AFTER_FAILURE_MS = 3_000;

/** How often to ask again, in milliseconds; not on hidden pages, nor on pages that nobody uses any more. */
function pause({ error }: { error: Error | null }, everyMs: number | undefined): number | false {
  const wanted = error ? AFTER_FAILURE_MS : everyMs;
  return wanted === undefined || untouchedMs() > STOP_POLLING_MS ? false : wanted;
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
  return useQuery({
    queryKey: key,
    queryFn: read,
    enabled,
    refetchInterval: ({ state }) => pause(state, everyMs?.(state.data)),
  });
}

/** One page of a list as every list of the API answers it. */
interface Page {
  nextCursor: string | null;
}

/** Reads a list page by page. @param rowsOf takes the rows out of a page */
export function useList<Found extends Page, Row>(
  key: QueryKey,
  read: (cursor: string | undefined) => Promise<Found>,
  rowsOf: (page: Found) => Row[],
  { everyMs }: { everyMs?: (rows: Row[]) => number | undefined } = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => pause(state, everyMs?.((state.data?.pages ?? []).flatMap(rowsOf))),
  });
  return { ...query, rows: (query.data?.pages ?? []).flatMap(rowsOf) };
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
    onSuccess: async (data) => {
      if (done !== undefined) tell({ kind: 'success', text: typeof done === 'string' ? done : done(data) });
      await queries.invalidateQueries();
    },
    onError: (error) => {
      if (!quiet)
        tell({
          kind: 'bad',
          text: error.message,
          more: [error.code, error.more.requestId].filter(Boolean).join(' · '),
        });
    },
  });
}
