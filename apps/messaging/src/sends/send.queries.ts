import { type HeldReason, LABELS, type MessageError } from '@switchboard/contracts';
import { batchOf, columnNames, columnsOf } from '@switchboard/database';
import { ONBOARDED } from '@switchboard/upstream';
import { REPORTED_COLUMNS, type ReportedMessage } from '../messages/message-events';
import { Message } from '../messages/message.entity';
import { IS_NOT_BEGUN, IS_OURS, type OutboundState } from '../messages/message-state';
import { WINDOW_IS_OPEN } from '../messages/service-window';
import { finishReservationsOf } from '../spend/spend.queries';

export type SendRefusal =
  | 'no-number'
  | 'number-stopped'
  | 'blocked'
  | 'blocked-upstream'
  | 'opted-out'
  | 'window-closed'
  /** The account has a spend cap, but the caller did not reserve the price. */
  | 'capped'
  | 'spend-cap'
  | 'rate-unknown';

export interface BegunSend {
  refusal: SendRefusal | null;
  /** Id of the number. This and the following fields are null only if the reason is `no-number`. */
  id: string;
  wabaId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  stoppedReason: string | null;
  /** True to send through the platform's marketing endpoint. */
  isByMarketingEndpoint: boolean;
  /** Error text for the reasons `spend-cap` and `rate-unknown`. */
  capReason?: string;
  /** True if the message counts towards a spend cap. */
  isLimited?: boolean;
  /** True if the row is new. Only then may the message be sent now. */
  inserted: boolean;
}

export const REQUESTED = columnsOf(Message, ['recipient', 'type', 'content', 'caption', 'senderId', ...LABELS]);

const GIVEN = {
  ...REQUESTED,
  ...columnsOf(Message, ['mediaId', 'upload', 'jobId', 'sealedContent', 'reference', 'sendTrace']),
};

export const SENDS = batchOf({
  ...columnsOf(Message, ['id', 'accountId', 'repeatable']),
  ...GIVEN,
  /** Number to send from. Null for the primary number. */
  wanted: 'text',
  /** Match key of the recipient's phone number. */
  phoneKey: 'text',
  /** User id of a recipient without a match key. */
  userId: 'text',
  newContactId: 'text',
  isMarketing: 'boolean',
  /** True if the transaction also reserves the price of the message. */
  isReserved: 'boolean',
});

