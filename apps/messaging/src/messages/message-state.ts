import type { ReportedStatus } from '@switchboard/contracts';

/**
 * What an outbound message may be, from least to furthest. A message only ever moves to the right, skips allowed
 * (spec §5.2): `failed` is reached from everything before it, and a later `delivered` or `read` beats it.
 * `sending` and `unknown` are internal: the upstream platform has not answered yet, or its answer was lost.
 */
export const OUTBOUND_STATES = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read'] as const;
export type OutboundState = (typeof OUTBOUND_STATES)[number];

/**
 * SQL: whether a message that is looked up by its id is ours. In these words, no index of one direction alone offers
 * itself: while a month has no statistics, the server takes such an index for a short one, and reads all of it.
 */
export const IS_OURS = "direction <> 'inbound'";
/** SQL: whether a message that is looked up by its id is a customer's, in such words, too. */
export const IS_THEIRS = "direction <> 'outbound'";

const RANK = Object.fromEntries(OUTBOUND_STATES.map((state, rank) => [state, rank])) as Record<OutboundState, number>;

const byRank = (one: OutboundState, other: OutboundState): number => RANK[one] - RANK[other];

/**
 * The state after statuses that came in together. Any status proves that the upstream platform took the message.
 * The same result in any order and with any repetition; the batch statement of `statuses.queries.ts` decides alike.
 */
export function advance(state: OutboundState, statuses: readonly ReportedStatus[]): OutboundState {
  if (statuses.length === 0) return state;
  return [state, 'accepted' as const, ...statuses].sort(byRank).at(-1) ?? state;
}

/**
 * The statuses to report when these came in together on a message that was in `state`: each one that was not reported
 * before, in the order of states, overtaken ones included. A failure that was overtaken is not reported.
 * @param reported the statuses that were reported of the message before
 */
export function reportableStatuses(
  state: OutboundState,
  statuses: readonly ReportedStatus[],
  reported: readonly ReportedStatus[],
): ReportedStatus[] {
  const reached = advance(state, statuses);
  return [...new Set(statuses)]
    .filter((status) => status !== state && !reported.includes(status))
    .filter((status) => status !== 'failed' || reached === 'failed')
    .sort(byRank);
}

/** Whether a message in this state is further than the status, which has been overtaken then. */
export function isOvertaken(state: OutboundState, status: ReportedStatus): boolean {
  return RANK[status] < RANK[state];
}

/**
 * SQL: a send that no process began. Its row says so to `BEGIN_NOTED`, which lets a repeat of the request send it, and
 * to the reconciler, which fails it otherwise.
 */
export const IS_NOT_BEGUN = "state = 'unknown' AND send_attempts = 0";
