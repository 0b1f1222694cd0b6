import type { JobMessageStatus, MessageError } from '@switchboard/contracts';
import { batchOf, columnsOf } from '@switchboard/database';
import { Message } from '../messages/message.entity';
import { REPORTED_COLUMNS, type ReportedMessage } from '../messages/message-events';
import { IS_OURS, type OutboundState } from '../messages/message-state';
import { finishReservationsOf } from '../spend/spend.queries';

export interface JobNumber {
  phoneNumber: string;
  wabaId: string;
  throughputLevel: string | null;
  isStopped: boolean;
  stoppedReason: string | null;
}

/** $1 account, $2 the requested number, or null for the primary one */
export const FIND_JOB_NUMBER = `
  SELECT phone_number AS "phoneNumber", waba_id AS "wabaId",
    throughput_level AS "throughputLevel", stopped_at IS NOT NULL AS "isStopped",
    stopped_reason AS "stoppedReason"
  FROM numbers WHERE account_id = $1 AND CASE WHEN $2::text IS NULL THEN is_primary ELSE phone_number = $2 END
    AND removed_at IS NULL`;

export interface JobMessage extends ReportedMessage {
  state: OutboundState;
  error: MessageError | null;
  /** Time of the last state change. */
  at: Date;
}

/** A message that an earlier delivery of its task started, with the business number that sends it. */
export interface KnownMessage extends JobMessage {
  sender: string;
}

/** State of a settled message, as published to its job. */
export type SettledState = Extract<OutboundState, JobMessageStatus>;

const JOB_MESSAGE = `${REPORTED_COLUMNS}, state, messages.error,
  COALESCE(CASE state WHEN 'sent' THEN sent_at WHEN 'delivered' THEN delivered_at WHEN 'read' THEN read_at
    WHEN 'failed' THEN failed_at END,
    accepted_at, messages.created_at) AS at`;

/** $1 account, $2 ids */
export const FIND_JOB_MESSAGES = `
  SELECT ${JOB_MESSAGE}, sender FROM messages WHERE account_id = $1 AND id = ANY ($2::text[]) AND ${IS_OURS}`;

/** Finds a completed task by the id that it left in the inbox. $1 id of the message that delivered the task */
export const FIND_DONE_TASK = 'SELECT 1 FROM inbox WHERE message_id = $1';

/** Locks all rows of a task in the same order as callbacks do, to avoid deadlocks. $1 account, $2 ids */
export const LOCK_JOB_MESSAGES = `
  SELECT id, state FROM messages WHERE account_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE`;

const IS_OPEN = "state IN ('sending', 'unknown')";

/**
 * Outcomes for `SETTLE_JOB_MESSAGES` to store. Without an upstream id and an error, the outcome is unknown. In that
 * case, a message that upstream received is not sent again.
 */
export const OUTCOMES = batchOf(
  { ...columnsOf(Message, ['id', 'upstreamId', 'error']), wasReceived: 'boolean' },
  { from: 2 },
);

/**
 * Stores the outcomes of one task's calls. A row that a callback has settled keeps its state. This is a single
 * statement, because the rows derived from messages are locked in a consistent order only within a statement.
 * $1 account, then `OUTCOMES`
 */
export const SETTLE_JOB_MESSAGES = `
  UPDATE messages
  SET upstream_id = COALESCE(messages.upstream_id, given.upstream_id),
      accepted_at = CASE WHEN given.upstream_id IS NULL THEN accepted_at ELSE COALESCE(accepted_at, now()) END,
      failed_at = CASE WHEN ${IS_OPEN} AND given.error IS NOT NULL THEN now() ELSE failed_at END,
      error = CASE WHEN ${IS_OPEN} AND given.error IS NOT NULL THEN given.error ELSE messages.error END,
      state = CASE
        WHEN NOT ${IS_OPEN} THEN state
        WHEN given.upstream_id IS NOT NULL THEN 'accepted'
        WHEN given.error IS NOT NULL THEN 'failed'
        ELSE 'unknown'
      END,
      repeatable = repeatable AND NOT given.was_received,
      sealed_content = CASE WHEN given.upstream_id IS NULL AND given.error IS NULL THEN sealed_content END
  FROM ${OUTCOMES.unnest('given')}
  WHERE messages.id = given.id AND messages.account_id = $1 AND messages.id = ANY (${OUTCOMES.list('id')})
  RETURNING ${JOB_MESSAGE}`;

/** Deletes the rows of messages that were not sent, unless another process has changed them. $1 account, $2 ids */
export const REMOVE_UNSENT = `
  WITH removed AS (
    DELETE FROM messages WHERE account_id = $1 AND id = ANY ($2::text[]) AND state = 'sending' RETURNING id
  ), released AS (${finishReservationsOf('removed', '0')})
  SELECT id FROM removed`;
