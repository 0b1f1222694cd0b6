import type { MessageError, MessagePricing, ReportedStatus } from '@switchboard/contracts';
import { batchOf, columnsOf, selectList } from '@switchboard/database';
import { Message } from '../messages/message.entity';
import { REPORTED_COLUMNS, type ReportedMessage } from '../messages/message-events';
import { HIDDEN_USERNAME } from '../people/person-keys';
import { IS_OURS, OUTBOUND_STATES, type OutboundState } from '../messages/message-state';

/** A message of ours that statuses spoke of. */
export interface StatusOutcome extends ReportedMessage {
  upstreamId: string;
  username: string | null;
  contactId: string | null;
  /** Which of the given statuses spoke of it: their positions, from 1. */
  positions: number[];
  /** What the message was before. */
  before: OutboundState;
  /** What it is now. */
  after: OutboundState;
  /** Whether it holds a one-time code. */
  isSecret: boolean;
  /** `traceparent` of the span that sent it; null when no collector received that span. */
  sendTrace: string | null;
  /** The statuses whose times the message had before. */
  reported: ReportedStatus[];
  error: MessageError | null;
  /** As the first status that told it said. */
  pricing: MessagePricing | null;
  /** When each of the given statuses happened; null for the others. */
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

const STATES = `ARRAY[${OUTBOUND_STATES.map((state) => `'${state}'`).join(',')}]`;
const TIMES = ['sent_at', 'delivered_at', 'read_at', 'failed_at'];
const rank = (state: string): string => `array_position(${STATES}, ${state})`;

/**
 * SQL: the id of the message that a status of `input` speaks of. `oldest`: the least id that is looked for by upstream
 * id. `OFFSET 0` keeps the search for the least one from going along the ids until it meets the upstream's.
 */
const messageOf = (oldest: string): string => `
  COALESCE(
    (SELECT id FROM messages WHERE id = echoed_id AND messages.account_id = input.account_id AND ${IS_OURS}),
    (SELECT min(id) FROM (
      SELECT id FROM messages WHERE messages.account_id = input.account_id AND direction = 'outbound'
        AND messages.upstream_id = input.upstream_id AND messages.id > ${oldest} OFFSET 0
    ) AS ours)
  )`;

/** Messages that statuses report on, for `LOCK_CONTACTS_OF_MESSAGES`. */
export const REPORTED = batchOf({ ...columnsOf(Message, ['accountId', 'upstreamId']), echoedId: 'text' });

/**
 * Locks the contacts of messages, in the order of their ids, before anything else. The order of locks in this database
 * is: contacts, messages, then what triggers derive from messages (conversations, windows, lengths of lists, figures).
 * Sends, inbound messages and erasures begin with the contact, so whoever changes contacts because of their messages
 * has them first. `REPORTED`, then the least id as for `APPLY_STATUSES`
 */
export const LOCK_CONTACTS_OF_MESSAGES = `
  SELECT id FROM contacts WHERE id = ANY (ARRAY(
    SELECT contact_id FROM messages WHERE id = ANY (ARRAY(
      SELECT ${messageOf(`$${REPORTED.next}`)} FROM ${REPORTED.unnest('input')}
    ))
  )) ORDER BY id FOR NO KEY UPDATE`;

/** Statuses that `APPLY_STATUSES` applies. */
export const STATUSES = batchOf({
  ...columnsOf(Message, ['accountId', 'upstreamId', 'error', 'pricing']),
  echoedId: 'text',
  status: 'text',
  at: 'timestamptz',
});

/**
 * Applies statuses of any numbers at once. Each message takes the furthest of its state and its statuses, which is the
 * rule of
 * `advance` (message-state.ts); a time is kept as it was first reported, and is never before the message was created:
 * the upstream platform's times have whole seconds. Rows are locked in the order of their ids, so that batches applied
 * side by side wait for each other instead of running into a deadlock. The first pricing of a message stays, since the
 * platform may tell it with several statuses. Rows are looked up by a list of ids: the planner takes a join for one
 * with many rows, and reads the whole table for a single status. `STATUSES`, then the least id that is looked for by
 * upstream id, so that old partitions are left alone
 */
export const APPLY_STATUSES = `
  WITH given AS MATERIALIZED (
    SELECT position, upstream_id, status, at, error, pricing,
      ${messageOf(`$${STATUSES.next}`)} AS id
    FROM ${STATUSES.unnest('input', 'position')}
  ), news AS (
    SELECT id, min(upstream_id) AS upstream_id, array_agg(position::int) AS positions,
      min(at) FILTER (WHERE status = 'sent') AS sent_at,
      min(at) FILTER (WHERE status = 'delivered') AS delivered_at,
      min(at) FILTER (WHERE status = 'read') AS read_at,
      min(at) FILTER (WHERE status = 'failed') AS failed_at,
      (array_agg(error) FILTER (WHERE status = 'failed'))[1] AS error,
      (array_agg(pricing ORDER BY position) FILTER (WHERE pricing IS NOT NULL))[1] AS pricing,
      max(${rank('status')}) AS rank
    FROM given WHERE id IS NOT NULL GROUP BY id
  ), locked AS (
    SELECT id, state, created_at,
      array_remove(ARRAY[CASE WHEN sent_at IS NOT NULL THEN 'sent' END, CASE WHEN delivered_at IS NOT NULL THEN 'delivered' END,
        CASE WHEN read_at IS NOT NULL THEN 'read' END, CASE WHEN failed_at IS NOT NULL THEN 'failed' END], NULL) AS reported
    FROM messages WHERE id = ANY (ARRAY(SELECT id FROM news)) ORDER BY id FOR UPDATE
  ), judged AS (
    SELECT news.id, news.upstream_id, news.positions, news.error, news.pricing, locked.state AS before, locked.reported,
      ${TIMES.map((time) => `CASE WHEN news.${time} IS NOT NULL THEN GREATEST(news.${time}, locked.created_at) END AS ${time}`).join(', ')},
      (${STATES})[GREATEST(news.rank, ${rank("'accepted'")}, ${rank('locked.state')})] AS after
    FROM news JOIN locked USING (id)
  ), applied AS (
    UPDATE messages
    SET state = judged.after,
        upstream_id = COALESCE(messages.upstream_id, judged.upstream_id),
        accepted_at = COALESCE(messages.accepted_at, now()),
        sent_at = COALESCE(messages.sent_at, judged.sent_at),
        delivered_at = COALESCE(messages.delivered_at, judged.delivered_at),
        read_at = COALESCE(messages.read_at, judged.read_at),
        failed_at = CASE judged.after WHEN 'failed' THEN COALESCE(messages.failed_at, judged.failed_at)
          ELSE messages.failed_at END,
        error = CASE judged.after WHEN 'failed' THEN COALESCE(messages.error, judged.error) ELSE messages.error END,
        pricing = COALESCE(messages.pricing, judged.pricing),
        sealed_content = NULL
    FROM judged WHERE messages.id = ANY (ARRAY(SELECT id FROM judged)) AND messages.id = judged.id
    RETURNING ${REPORTED_COLUMNS}, ${HIDDEN_USERNAME},
      ${selectList(columnsOf(Message, ['contactId', 'error', 'pricing', 'isSecret', 'sendTrace']), 'messages')}
  )
  SELECT applied.*, judged.positions, judged.before, judged.after, judged.reported, judged.sent_at AS "sentAt",
    judged.delivered_at AS "deliveredAt", judged.read_at AS "readAt", judged.failed_at AS "failedAt"
  FROM judged JOIN applied USING (id)
  ORDER BY judged.id`;