/**
 * Finds the numbers, checks opt-outs and windows, and inserts the rows, in one round trip and at a single database
 * time. Rejected sends write nothing (spec §3.1.8), and existing rows stay unchanged. Recipients become contacts. All
 * statements create contacts in the same order, so that concurrent ones do not deadlock. Returns one row for each of
 * `SENDS`, in their order. The platform's marketing endpoint is not guaranteed to echo the internal id, so messages
 * sent through it are not repeatable.
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
          -- The platform blocks a person by phone number or by user id, whichever the caller used.
          AND blocks.phone_key IN (COALESCE(given.phone_key, known.phone_key), known.user_id, given.user_id))
          THEN 'blocked-upstream'
        WHEN known.opted_out AND is_marketing THEN 'opted-out'
        WHEN type <> 'template'
          AND NOT EXISTS (SELECT 1 FROM service_windows WHERE number_id = number.id AND contact_id = known.id
            AND ${WINDOW_IS_OPEN})
          AND NOT EXISTS (SELECT 1 FROM account_settings WHERE account_id = given.account_id
            AND window_policy = 'upstream') THEN 'window-closed'
        WHEN is_reserved IS NOT TRUE
          AND EXISTS (SELECT 1 FROM spend_caps WHERE spend_caps.account_id = given.account_id) THEN 'capped'
      END AS refusal
    FROM given
    LEFT JOIN LATERAL (
      SELECT * FROM numbers
      WHERE account_id = given.account_id AND CASE WHEN wanted IS NULL THEN is_primary ELSE phone_number = wanted END
        AND removed_at IS NULL
      LIMIT 1
    ) AS number ON true
    LEFT JOIN LATERAL (
      SELECT id, blocked, opted_out OR marketing_opted_out AS opted_out, phone_key, user_id FROM contacts
      WHERE account_id = given.account_id AND phone_key = given.phone_key
      LIMIT 1
      -- Makes an erasure of the contact wait for this commit, or else this send recreates the contact.
      FOR KEY SHARE
    ) AS by_phone ON true
    LEFT JOIN LATERAL (
      SELECT id, blocked, opted_out OR marketing_opted_out AS opted_out, phone_key, user_id FROM contacts
      WHERE account_id = given.account_id AND user_id = given.user_id
      LIMIT 1
      FOR KEY SHARE
    ) AS by_user ON true
    LEFT JOIN LATERAL (
      SELECT id, blocked, opted_out OR marketing_opted_out AS opted_out, phone_key, user_id FROM contacts
      WHERE account_id = given.account_id AND parent_user_id = given.user_id
      ORDER BY id LIMIT 1
      FOR KEY SHARE
    ) AS by_parent ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(by_phone.id, by_user.id, by_parent.id) AS id,
        COALESCE(by_phone.blocked, by_user.blocked, by_parent.blocked) AS blocked,
        COALESCE(by_phone.opted_out, by_user.opted_out, by_parent.opted_out) AS opted_out,
        COALESCE(by_phone.phone_key, by_user.phone_key, by_parent.phone_key) AS phone_key,
        COALESCE(by_phone.user_id, by_user.user_id, by_parent.user_id) AS user_id
    ) AS known
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT DISTINCT ON (account_id, phone_key) new_contact_id, account_id, recipient, phone_key FROM judged
    WHERE refusal IS NULL AND contact_id IS NULL AND phone_key IS NOT NULL ORDER BY account_id, phone_key
    -- Created concurrently: the update returns its id.
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id, account_id, phone_key
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id)
    SELECT DISTINCT ON (account_id, user_id) new_contact_id, account_id, user_id FROM judged
    WHERE refusal IS NULL AND contact_id IS NULL AND user_id IS NOT NULL
      -- Inserts them after the contacts with a phone number, to keep the lock order.
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
    -- A command that was delivered twice starts once, even if both are in this batch.
    inserted.id IS NOT NULL AND position = min(position) OVER (PARTITION BY judged.id) AS inserted
  FROM judged LEFT JOIN inserted ON inserted.id = judged.id
  ORDER BY position`;

export interface StoredSend {
  state: OutboundState;
  upstreamId: string | null;
  error: MessageError | null;
  /** True if the row was recorded after a 504 and no process has started the send. */
  isNotBegun?: boolean;
}

const STORED_SEND = 'state, upstream_id AS "upstreamId", error';

export const FIND_SEND = `SELECT ${STORED_SEND}, ${IS_NOT_BEGUN} AS "isNotBegun" FROM messages WHERE id = $1 AND account_id = $2 AND ${IS_OURS}`;

export const ACCEPTED_SENDS = batchOf(columnsOf(Message, ['id', 'accountId', 'upstreamId']));

/**
 * Records that the upstream platform accepted the messages. Keeps what an earlier callback has written. Locks rows in
 * id order, as callbacks do.
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

export const HELD_SENDS = batchOf({ ...columnsOf(Message, ['id', 'accountId']), reason: 'text' });

/** Marks accepted messages as held, unless the platform has reported a later status. */
export const HOLD_SENDS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${HELD_SENDS.unnest('send')}
  )
  UPDATE messages SET held_reason = given.reason FROM given
  WHERE messages.id = given.id AND messages.account_id = given.account_id AND messages.id = ANY (${HELD_SENDS.list('id')})
    AND state = 'accepted' AND held_reason IS NULL
  RETURNING ${REPORTED_COLUMNS}, held_reason AS reason`;

/** Fails a message that was not sent. Returns no row if a callback has already settled it. */
export const FAIL_SEND = `
  WITH failed AS (
    UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb, sealed_content = NULL
    WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown')
    RETURNING id, state, upstream_id, error
  ), released AS (${finishReservationsOf('failed', '0')})
  SELECT ${STORED_SEND} FROM failed`;

/**
 * Marks the outcome as unknown. If an upstream component received the message, only callbacks can settle it, and it is
 * never sent again.
 * $1 id, $2 account, $3 true if it was received
 */
export const MARK_UNKNOWN = `
  UPDATE messages SET state = 'unknown', repeatable = repeatable AND NOT $3::boolean
  WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown')
  RETURNING ${STORED_SEND}`;

/** Stores the new media id after the file was uploaded again. */
export const RENEW_MEDIA = `UPDATE messages SET media_id = $3 WHERE id = $1 AND account_id = $2 AND state = 'sending'`;
