import type { OutgoingSend } from '../sends/upstream-sender';
import { IS_NOT_BEGUN } from '../messages/message-state';
import { REPORTED_COLUMNS } from '../messages/message-events';
import { HIDDEN_USERNAME } from '../people/person-keys';
import { callbacksHadTime } from '../callbacks/ingress-heartbeat';

/** A message is sent this often at most, the first time included. */
export const MAX_SEND_ATTEMPTS = 5;
/** After this time a message is given up, however often it was sent. */
const GIVE_UP_AFTER = '1 hour';

/** SQL: our own clock says so, and every callback in that time has reached us. */
const isOver = (seconds: string): string =>
  `sending_since < now() - make_interval(secs => ${seconds}) AND ${callbacksHadTime('sending_since', seconds)}`;
/** SQL: whether a message that may be repeated is given up instead. */
const IS_HOPELESS = `(send_attempts >= ${MAX_SEND_ATTEMPTS} OR messages.created_at < now() - interval '${GIVE_UP_AFTER}')`;

/** A message that was claimed to be sent again. */
export interface ClaimedSend extends OutgoingSend {
  accountId: string;
  /** What stands masked in the content; null as a rule. */
  sealedContent: string | null;
  jobId: string | null;
  /** Which send this is, the first one included. */
  attempt: number;
}

/**
 * Takes messages whose outcome is unknown for longer than the grace. The claim moves the grace on in the same
 * statement, so no other replica, nor this one after a crash, takes them again before it has passed once more. A number
 * that is stopped would refuse them: they wait until it is resumed, or are given up. $1 grace in seconds, $2 most rows
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

/** SQL: the columns of a `FailedMessage`. */
const FAILED = `${REPORTED_COLUMNS}, ${HIDDEN_USERNAME}, failed_at AS "failedAt"`;

const giveUp = (which: string): string => `
  WITH hopeless AS MATERIALIZED (
    SELECT id FROM messages
    WHERE NOT settled AND ${which} AND ${isOver('$1')}
    ORDER BY sending_since LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb, sealed_content = NULL
  FROM hopeless WHERE messages.id = hopeless.id
  RETURNING ${FAILED}`;

/** Gives up messages that were sent often or long enough. $1 grace in seconds, $2 most rows, $3 the reason */
export const GIVE_UP_REPEATED = giveUp(`repeatable AND ${IS_HOPELESS}`);

/**
 * Gives up messages that must not be sent again: only a callback can settle them, so they wait longer for it. $1 that
 * time in seconds, $2 most rows, $3 the reason
 */
export const GIVE_UP_UNREPORTED = giveUp('NOT repeatable AND send_attempts > 0');

/**
 * Gives up sends that no process began, once a repeat had its time. Their row keeps a late command from beginning. $1
 * that time in seconds, $2 most rows, $3 the reason
 */
export const GIVE_UP_NOT_BEGUN = giveUp(IS_NOT_BEGUN);

/** Refused by the upstream platform when it was sent again; nothing comes back when a callback was faster. */
export const FAIL_RESENT = `
  UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb, sealed_content = NULL
  WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown')
  RETURNING ${FAILED}`;
