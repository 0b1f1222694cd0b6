import { batchOf } from '@switchboard/database';
import { ONBOARDED } from '@switchboard/upstream';
import { SERVICE_WINDOW_HOURS } from '../messages/service-window';

/** Hours within which the business must reply to a message from an ad to open a free entry point. */
const ENTRY_REPLY_HOURS = 24;
const ENTRY_HOURS = 72;
/** Maximum hours between an ad click and a message that is free because of it. */
export const ENTRY_SPAN_HOURS = ENTRY_REPLY_HOURS + ENTRY_HOURS;

export interface EstimatedNumber {
  id: string;
  phoneNumber: string;
  /** True if marketing templates are sent through the platform's marketing endpoint. */
  isByMarketingEndpoint: boolean;
  /** True if messages other than templates are sent without a known service window. */
  isWindowUnchecked: boolean;
  /** Currency of the account's spend cap. Null without a cap. */
  capCurrency: string | null;
}

/** $1 account, $2 phone numbers of the business */
export const FIND_ESTIMATED_NUMBERS = `
  SELECT numbers.id, phone_number AS "phoneNumber",
    COALESCE(marketing_onboarding = '${ONBOARDED}' AND marketing_endpoint, false) AS "isByMarketingEndpoint",
    COALESCE(window_policy = 'upstream', false) AS "isWindowUnchecked",
    (SELECT currency FROM spend_caps WHERE spend_caps.account_id = $1) AS "capCurrency"
  FROM numbers LEFT JOIN account_settings USING (account_id)
  WHERE account_id = $1 AND phone_number = ANY ($2::text[]) AND removed_at IS NULL`;

/** Recipients whose state is looked up, by match key or user id. */
export const ESTIMATED = batchOf({ phoneKey: 'text', userId: 'text' }, { from: 5 });

export interface RecipientState {
  /** Position in the batch, from 1. */
  position: string;
  /** True if the account has blocked the contact. */
  isBlocked: boolean;
  /** True if the number blocks the contact at the platform. */
  isBlockedUpstream: boolean;
  isOptedOut: boolean;
  hasWindow: boolean;
  isEntryPoint: boolean;
}

/**
 * Returns the state that recipients will have at the time of the sends. Recipients that are neither contacts nor
 * blocked have no row. Applies the same conditions as `BEGIN_SENDS`, but takes no locks.
 * $1 account, $2 number, $3 time of the sends, $4 first message id of `ENTRY_SPAN_HOURS` before it, then `ESTIMATED`
 */
export const FIND_RECIPIENT_STATES = `
  SELECT position, COALESCE(known.blocked, false) AS "isBlocked", is_blocked_upstream AS "isBlockedUpstream",
    COALESCE(opted_out OR marketing_opted_out, false) AS "isOptedOut",
    COALESCE(last_inbound_at > $3::timestamptz - interval '${SERVICE_WINDOW_HOURS} hours', false) AS "hasWindow",
    COALESCE(CASE
      WHEN reply.at <= click.at + interval '${ENTRY_REPLY_HOURS} hours'
        THEN $3::timestamptz < reply.at + interval '${ENTRY_HOURS} hours'
      ELSE $3::timestamptz < click.at + interval '${ENTRY_REPLY_HOURS} hours'
    END, false) AS "isEntryPoint"
  FROM ${ESTIMATED.unnest('given', 'position')}
  LEFT JOIN LATERAL (
    SELECT * FROM contacts WHERE account_id = $1 AND phone_key = given.phone_key
    UNION ALL SELECT * FROM contacts WHERE account_id = $1 AND user_id = given.user_id
    UNION ALL (SELECT * FROM contacts WHERE account_id = $1 AND parent_user_id = given.user_id ORDER BY id LIMIT 1)
    LIMIT 1
  ) AS known ON true
  CROSS JOIN LATERAL (
    SELECT EXISTS (
      SELECT 1 FROM blocks WHERE blocks.account_id = $1 AND blocks.number_id = $2
        AND blocks.phone_key IN (COALESCE(given.phone_key, known.phone_key), known.user_id, given.user_id)
    ) AS is_blocked_upstream
  ) AS blocking
  LEFT JOIN service_windows ON service_windows.number_id = $2 AND contact_id = known.id
  LEFT JOIN LATERAL (
    SELECT id, received_at AS at FROM (
      SELECT * FROM messages
      -- Skips contacts without a recent inbound message, which cannot have an entry point.
      WHERE last_inbound_at > $3::timestamptz - interval '${ENTRY_SPAN_HOURS} hours'
        AND messages.account_id = $1 AND messages.contact_id = known.id AND messages.id >= $4 AND settled
      -- Without this fence, the planner scans the messages of all contacts by id.
      OFFSET 0
    ) AS recent
    WHERE number_id = $2 AND direction = 'inbound' AND jsonb_typeof(reference -> 'referral') = 'object'
    ORDER BY id DESC LIMIT 1
  ) AS click ON true
  LEFT JOIN LATERAL (
    SELECT COALESCE(accepted_at, created_at) AS at FROM (
      SELECT * FROM messages
      WHERE messages.account_id = $1 AND messages.contact_id = known.id AND messages.id > click.id AND messages.id >= $4
        AND settled
      OFFSET 0
    ) AS later
    WHERE number_id = $2 AND direction = 'outbound' AND state <> 'failed'
    ORDER BY id LIMIT 1
  ) AS reply ON true
  WHERE known.id IS NOT NULL OR is_blocked_upstream`;

/** Key of a shared messaging limit. Falls back to the WABA, because its numbers always share a portfolio. */
const PORTFOLIO = 'COALESCE(portfolio_id, waba_id)';

export interface CapacityRow {
  id: string;
  phoneNumber: string;
  throughputLevel: string | null;
  messagingLimit: string | null;
  /** Portfolio of the number, or its WABA while the portfolio is unknown. */
  portfolio: string;
}

/** $1 account, $2 phone numbers of the business */
export const FIND_CAPACITIES = `
  SELECT id, phone_number AS "phoneNumber", throughput_level AS "throughputLevel", messaging_limit AS "messagingLimit",
    ${PORTFOLIO} AS portfolio
  FROM numbers WHERE account_id = $1 AND phone_number = ANY ($2::text[]) AND removed_at IS NULL`;

/**
 * Counts the contacts that received a template from any number of a portfolio since message $3. Never exceeds the
 * platform's own count. Reads at most $4 messages; `isCut` is true if it stopped there.
 * $1 account, $2 portfolio, $3 first message id, $4 maximum
 */
export const COUNT_CONTACTED = `
  SELECT count(DISTINCT contact_id)::int AS people, count(*) >= $4 AS "isCut" FROM (
    SELECT contact_id FROM messages
    WHERE account_id = $1 AND id >= $3 AND settled AND direction = 'outbound' AND type = 'template'
      AND number_id = ANY (ARRAY(SELECT id FROM numbers WHERE account_id = $1 AND ${PORTFOLIO} = $2))
      AND state <> 'failed'
    LIMIT $4
  ) AS sent`;

/**
 * Counts the service messages of a month, free and charged. $1 account, $2 first day, $3 first day of the next month
 */
export const COUNT_SERVICE_MESSAGES = `
  SELECT COALESCE(sum(delivered), 0)::float8 AS messages FROM usage_days
  WHERE account_id = $1 AND day >= $2::date AND day < $3::date AND category = 'service'`;

export const COUNT_NUMBERS =
  'SELECT count(*)::int AS numbers FROM numbers WHERE account_id = $1 AND removed_at IS NULL';
