import type { MessageError } from '@switchboard/contracts';
import { OUTBOUND_STATES, type OutboundState } from '../messages/message-state';

/** A message of ours that a callback spoke of. */
export interface StatusOutcome {
  id: string;
  /** The upstream ids under which the callback spoke of it. */
  spokenOf: string[];
  /** What the message was before. */
  before: OutboundState;
  upstreamId: string;
  recipient: string;
  clientRef: string | null;
  error: MessageError | null;
  /** When each status of the callback happened; null for those it did not hold. */
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

const STATES = `ARRAY[${OUTBOUND_STATES.map((state) => `'${state}'`).join(',')}]`;
const rank = (state: string): string => `array_position(${STATES}, ${state})`;

/**
 * Applies all statuses of a callback at once. Each message takes the furthest of its state and its statuses, which is
 * the rule of `advance` (message-state.ts); times keep the earliest that was reported. Rows are locked in the order of
 * their ids, so that callbacks applied side by side wait for each other instead of running into a deadlock.
 * $1 account, $2 upstream ids, $3 echoed ids or null, $4 statuses, $5 times, $6 errors or null
 */
export const APPLY_STATUSES = `
  WITH given AS MATERIALIZED (
    SELECT upstream_id, status, at, error,
      COALESCE(
        (SELECT id FROM messages WHERE id = echoed_id AND account_id = $1 AND direction = 'outbound'),
        (SELECT min(id) FROM messages WHERE account_id = $1 AND direction = 'outbound' AND messages.upstream_id = input.upstream_id)
      ) AS id
    FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::jsonb[]) AS input (upstream_id, echoed_id, status, at, error)
  ), news AS (
    SELECT id, min(upstream_id) AS upstream_id, array_agg(DISTINCT upstream_id) AS spoken_of,
      min(at) FILTER (WHERE status = 'sent') AS sent_at,
      min(at) FILTER (WHERE status = 'delivered') AS delivered_at,
      min(at) FILTER (WHERE status = 'read') AS read_at,
      min(at) FILTER (WHERE status = 'failed') AS failed_at,
      (array_agg(error) FILTER (WHERE status = 'failed'))[1] AS error,
      max(${rank('status')}) AS rank
    FROM given WHERE id IS NOT NULL GROUP BY id
  ), locked AS (
    SELECT messages.id, messages.state FROM messages JOIN news USING (id) ORDER BY messages.id FOR UPDATE OF messages
  ), judged AS (
    SELECT news.*, locked.state AS before, (${STATES})[GREATEST(news.rank, ${rank("'accepted'")}, ${rank('locked.state')})] AS after
    FROM news JOIN locked USING (id)
  ), applied AS (
    UPDATE messages
    SET state = judged.after,
        upstream_id = COALESCE(messages.upstream_id, judged.upstream_id),
        accepted_at = COALESCE(messages.accepted_at, now()),
        sent_at = LEAST(messages.sent_at, judged.sent_at),
        delivered_at = LEAST(messages.delivered_at, judged.delivered_at),
        read_at = LEAST(messages.read_at, judged.read_at),
        failed_at = CASE judged.after WHEN 'failed' THEN LEAST(messages.failed_at, judged.failed_at) ELSE messages.failed_at END,
        error = CASE judged.after WHEN 'failed' THEN COALESCE(messages.error, judged.error) ELSE messages.error END
    FROM judged WHERE messages.id = judged.id
    RETURNING messages.id, messages.upstream_id, messages.recipient, messages.client_ref, messages.error
  )
  SELECT judged.id, judged.spoken_of AS "spokenOf", judged.before, judged.sent_at AS "sentAt", judged.delivered_at AS "deliveredAt",
    judged.read_at AS "readAt", judged.failed_at AS "failedAt", applied.upstream_id AS "upstreamId", applied.recipient, applied.client_ref AS "clientRef", applied.error
  FROM judged JOIN applied USING (id)
  ORDER BY judged.id`;
