import type { MessageError, MessagePricing, ReportedStatus } from '@switchboard/contracts';
import { batchOf, columnsOf, selectList } from '@switchboard/database';
import { Message } from '../messages/message.entity';
import { REPORTED_COLUMNS, type ReportedMessage } from '../messages/message-events';
import { HIDDEN_IDENTITY } from '../people/person-keys';
import { IS_OURS, OUTBOUND_STATES, type OutboundState } from '../messages/message-state';
import { reservedAtOf } from '../spend/spend.queries';

/** An outbound message after statuses were applied. */
export interface StatusOutcome extends ReportedMessage {
  upstreamId: string;
  username: string | null;
  parentUserId: string | null;
  contactId: string | null;
  /** Positions of the given statuses that refer to the message, starting at 1. */
  positions: number[];
  before: OutboundState;
  after: OutboundState;
  /** True if the message contains a one-time code. */
  isSecret: boolean;
  /** `traceparent` of the span that sent the message. Null if no collector received that span. */
  sendTrace: string | null;
  /** Statuses that were published before. */
  reported: ReportedStatus[];
  error: MessageError | null;
  /** Pricing of the first status that contained it. */
  pricing: MessagePricing | null;
  /** True if an earlier status contained it. */
  wasPriced: boolean;
  /** Name of the template; null for other messages. */
  template: string | null;
  /** Creation time of the message's open price reservation; null if there is none. */
  reservedAt: Date | null;
  /** Times of the given statuses. Null for all other statuses. */
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

const STATES = `ARRAY[${OUTBOUND_STATES.map((state) => `'${state}'`).join(',')}]`;
const TIMES = ['sent_at', 'delivered_at', 'read_at', 'failed_at'];
const rank = (state: string): string => `array_position(${STATES}, ${state})`;

/**
 * SQL expression: id of the message to which a status of `input` refers. `oldest` is the lowest id to search by
 * upstream id. `OFFSET 0` prevents `min` from scanning the ids in order until it finds the upstream id.
 */
const messageOf = (oldest: string): string => `
  COALESCE(
    (SELECT id FROM messages WHERE id = echoed_id AND messages.account_id = input.account_id AND ${IS_OURS}),
    (SELECT min(id) FROM (
      SELECT id FROM messages WHERE messages.account_id = input.account_id AND direction = 'outbound'
        AND messages.upstream_id = input.upstream_id AND messages.id > ${oldest} OFFSET 0
    ) AS ours)
  )`;

/** Messages whose contacts `LOCK_CONTACTS_OF_MESSAGES` locks. */
export const REPORTED = batchOf({ ...columnsOf(Message, ['accountId', 'upstreamId']), echoedId: 'text' });

/**
 * Locks the contacts of messages in id order, before any other row. The lock order in this database is: contacts,
 * messages, then the rows that triggers derive from messages (conversations, windows, list totals, statistics). Sends,
 * inbound messages and erasures start with the contact, so a change of contacts based on their messages must lock them
 * first.
 * `REPORTED`, then the lowest id as for `APPLY_STATUSES`
 */
export const LOCK_CONTACTS_OF_MESSAGES = `
  SELECT id FROM contacts WHERE id = ANY (ARRAY(
    SELECT contact_id FROM messages WHERE id = ANY (ARRAY(
      SELECT ${messageOf(`$${REPORTED.next}`)} FROM ${REPORTED.unnest('input')}
    ))
  )) ORDER BY id FOR NO KEY UPDATE`;

/** Parent user ids that `STORE_PARENT_IDS` stores. */
export const PARENT_IDS = batchOf({
  ...columnsOf(Message, ['accountId', 'upstreamId']),
  echoedId: 'text',
  parentUserId: 'text',
});

/**
 * Stores the parent user ids of recipients with their contacts, which it locks in id order like
 * `LOCK_CONTACTS_OF_MESSAGES`. Contacts that have the id are neither locked nor written. `PARENT_IDS`, then the lowest
 * id as for `APPLY_STATUSES`
 */
export const STORE_PARENT_IDS = `
  WITH given AS MATERIALIZED (
    SELECT account_id, parent_user_id, ${messageOf(`$${PARENT_IDS.next}`)} AS message_id
    FROM ${PARENT_IDS.unnest('input')}
  ), named AS MATERIALIZED (
    SELECT contact_id, max(given.parent_user_id) AS parent_user_id FROM given JOIN messages ON messages.id = message_id
    WHERE messages.id = ANY (ARRAY(SELECT message_id FROM given)) AND messages.account_id = given.account_id
    GROUP BY contact_id
  ), locked AS MATERIALIZED (
    SELECT contacts.id, named.parent_user_id FROM contacts JOIN named ON named.contact_id = contacts.id
    WHERE contacts.id = ANY (ARRAY(SELECT contact_id FROM named))
      AND contacts.parent_user_id IS DISTINCT FROM named.parent_user_id
    ORDER BY contacts.id FOR NO KEY UPDATE OF contacts
  )
  UPDATE contacts SET parent_user_id = locked.parent_user_id FROM locked WHERE contacts.id = locked.id`;

export const STATUSES = batchOf({
  ...columnsOf(Message, ['accountId', 'upstreamId', 'error', 'pricing']),
  echoedId: 'text',
  status: 'text',
  at: 'timestamptz',
});

/**
 * Applies statuses of any numbers together. The new state of a message is the furthest of its state and its statuses,
 * as in `advance` (message-state.ts). The first reported time of a status is stored, but not earlier than the creation
 * of the message, because upstream's times have whole seconds. The first pricing is stored, because several statuses
 * may contain it. Rows are locked in id order, so that concurrent batches do not deadlock. Rows are looked up by an
 * array of ids: for a join, the planner would expect many rows and scan the whole table even for a single status.
 * `STATUSES`, then the lowest id to search by upstream id, which excludes old partitions
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
    SELECT id, state, created_at, pricing IS NOT NULL AS was_priced,
      array_remove(ARRAY[CASE WHEN sent_at IS NOT NULL THEN 'sent' END, CASE WHEN delivered_at IS NOT NULL THEN 'delivered' END,
        CASE WHEN read_at IS NOT NULL THEN 'read' END, CASE WHEN failed_at IS NOT NULL THEN 'failed' END], NULL) AS reported
    FROM messages WHERE id = ANY (ARRAY(SELECT id FROM news)) ORDER BY id FOR UPDATE
  ), judged AS (
    SELECT news.id, news.upstream_id, news.positions, news.error, news.pricing, locked.state AS before, locked.reported,
      locked.was_priced,
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
    RETURNING ${REPORTED_COLUMNS}, ${HIDDEN_IDENTITY},
      CASE WHEN messages.type = 'template' THEN messages.content->>'name' END AS template,
      ${selectList(columnsOf(Message, ['contactId', 'error', 'pricing', 'isSecret', 'sendTrace']), 'messages')}
  )
  SELECT applied.*, judged.positions, judged.before, judged.after, judged.reported, judged.was_priced AS "wasPriced",
    ${reservedAtOf('judged.id')} AS "reservedAt", judged.sent_at AS "sentAt",
    judged.delivered_at AS "deliveredAt", judged.read_at AS "readAt", judged.failed_at AS "failedAt"
  FROM judged JOIN applied USING (id)
  ORDER BY judged.id`;
