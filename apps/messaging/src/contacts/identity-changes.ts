import { canonicalPhone, isPhone } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { mergeContacts } from './merge-contacts';

/**
 * The customer has a new number, unless it is somebody's already. $1 contact, $2 account, $3 phone, $4 its match key
 */
const CHANGE_PHONE = `
  UPDATE contacts SET phone = $3, phone_key = $4
  WHERE id = $1 AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $2 AND phone_key = $4
    AND id <> $1)
  RETURNING id`;

/**
 * What a customer refused under the old number stays refused under the new one, which has a contact of its own. $1 old
 * contact, $2 account, $3 match key of the new number
 */
const CARRY_REFUSALS = `
  UPDATE contacts AS target
  SET opted_out = target.opted_out OR source.opted_out, opted_out_at = GREATEST(target.opted_out_at,
    source.opted_out_at),
      marketing_opted_out = target.marketing_opted_out OR source.marketing_opted_out,
      marketing_opted_out_at = GREATEST(target.marketing_opted_out_at, source.marketing_opted_out_at),
      blocked = target.blocked OR source.blocked
  FROM contacts AS source
  WHERE source.id = $1 AND source.account_id = $2 AND target.account_id = $2 AND target.phone_key = $3
    AND (source.opted_out OR source.marketing_opted_out OR source.blocked)`;

/** Who came under the new id before the notice of it, and is known by nothing else. $1 contact, $2 account, $3 user id */
const FIND_SAME = `
  SELECT id FROM contacts WHERE account_id = $2 AND user_id = $3 AND phone_key IS NULL AND id <> $1`;

/** The upstream platform has a new id for the customer. $1 contact, $2 account, $3 user id */
const CHANGE_USER_ID = `
  UPDATE contacts SET user_id = $3
  WHERE id = $1 AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $2 AND user_id = $3
    AND id <> $1)`;

/** A new number; upstream has written the one and the other. */
const NUMBER_NOTICES = ['user_changed_number', 'customer_changed_number'];

/** A notice of the upstream platform (type `system`) about the customer who seems to have written it. */
export interface SystemNotice {
  contactId: string;
  content: object | null;
}

/** Follows customers to their new phone number or user id; other notices say nothing about them. */
export async function followCustomers(
  tx: Transaction,
  accountId: string,
  notices: readonly SystemNotice[],
): Promise<void> {
  for (const { contactId, content } of notices) {
    const { type, wa_id: phone, user_id: userId } = (content ?? {}) as Record<string, unknown>;
    if (NUMBER_NOTICES.includes(String(type)) && typeof phone === 'string' && isPhone(phone))
      await changePhone(tx, { contactId, accountId, phone });
    if (type === 'user_changed_user_id' && typeof userId === 'string' && userId !== '')
      await changeUserId(tx, { contactId, accountId, userId });
  }
}

async function changeUserId(
  tx: Transaction,
  { contactId, accountId, userId }: { contactId: string; accountId: string; userId: string },
): Promise<void> {
  const [same] = await tx.query<{ id: string }>(FIND_SAME, [contactId, accountId, userId]);
  if (same) return mergeContacts(tx, { accountId, goneId: same.id, keptId: contactId });
  await tx.query(CHANGE_USER_ID, [contactId, accountId, userId]);
}

async function changePhone(
  tx: Transaction,
  { contactId, accountId, phone }: { contactId: string; accountId: string; phone: string },
): Promise<void> {
  const key = canonicalPhone(phone);
  const [changed] = await tx.query(CHANGE_PHONE, [contactId, accountId, phone, key]);
  if (!changed) await tx.query(CARRY_REFUSALS, [contactId, accountId, key]);
}
