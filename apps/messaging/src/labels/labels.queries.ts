/** Locks the labels of an account, so that names stay unique and their number limited. $1 account */
export const LOCK_LABELS = "SELECT pg_advisory_xact_lock(hashtext('messaging.labels'), hashtext($1))";

/** SQL expression: the names of a contact's labels, unordered (`inAlphabeticalOrder`). $1 account */
export const labelsColumn = (contactId: string): string => `
  ARRAY(SELECT labels.name FROM contact_labels JOIN labels ON labels.id = contact_labels.label_id
    WHERE contact_labels.account_id = $1 AND contact_labels.contact_id = ${contactId} AND labels.deleted_at IS NULL) AS labels`;

/** SQL condition: the contact has the label. $1 account */
export const hasLabel = (contactId: string, label: string): string => `
  EXISTS (SELECT 1 FROM contact_labels
    WHERE contact_labels.account_id = $1 AND contact_labels.contact_id = ${contactId} AND label_id = ${label})`;

export interface LabelRow {
  id: string;
  name: string;
  colour: string;
  contacts: number;
}

/** Reads labels, with their contacts counted up to a limit. $1 account, $2 limit, $3 label or null for all */
export const LIST_LABELS = `
  SELECT id, name, colour, (SELECT count(*) FROM (
    SELECT 1 FROM contact_labels WHERE account_id = $1 AND label_id = labels.id LIMIT $2) AS counted)::int AS contacts
  FROM labels WHERE account_id = $1 AND deleted_at IS NULL AND ($3::text IS NULL OR id = $3)`;

/** $1 account, $2 contact */
export const LABELS_OF_CONTACT = `SELECT ${labelsColumn('$2')}`;

/** $1 account, $2 name without case */
export const FIND_LABEL = 'SELECT id FROM labels WHERE account_id = $1 AND name_key = $2 AND deleted_at IS NULL';

/** $1 account, $2 label */
export const LABEL_EXISTS = 'SELECT 1 FROM labels WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL';

/** Reads the contacts of a label up to a limit, newest first. $1 account, $2 label, $3 limit */
export const CONTACTS_WITH_LABEL = `
  SELECT contact_id AS id FROM contact_labels WHERE account_id = $1 AND label_id = $2 ORDER BY contact_id DESC LIMIT $3`;

/** Returns those of the given contacts that have the label. $1 account, $2 label, $3 contacts */
export const HAVING_LABEL = `
  SELECT contact_id AS id FROM contact_labels WHERE account_id = $1 AND label_id = $2 AND contact_id = ANY ($3::text[])`;

/** Prevents an erasure until the transaction ends. $1 account, $2 contact */
export const HOLD_CONTACT = 'SELECT id FROM contacts WHERE account_id = $1 AND id = $2 FOR KEY SHARE';

/** Locks a contact, so that two sets of labels are applied one after the other. $1 account, $2 contact */
export const LOCK_CONTACT = 'SELECT id FROM contacts WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE';

/** $1 account, $2 names without case */
export const COUNT_NAMED = `
  SELECT count(*)::int AS count FROM labels WHERE account_id = $1 AND name_key = ANY ($2::text[]) AND deleted_at IS NULL`;

/** Prevents the deletion of labels until the transaction ends. $1 account, $2 names without case */
export const HOLD_LABELS = `
  SELECT id, name_key AS "nameKey" FROM labels WHERE account_id = $1 AND name_key = ANY ($2::text[]) AND deleted_at IS NULL
  ORDER BY id FOR SHARE`;

/** $1 account, $2 label */
export const HOLD_LABEL = 'SELECT id FROM labels WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE';

/** Adds labels to a contact. Returns those it did not have. $1 account, $2 contact, $3 labels */
export const ADD_LABELS = `
  INSERT INTO contact_labels (account_id, contact_id, label_id) SELECT $1, $2, unnest($3::text[])
  ON CONFLICT DO NOTHING RETURNING label_id`;

/** $1 account, $2 contact, $3 label */
export const REMOVE_LABEL = `
  DELETE FROM contact_labels WHERE account_id = $1 AND contact_id = $2 AND label_id = $3 RETURNING label_id`;

/** $1 account, $2 contact, $3 labels to keep */
export const REMOVE_OTHER_LABELS = `
  DELETE FROM contact_labels WHERE account_id = $1 AND contact_id = $2 AND label_id <> ALL ($3::text[]) RETURNING label_id`;

/** Makes a label invisible. Keeps the time of the first deletion. $1 account, $2 label */
export const DELETE_LABEL = `
  UPDATE labels SET deleted_at = COALESCE(deleted_at, now()) WHERE account_id = $1 AND id = $2 RETURNING id`;

export interface DeletedLabel {
  id: string;
  accountId: string;
}

/** Finds the label that was deleted first, across all accounts. */
export const FIND_DELETED_LABEL = `
  SELECT id, account_id AS "accountId" FROM labels WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1`;

/** Removes a deleted label from some contacts. $1 account, $2 label, $3 limit */
export const SWEEP_CONTACTS = `
  DELETE FROM contact_labels WHERE account_id = $1 AND label_id = $2 AND contact_id = ANY (ARRAY(
    SELECT contact_id FROM contact_labels WHERE account_id = $1 AND label_id = $2 ORDER BY contact_id LIMIT $3 FOR UPDATE
  ))
  RETURNING 1`;

/** $1 account, $2 label */
export const SWEEP_LABEL = 'DELETE FROM labels WHERE account_id = $1 AND id = $2 AND deleted_at IS NOT NULL';
