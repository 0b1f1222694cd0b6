import { WINDOW_IS_OPEN } from '../messages/service-window';

/** A contact as the lists read it. */
export interface ContactRow {
  id: string;
  phone: string | null;
  userId: string | null;
  name: string | null;
  profileName: string | null;
  optedOut: boolean;
  marketingOptOut: boolean;
  blocked: boolean;
  lastMessageId: string | null;
  lastInboundAt: Date | null;
  windowOpen: boolean;
  createdAt: Date;
}

export const CONTACT = `
  contacts.id, phone, user_id AS "userId", COALESCE(name, profile_name) AS name, profile_name AS "profileName", opted_out AS "optedOut",
  marketing_opted_out AS "marketingOptOut", blocked, last_message_id AS "lastMessageId", last_inbound_at AS "lastInboundAt",
  COALESCE(${WINDOW_IS_OPEN}, false) AS "windowOpen", created_at AS "createdAt"`;
const WITH_CONVERSATION = 'contacts LEFT JOIN conversations ON contact_id = contacts.id';

/** $1 account, $2 opted out; null means any. */
const FILTERS = 'contacts.account_id = $1 AND ($2::boolean IS NULL OR opted_out = $2)';

export const OPTED_OUT_CONTACTS = `SELECT 1 FROM contacts WHERE ${FILTERS}`;

/**
 * Newest first; ids carry the time. What is found is looked at one by one: right for lists that begin with enough hits.
 * $3 the last contact before the page or null, $4 a fragment of the searched text or null, $5 rows to pass over, $6 most rows
 */
export const LIST_CONTACTS = `
  SELECT ${CONTACT} FROM ${WITH_CONVERSATION}
  WHERE ${FILTERS} AND ($3::text IS NULL OR contacts.id < $3)
    AND ($4::text IS NULL OR strpos(contact_search_text(phone, name, profile_name), search_form($4)) > 0)
  ORDER BY contacts.id DESC
  OFFSET $5 LIMIT $6`;

/** The contacts of these ids, newest first. $1 account, $2 ids */
export const CONTACTS_BY_ID = `
  SELECT ${CONTACT} FROM ${WITH_CONVERSATION}
  WHERE contacts.account_id = $1 AND contacts.id = ANY ($2::text[])
  ORDER BY contacts.id DESC`;

/** Whose number it is, in whichever spelling. $1 account, $2 match key, $3 opted out or null */
export const FIND_BY_NUMBER = `
  SELECT id FROM contacts WHERE account_id = $1 AND phone_key = $2 AND ($3::boolean IS NULL OR opted_out = $3)`;

/**
 * Whose name or number holds a fragment, by the index of their pieces; in no order.
 * $1 account, $2 fragment, $3 opted out or null, $4 most rows
 */
export const FIND_BY_FRAGMENT = `
  SELECT id FROM contacts
  WHERE contact_search_keys(account_id, contact_search_text(phone, name, profile_name)) @> fragment_search_keys($1, search_form($2))
    AND account_id = $1 AND strpos(contact_search_text(phone, name, profile_name), search_form($2)) > 0
    AND ($3::boolean IS NULL OR opted_out = $3)
  LIMIT $4`;
