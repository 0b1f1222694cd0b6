/** The account's own words; null for the usual ones. $1 account */
export const FIND_WORDS = `
  SELECT opt_out_words AS "optOut", opt_in_words AS "optIn" FROM account_settings WHERE account_id = $1`;

const wishSql = (flag: 'opted_out' | 'marketing_opted_out'): string => `
  WITH locked AS MATERIALIZED (
    -- In the order in which callbacks lock contacts, so that nobody runs into a deadlock.
    SELECT id FROM contacts WHERE id = ANY ($2::text[]) AND account_id = $1 ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE contacts SET ${flag} = wish.refuses, ${flag}_at = wish.at
  FROM unnest($2::text[], $3::boolean[], $4::timestamptz[]) AS wish (contact_id, refuses, at) JOIN locked ON locked.id = wish.contact_id
  WHERE contacts.id = wish.contact_id AND contacts.account_id = $1
    -- An older wish that arrives late changes nothing; the time is that of the last wish, whichever it was.
    AND (${flag}_at IS NULL OR wish.at >= ${flag}_at)`;

/**
 * What customers wrote to us. $1 account, then lists, each contact once: $2 contacts, $3 whether they refuse, $4 when
 * they said so
 */
export const SET_OPT_OUTS = wishSql('opted_out');

/** What customers told the upstream platform. The same parameters. */
export const SET_MARKETING_OPT_OUTS = wishSql('marketing_opted_out');

/**
 * The customer has a new number, unless it is somebody's already. $1 contact, $2 account, $3 phone, $4 its match key
 */
export const CHANGE_PHONE = `
  UPDATE contacts SET phone = $3, phone_key = $4
  WHERE id = $1 AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $2 AND phone_key = $4 AND id <> $1)
  RETURNING id`;

/**
 * What a customer refused under the old number stays refused under the new one, which has a contact of its own. $1 old
 * contact, $2 account, $3 match key of the new number
 */
export const CARRY_REFUSALS = `
  UPDATE contacts AS target
  SET opted_out = target.opted_out OR source.opted_out, opted_out_at = GREATEST(target.opted_out_at, source.opted_out_at),
      marketing_opted_out = target.marketing_opted_out OR source.marketing_opted_out,
      marketing_opted_out_at = GREATEST(target.marketing_opted_out_at, source.marketing_opted_out_at),
      blocked = target.blocked OR source.blocked
  FROM contacts AS source
  WHERE source.id = $1 AND source.account_id = $2 AND target.account_id = $2 AND target.phone_key = $3
    AND (source.opted_out OR source.marketing_opted_out OR source.blocked)`;

/** The upstream platform has a new id for the customer. $1 contact, $2 account, $3 user id */
export const CHANGE_USER_ID = `
  UPDATE contacts SET user_id = $3
  WHERE id = $1 AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $2 AND user_id = $3 AND id <> $1)`;
