import { type HeldReason, LABELS, type MessageError } from '@switchboard/contracts';
import { batchOf, columnNames, columnsOf } from '@switchboard/database';
import { ONBOARDED } from '@switchboard/upstream';
import { REPORTED_COLUMNS, type ReportedMessage } from '../messages/message-events';
import { Message } from '../messages/message.entity';
import { IS_NOT_BEGUN, IS_OURS, type OutboundState } from '../messages/message-state';
import { WINDOW_IS_OPEN } from '../messages/service-window';

/** Why the database lets a send not begin. */
export type SendRefusal =
  | 'no-number'
  | 'number-stopped'
  | 'blocked'
  | 'blocked-upstream'
  | 'opted-out'
  | 'window-closed';

/** What the database said when a send began. */
export interface BegunSend {
  refusal: SendRefusal | null;
  /** The number's id, and the fields beside it; null, as they are, only together with the refusal `no-number`. */
  id: string;
  wabaId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  stoppedReason: string | null;
  /** Whether it goes through the platform's endpoint for marketing. */
  isByMarketingEndpoint: boolean;
  /** Whether the row is new: only then may the message be sent now. */
  inserted: boolean;
}

/** Columns of a send that are stored as it was requested. */
export const REQUESTED = columnsOf(Message, ['recipient', 'type', 'content', 'caption', ...LABELS]);

/** Columns of a send that are stored as they are given. */
const GIVEN = {
  ...REQUESTED,
  ...columnsOf(Message, ['mediaId', 'upload', 'jobId', 'sealedContent', 'reference', 'sendTrace']),
};

/** Sends that `BEGIN_SENDS` writes down. */
export const SENDS = batchOf({
  ...columnsOf(Message, ['id', 'accountId', 'repeatable']),
  ...GIVEN,
  /** Number to send from; null for the primary number. */
  wanted: 'text',
  /** Match key of the recipient's phone number. */
  phoneKey: 'text',
  /** User id of a recipient without a match key. */
  userId: 'text',
  newContactId: 'text',
  isMarketing: 'boolean',
});

/**
 * Finds the numbers, judges opt-outs and windows and writes the rows, in one round trip and at one moment of the
 * database's clock. What is refused writes nothing (spec §3.1.8); a row that is there already stays as it is. Whoever
 * is sent to is a contact from then on. Contacts are made in one order everywhere, so that two statements wait for each
 * other without a deadlock. One row comes back for each of `SENDS`, in their order. The platform does not promise to
 * echo our id from its endpoint for marketing: what goes through it is not sent again.
 */
