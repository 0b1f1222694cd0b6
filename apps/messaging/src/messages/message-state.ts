import type { ReportedStatus } from '@switchboard/contracts';

/**
 * States of an outbound message in order of progress. A message only moves to the right and may skip states (spec
 * §5.2). `failed` can follow any state before it, and a later `delivered` or `read` supersedes it. `sending` and
 * `unknown` are internal: the upstream platform has not responded yet, or its response was lost.
 */
export const OUTBOUND_STATES = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read'] as const;
export type OutboundState = (typeof OUTBOUND_STATES)[number];

/**
 * SQL condition: a message that is looked up by id is outbound. The negated form matches no partial index of one
 * direction. Without statistics for a new month, the planner would consider such an index small and scan it completely.
 */
export const IS_OURS = "direction <> 'inbound'";
/** SQL condition: a message that is looked up by id is inbound. Negated for the same reason. */
export const IS_THEIRS = "direction <> 'outbound'";

const RANK = Object.fromEntries(OUTBOUND_STATES.map((state, rank) => [state, rank])) as Record<OutboundState, number>;

const byRank = (one: OutboundState, other: OutboundState): number => RANK[one] - RANK[other];

/**
 * Returns the state after statuses that arrived together. Any status proves that the upstream platform accepted the
 * message. The result depends on neither order nor repetition. The batch statement in `statuses.queries.ts` implements
 * the same rule.
 */
export function advance(state: OutboundState, statuses: readonly ReportedStatus[]): OutboundState {
  if (statuses.length === 0) return state;
  return [state, 'accepted' as const, ...statuses].sort(byRank).at(-1) ?? state;
}

/**
 * Returns the statuses to report when the given ones arrive together for a message in `state`. Includes each status
 * that was not reported before, in the order of states, even if overtaken. Excludes an overtaken failure.
 * @param reported statuses of the message that were reported before
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

/** Returns true if the state is further than the status. */
export function isOvertaken(state: OutboundState, status: ReportedStatus): boolean {
  return RANK[status] < RANK[state];
}

/**
 * SQL condition: a send that no process has started. `BEGIN_NOTED` starts it when the request is repeated. Otherwise
 * the reconciler fails it.
 */
export const IS_NOT_BEGUN = "state = 'unknown' AND send_attempts = 0";
