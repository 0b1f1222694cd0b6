import { isParentUserId } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

/** Two contacts of an account that are the same person. */
export interface SamePerson {
  accountId: string;
  /** Contact to delete, which is known only by its user id. */
  goneId: string;
  /** Contact to keep. */
  keptId: string;
}

/**
 * Waits for pending writes of the contact's messages and blocks new ones, as an erasure does.
 * $1 account, $2 contact
 */
const LOCK_GONE = 'SELECT user_id AS "userId" FROM contacts WHERE account_id = $1 AND id = $2 FOR UPDATE';

/** Locks messages in the same order as status updates do. $1 account, $2 deleted contact, $3 kept contact */
const MOVE_MESSAGES = `
  WITH theirs AS MATERIALIZED (
    SELECT id FROM messages WHERE id = ANY (ARRAY(
      SELECT id FROM messages WHERE account_id = $1 AND contact_id = $2 AND settled
      UNION ALL SELECT id FROM messages WHERE account_id = $1 AND contact_id = $2 AND NOT settled
    )) ORDER BY id FOR UPDATE
  )
  UPDATE messages SET contact_id = $3 WHERE id = ANY (ARRAY(SELECT id FROM theirs))`;

/** Moves messages to groups, which are in no conversation. Same parameters as `MOVE_MESSAGES`. */
const MOVE_WORDS_TO_GROUPS = `
  UPDATE messages SET author_id = $3 WHERE account_id = $1 AND group_id IS NOT NULL AND author_id = $2`;
const MOVE_CHANGES = 'UPDATE message_changes SET contact_id = $3 WHERE account_id = $1 AND contact_id = $2';
const MOVE_NOTES = 'UPDATE notes SET contact_id = $3 WHERE account_id = $1 AND contact_id = $2';

/** Locks conversations in the same order as new messages do. $1 account, $2 both contacts */
const LOCK_CONVERSATIONS = `
  SELECT 1 FROM conversations WHERE account_id = $1 AND contact_id = ANY ($2::text[]) ORDER BY contact_id FOR UPDATE`;

/**
 * Adds up the derived counts as if all messages had been exchanged with one contact. Same parameters as
 * `MOVE_MESSAGES`.
 */
const JOIN_CONVERSATIONS = `
  WITH gone AS (
    DELETE FROM conversations WHERE account_id = $1 AND contact_id = $2 RETURNING *
  ), moved AS (
    -- In the same statement, which deletes what still belongs to the deleted conversation at its end.
    UPDATE activities SET contact_id = $3 WHERE account_id = $1 AND contact_id = $2
  )
  INSERT INTO conversations AS known (contact_id, account_id, last_message_id, last_answer_id, last_inbound_at,
    message_count, unread_count, waiting_id, done, assignee_id)
  SELECT $3, account_id, last_message_id, last_answer_id, last_inbound_at, message_count, unread_count, waiting_id, done,
    assignee_id
  FROM gone
  ON CONFLICT (contact_id) DO UPDATE
  SET last_message_id = GREATEST(known.last_message_id, EXCLUDED.last_message_id),
      last_answer_id = GREATEST(known.last_answer_id, EXCLUDED.last_answer_id),
      last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at),
      message_count = known.message_count + EXCLUDED.message_count,
      unread_count = (SELECT count(*) FROM messages
        WHERE account_id = $1 AND contact_id = $3 AND settled AND direction = 'inbound' AND origin <> 'history'
          AND NOT is_withdrawal(type, content) AND id > GREATEST(known.last_answer_id, EXCLUDED.last_answer_id)),
      waiting_id = CASE WHEN NOT (known.done AND EXCLUDED.done) THEN first_unanswered($1, $3) END,
      done = known.done AND EXCLUDED.done,
      assignee_id = COALESCE(known.assignee_id, EXCLUDED.assignee_id)`;

const JOIN_WINDOWS = `
  WITH gone AS (
    DELETE FROM service_windows USING numbers
    WHERE numbers.account_id = $1 AND number_id = numbers.id AND contact_id = $2
    RETURNING number_id, service_windows.account_id, last_inbound_at
  )
  INSERT INTO service_windows AS known (number_id, contact_id, account_id, last_inbound_at)
  SELECT number_id, $3, account_id, last_inbound_at FROM gone ORDER BY number_id
  ON CONFLICT (number_id, contact_id) DO UPDATE
  SET last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at)`;

