import type { OutgoingSend } from '../sends/upstream-sender';
import { IS_NOT_BEGUN } from '../messages/message-state';
import { REPORTED_COLUMNS } from '../messages/message-events';
import { HIDDEN_IDENTITY } from '../people/person-keys';
import { callbacksHadTime } from '../callbacks/ingress-heartbeat';
import { finishReservationsOf } from '../spend/spend.queries';

/** Maximum number of sends of a message, including the first one. */
export const MAX_SEND_ATTEMPTS = 5;
/** Age at which a repeatable message is abandoned, regardless of its number of sends. */
const GIVE_UP_AFTER = '1 hour';

/** Returns a row if any message is unsettled. */
export const ANY_UNSETTLED = 'SELECT 1 FROM messages WHERE NOT settled ORDER BY sending_since LIMIT 1';

/** SQL condition: the time has passed on the database's clock, and all callbacks of this period have arrived. */
const isOver = (seconds: string): string =>
  `sending_since < now() - make_interval(secs => ${seconds}) AND ${callbacksHadTime('sending_since', seconds)}`;
/** SQL condition: a repeatable message is abandoned instead of being sent again. */
const IS_HOPELESS = `(send_attempts >= ${MAX_SEND_ATTEMPTS} OR messages.created_at < now() - interval '${GIVE_UP_AFTER}')`;

export interface ClaimedSend extends OutgoingSend {
  accountId: string;
  /** Encrypted original of masked content. Usually null. */
  sealedContent: string | null;
  jobId: string | null;
  /** Number of this attempt. The first send is attempt 1. */
  attempt: number;
}

/**
 * Claims messages whose outcome has been unknown for longer than the grace period. The claim restarts the grace period
 * in the same statement, so no replica claims them again before it has passed. A stopped number would reject the
 * messages, so they wait until it is resumed or until they are given up.
 * $1 grace in seconds, $2 maximum rows
 */
export const CLAIM_UNSETTLED = `
  WITH overdue AS MATERIALIZED (
    SELECT messages.id FROM messages JOIN numbers ON numbers.id = number_id
    WHERE NOT settled AND repeatable AND NOT ${IS_HOPELESS} AND stopped_at IS NULL AND ${isOver('$1')}
    ORDER BY sending_since LIMIT $2
    FOR UPDATE OF messages SKIP LOCKED
  )
  UPDATE messages SET state = 'unknown', sending_since = now(), send_attempts = send_attempts + 1
  FROM overdue, numbers
  WHERE messages.id = overdue.id AND numbers.id = messages.number_id
  RETURNING messages.id, messages.account_id AS "accountId",
    number_id AS "numberId", recipient, type, content, caption, media_id AS "mediaId",
    reference #>> '{context,messageId}' AS "answeredId",
    sealed_content AS "sealedContent", job_id AS "jobId", send_attempts AS attempt, waba_id AS "wabaId", phone_number_id AS "phoneNumberId", sealed_access_token AS "sealedAccessToken"`;

/** SQL expression: the columns of a `FailedMessage`. */
const FAILED = `${REPORTED_COLUMNS}, ${HIDDEN_IDENTITY}, failed_at AS "failedAt"`;

/** The platform may have accepted the messages, so their reservations are settled in full. */
const giveUp = (which: string): string => `
  WITH hopeless AS MATERIALIZED (
    SELECT id FROM messages
    WHERE NOT settled AND ${which} AND ${isOver('$1')}
    ORDER BY sending_since LIMIT $2
    FOR UPDATE SKIP LOCKED
  ), settled AS (${finishReservationsOf('hopeless', 'amount')})
  UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb, sealed_content = NULL
  FROM hopeless WHERE messages.id = hopeless.id
  RETURNING ${FAILED}`;

/**
 * Gives up messages after the maximum number of attempts or the maximum age.
 * $1 grace in seconds, $2 maximum rows, $3 error
 */
export const GIVE_UP_REPEATED = giveUp(`repeatable AND ${IS_HOPELESS}`);

/**
 * Gives up messages that must not be sent again. Only a callback can settle them, so they wait longer. $1 wait in
 * seconds, $2 maximum rows, $3 error
 */
export const GIVE_UP_UNREPORTED = giveUp('NOT repeatable AND send_attempts > 0');

/**
 * Gives up sends that no process started, after leaving time for a repeated request. The row prevents a late command
 * from starting the send.
 * $1 wait in seconds, $2 maximum rows, $3 error
 */
export const GIVE_UP_NOT_BEGUN = giveUp(IS_NOT_BEGUN);

/**
 * Fails a message that the upstream platform rejected when it was sent again. It may have accepted the earlier
 * call, so the reservation is settled in full. Returns no row if a callback settled it
 * first.
 */
export const FAIL_RESENT = `
  WITH open AS MATERIALIZED (
    SELECT id FROM messages WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown') FOR UPDATE
  ), settled AS (${finishReservationsOf('open', 'amount')})
  UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb, sealed_content = NULL
  FROM open WHERE messages.id = open.id
  RETURNING ${FAILED}`;