export const BEGIN_SENDS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${SENDS.unnest('send', 'position')}
  ), judged AS MATERIALIZED (
    SELECT given.*, number.id AS number_id, number.phone_number, waba_id, phone_number_id, sealed_access_token,
      stopped_reason,
      is_marketing AND type = 'template' AND reference IS NULL AND marketing_onboarding = '${ONBOARDED}'
        AND EXISTS (SELECT 1 FROM account_settings WHERE account_id = given.account_id AND marketing_endpoint)
        AS by_marketing_endpoint,
      known.id AS contact_id,
      CASE
        WHEN number.id IS NULL THEN 'no-number'
        WHEN stopped_at IS NOT NULL THEN 'number-stopped'
        WHEN known.blocked THEN 'blocked'
        WHEN EXISTS (SELECT 1 FROM blocks WHERE blocks.account_id = given.account_id AND blocks.number_id = number.id
          AND blocks.phone_key = COALESCE(given.phone_key, by_user.phone_key)) THEN 'blocked-upstream'
        WHEN known.opted_out AND is_marketing THEN 'opted-out'
        WHEN type <> 'template'
          AND NOT EXISTS (SELECT 1 FROM service_windows WHERE number_id = number.id AND contact_id = known.id
            AND ${WINDOW_IS_OPEN})
          AND NOT EXISTS (SELECT 1 FROM account_settings WHERE account_id = given.account_id
            AND window_policy = 'upstream') THEN 'window-closed'
      END AS refusal
    FROM given
    LEFT JOIN LATERAL (
      SELECT * FROM numbers
      WHERE account_id = given.account_id AND CASE WHEN wanted IS NULL THEN is_primary ELSE phone_number = wanted END
        AND removed_at IS NULL
      LIMIT 1
    ) AS number ON true
    LEFT JOIN LATERAL (
      SELECT id, blocked, opted_out OR marketing_opted_out AS opted_out FROM contacts
      WHERE account_id = given.account_id AND phone_key = given.phone_key
      LIMIT 1
      -- Whoever erases the person waits for this row's commit, or this send makes them anew.
      FOR KEY SHARE
    ) AS by_phone ON true
    LEFT JOIN LATERAL (
      -- The platform blocks numbers: whom a user id names has one of their own, or is not blocked.
      SELECT id, blocked, opted_out OR marketing_opted_out AS opted_out, phone_key FROM contacts
      WHERE account_id = given.account_id AND user_id = given.user_id
      LIMIT 1
      FOR KEY SHARE
    ) AS by_user ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(by_phone.id, by_user.id) AS id, COALESCE(by_phone.blocked, by_user.blocked) AS blocked,
        COALESCE(by_phone.opted_out, by_user.opted_out) AS opted_out
    ) AS known
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT DISTINCT ON (account_id, phone_key) new_contact_id, account_id, recipient, phone_key FROM judged
    WHERE refusal IS NULL AND contact_id IS NULL AND phone_key IS NOT NULL ORDER BY account_id, phone_key
    -- Somebody else made it this moment: an update gives its id, too.
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id, account_id, phone_key
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id)
    SELECT DISTINCT ON (account_id, user_id) new_contact_id, account_id, user_id FROM judged
    WHERE refusal IS NULL AND contact_id IS NULL AND user_id IS NOT NULL
      -- After those with a number, in every statement.
      AND (SELECT count(*) FROM made) >= 0
    ORDER BY account_id, user_id
    ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET user_id = EXCLUDED.user_id
    RETURNING id, account_id, user_id
  ), inserted AS (
    INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, repeatable, is_secret, state,
      sending_since, send_attempts, ${columnNames(GIVEN)})
    SELECT judged.id, judged.account_id, number_id, COALESCE(contact_id, made.id, made_by_user.id), 'outbound',
      phone_number, repeatable AND by_marketing_endpoint IS NOT TRUE, sealed_content IS NOT NULL, 'sending', now(), 1,
      ${columnNames(GIVEN)}
    FROM judged LEFT JOIN made USING (account_id, phone_key) LEFT JOIN made_by_user USING (account_id, user_id)
    WHERE refusal IS NULL
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  SELECT refusal, number_id AS id, waba_id AS "wabaId", phone_number_id AS "phoneNumberId",
    sealed_access_token AS "sealedAccessToken",
    stopped_reason AS "stoppedReason",
    by_marketing_endpoint IS TRUE AS "isByMarketingEndpoint",
    -- A command that was delivered twice begins once, even when both stand here.
    inserted.id IS NOT NULL AND position = min(position) OVER (PARTITION BY judged.id) AS inserted
  FROM judged LEFT JOIN inserted ON inserted.id = judged.id
  ORDER BY position`;

/** What is known of a message that was begun before. */
export interface StoredSend {
  state: OutboundState;
  upstreamId: string | null;
  error: MessageError | null;
  /** Of a row that was found: noted after a 504, and begun by no process. */
  isNotBegun?: boolean;
}

const STORED_SEND = 'state, upstream_id AS "upstreamId", error';

export const FIND_SEND = `SELECT ${STORED_SEND}, ${IS_NOT_BEGUN} AS "isNotBegun" FROM messages WHERE id = $1 AND account_id = $2 AND ${IS_OURS}`;

/** Sends that `ACCEPT_SENDS` settles. */
export const ACCEPTED_SENDS = batchOf(columnsOf(Message, ['id', 'accountId', 'upstreamId']));

/**
 * The upstream platform took the messages. A callback may have been here first: what it wrote stays. Rows are locked in
 * the order of their ids, as callbacks lock them.
 */
export const ACCEPT_SENDS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${ACCEPTED_SENDS.unnest('send')}
  ), locked AS MATERIALIZED (
    SELECT id FROM messages WHERE id = ANY (${ACCEPTED_SENDS.list('id')}) ORDER BY id FOR UPDATE
  )
  UPDATE messages
  SET upstream_id = COALESCE(messages.upstream_id, given.upstream_id),
      accepted_at = COALESCE(accepted_at, now()),
      state = CASE WHEN state IN ('sending', 'unknown') THEN 'accepted' ELSE state END,
      sealed_content = NULL
  FROM given JOIN locked USING (id)
  WHERE messages.id = given.id AND messages.account_id = given.account_id AND messages.id = ANY (${ACCEPTED_SENDS.list('id')})
  RETURNING messages.id, state, messages.upstream_id AS "upstreamId", error`;

export interface HeldMessage extends ReportedMessage {
  upstreamId: string;
  reason: HeldReason;
}

/** Sends that `HOLD_SENDS` marks as held. */
export const HELD_SENDS = batchOf({ ...columnsOf(Message, ['id', 'accountId']), reason: 'text' });

/** The upstream platform took messages and holds them back; what it reported more of already counts. */
export const HOLD_SENDS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${HELD_SENDS.unnest('send')}
  )
  UPDATE messages SET held_reason = given.reason FROM given
  WHERE messages.id = given.id AND messages.account_id = given.account_id AND messages.id = ANY (${HELD_SENDS.list('id')})
    AND state = 'accepted' AND held_reason IS NULL
  RETURNING ${REPORTED_COLUMNS}, held_reason AS reason`;

/** Certainly not sent. No row comes back when a callback has settled the message before. */
export const FAIL_SEND = `
  UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb, sealed_content = NULL
  WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown')
  RETURNING ${STORED_SEND}`;

/**
 * Nobody knows whether it was sent. Where something received it, callbacks alone can tell, and it is never sent again.
 * $1 id, $2 account, $3 whether it was received
 */
export const MARK_UNKNOWN = `
  UPDATE messages SET state = 'unknown', repeatable = repeatable AND NOT $3::boolean
  WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown')
  RETURNING ${STORED_SEND}`;

/** The file was handed over again: the send names the new id from now on. */
export const RENEW_MEDIA = `UPDATE messages SET media_id = $3 WHERE id = $1 AND account_id = $2 AND state = 'sending'`;