/** Adds labels to the kept contact. Those of the deleted contact go with it. Same parameters as `MOVE_MESSAGES`. */
const JOIN_LABELS = `
  INSERT INTO contact_labels (account_id, contact_id, label_id)
  SELECT contact_labels.account_id, $3, label_id FROM contact_labels JOIN labels ON labels.id = label_id
  WHERE contact_labels.account_id = $1 AND contact_id = $2 AND deleted_at IS NULL ORDER BY label_id
  ON CONFLICT DO NOTHING`;

/** SQL condition: the merged contact gets the opt-out of the deleted one. */
const GONE_IS_NEWER = `CASE
        WHEN kept.opted_out_at IS NULL OR gone.opted_out_at IS NULL THEN NOT kept.opted_out AND gone.opted_out
        ELSE gone.opted_out_at > kept.opted_out_at
      END`;

/**
 * Merges names, opt-outs and blocks. The newer opt-out or opt-in wins. The kept contact keeps the name that the account
 * gave it.
 */
const JOIN_FACTS = `
  UPDATE contacts AS kept
  SET name = COALESCE(kept.name, gone.name),
      profile_name = COALESCE(kept.profile_name, gone.profile_name),
      app_name = CASE WHEN gone.app_name_at > COALESCE(kept.app_name_at, '-infinity') THEN gone.app_name ELSE kept.app_name END,
      app_name_at = GREATEST(kept.app_name_at, gone.app_name_at),
      username = COALESCE(kept.username, gone.username),
      parent_user_id = COALESCE(kept.parent_user_id, gone.parent_user_id),
      -- The source and detail belong to the opt-out that is kept.
      opted_out_source = CASE WHEN ${GONE_IS_NEWER} THEN gone.opted_out_source ELSE kept.opted_out_source END,
      opted_out_detail = CASE WHEN ${GONE_IS_NEWER} THEN gone.opted_out_detail ELSE kept.opted_out_detail END,
      opted_out = ${newer('opted_out')}, opted_out_at = GREATEST(kept.opted_out_at, gone.opted_out_at),
      marketing_opted_out = ${newer('marketing_opted_out')},
      marketing_opted_out_at = GREATEST(kept.marketing_opted_out_at, gone.marketing_opted_out_at),
      blocked = kept.blocked OR gone.blocked
  FROM contacts AS gone
  WHERE gone.account_id = $1 AND gone.id = $2 AND kept.account_id = $1 AND kept.id = $3`;

const DELETE_GONE = 'DELETE FROM contacts WHERE account_id = $1 AND id = $2';
const TAKE_USER_ID = 'UPDATE contacts SET user_id = $3 WHERE account_id = $1 AND id = $2';

/**
 * Returns SQL for the newer value of an opt-out flag. An opt-out without a time, which an operator may have set, is
 * never lost.
 */
function newer(flag: 'opted_out' | 'marketing_opted_out'): string {
  return `CASE
        WHEN kept.${flag}_at IS NULL OR gone.${flag}_at IS NULL THEN kept.${flag} OR gone.${flag}
        WHEN gone.${flag}_at > kept.${flag}_at THEN gone.${flag}
        ELSE kept.${flag}
      END`;
}

/**
 * Merges two contacts of the same person: moves messages, notes, activities, windows, opt-outs, labels and the user id
 * to the kept contact. Runs in the caller's transaction, which must have locked the kept contact.
 */
export async function mergeContacts(tx: Transaction, { accountId, goneId, keptId }: SamePerson): Promise<void> {
  const [gone] = await tx.query<{ userId: string | null }>(LOCK_GONE, [accountId, goneId]);
  if (!gone) return;
  const both = [accountId, goneId, keptId];
  for (const move of [MOVE_MESSAGES, MOVE_WORDS_TO_GROUPS, MOVE_CHANGES, MOVE_NOTES]) await tx.query(move, both);
  await tx.query(LOCK_CONVERSATIONS, [accountId, [goneId, keptId]]);
  await tx.query(JOIN_CONVERSATIONS, both);
  await tx.query(JOIN_WINDOWS, both);
  await tx.query(JOIN_FACTS, both);
  await tx.query(JOIN_LABELS, both);
  await tx.query(DELETE_GONE, [accountId, goneId]);
  // A parent id belongs to several businesses, and the kept contact has it already.
  if (gone.userId !== null && !isParentUserId(gone.userId))
    await tx.query(TAKE_USER_ID, [accountId, keptId, gone.userId]);
}
