import { idOfPerson } from '../people/person-keys';

export interface NoteRow {
  id: string;
  contactId: string;
  authorId: string;
  text: string;
}

export interface ContactNoteRow extends NoteRow {
  phone: string | null;
  userId: string | null;
  contactName: string | null;
}

/**
 * Inserts a note. The lock makes an erasure or merge of the contact wait, as for messages. Returns no row for an
 * unknown contact, and for a note that is already stored. $1 account, $2 contact, $3 note, $4 author, $5 text
 */
export const INSERT_NOTE = `
  WITH person AS MATERIALIZED (
    SELECT id FROM contacts WHERE account_id = $1 AND id = $2 FOR KEY SHARE
  )
  INSERT INTO notes (id, account_id, contact_id, author_id, text)
  SELECT $3, $1, person.id, $4, $5 FROM person
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;

/** $1 account, $2 note */
export const FIND_NOTE = 'SELECT 1 FROM notes WHERE account_id = $1 AND id = $2';

/** $1 account, $2 note, $3 author, or null for any */
export const DELETE_NOTE = `
  DELETE FROM notes WHERE account_id = $1 AND id = $2 AND ($3::text IS NULL OR author_id = $3)
  RETURNING contact_id AS "contactId"`;

/**
 * Lists the notes of a period, newest first.
 * $1 account, $2 match key of the contact or null, $3 user id or null, $4 lowest id, $5 exclusive highest id, $6 limit
 */
export const LIST_NOTES_OF_PERSON = `
  SELECT id, contact_id AS "contactId", author_id AS "authorId", text FROM notes
  WHERE account_id = $1 AND contact_id = ANY (ARRAY${idOfPerson('$1', '$2', '$3')}) AND id >= $4 AND id < $5
  ORDER BY id DESC LIMIT $6`;

/** Lists all notes with their contacts, newest first. $1 account, $2 exclusive highest id, $3 limit */
export const LIST_NOTES = `
  SELECT notes.id, contact_id AS "contactId", author_id AS "authorId", text, phone, user_id AS "userId",
    COALESCE(name, app_name, profile_name) AS "contactName"
  FROM notes JOIN contacts ON contacts.id = contact_id
  WHERE notes.account_id = $1 AND notes.id < $2
  ORDER BY notes.id DESC LIMIT $3`;
