import {
  canonicalPhone,
  contactChangedV1,
  isPhone,
  newPhoneIn,
  NUMBER_NOTICES,
  USER_ID_NOTICE,
} from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { NumberOwner } from '../numbers/numbers.queries';
import { mergeContacts } from './merge-contacts';

/**
 * Changes the phone number of a contact, unless another contact has it.
 * $1 contact, $2 account, $3 phone, $4 its match key
 */
const CHANGE_PHONE = `
  UPDATE contacts SET phone = $3, phone_key = $4
  WHERE id = $1 AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $2 AND phone_key = $4
    AND id <> $1)
  RETURNING id`;

/**
 * Copies opt-outs and blocks to the contact that already has the new number.
 * $1 old contact, $2 account, $3 match key of the new number
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

/**
 * Finds a contact without a phone number that was created under the new user id before the notice arrived.
 * $1 contact, $2 account, $3 user id
 */
const FIND_SAME = `
  SELECT id FROM contacts WHERE account_id = $2 AND user_id = $3 AND phone_key IS NULL AND id <> $1`;

/** Changes the user id of a contact, unless another contact has it. $1 contact, $2 account, $3 user id */
const CHANGE_USER_ID = `
  UPDATE contacts SET user_id = $3
  WHERE id = $1 AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = $2 AND user_id = $3
    AND id <> $1)
  RETURNING id`;

/** $1 account, $2 contact (locked) */
const READ_IDENTITY = `
  SELECT phone, user_id AS "userId", COALESCE(profile_name, name, app_name) AS name
  FROM contacts WHERE account_id = $1 AND id = $2`;

interface Identity {
  phone: string | null;
  userId: string | null;
}

/** A system notice (type `system`) of the upstream platform. Its sender is the contact it describes. */
export interface SystemNotice {
  id: string;
  contactId: string;
  sender: string;
  name: string | null;
  content: object | null;
  /** ISO 8601. */
  at: string;
}

/** Applies new phone numbers and user ids to contacts and publishes the changes. Ignores other notices. */
export async function followCustomers(
  tx: Transaction,
  owner: NumberOwner,
  notices: readonly SystemNotice[],
): Promise<void> {
  for (const notice of notices) {
    const next = identityIn(notice.content);
    if (next.phone !== null || next.userId !== null) await follow(tx, owner, notice, next);
  }
}

/** Reads the new phone number and user id from a notice. A notice of a new number may contain both. */
function identityIn(content: object | null): Identity {
  const { type, user_id: userId } = (content ?? {}) as Record<string, unknown>;
  const isOfNumber = NUMBER_NOTICES.includes(type);
  const phone = newPhoneIn(content);
  const named = (isOfNumber || type === USER_ID_NOTICE) && typeof userId === 'string' && userId !== '' ? userId : null;
  return { phone: isOfNumber && phone !== undefined && isPhone(phone) ? phone : null, userId: named };
}

async function follow(
  tx: Transaction,
  { accountId, phoneNumber: to }: NumberOwner,
  { id, contactId, sender: from, name: given, content, at: timestamp }: SystemNotice,
  next: Identity,
): Promise<void> {
  const [before] = await tx.query<Identity & { name: string | null }>(READ_IDENTITY, [accountId, contactId]);
  const { previous_user_id: previous } = (content ?? {}) as Record<string, unknown>;
  // System notices do not contain the profile.
  const name = given ?? before?.name ?? null;
  const phone = next.phone ?? before?.phone ?? null;
  const userId = next.userId ?? before?.userId ?? null;
  const isOtherPhone = next.phone !== null && next.phone !== before?.phone;
  const isOtherUser = next.userId !== null && next.userId !== before?.userId;
  if (!isOtherPhone && !isOtherUser) return;
  const hasPhone = !isOtherPhone || (await changePhone(tx, { contactId, accountId, phone: next.phone ?? '' }));
  // If the two contacts stay separate, the new user id belongs to the contact with the new number.
  const hasUser = !isOtherUser || (hasPhone && (await changeUserId(tx, [contactId, accountId, next.userId])));
  const known = typeof previous === 'string' ? previous : (before?.userId ?? null);
  tx.publish(contactChangedV1, {
    accountId,
    id,
    contactId,
    to,
    from,
    name,
    timestamp,
    previousPhone: before?.phone ?? null,
    phone,
    previousUserId: known === next.userId ? null : known,
    userId,
    moved: hasPhone && hasUser,
  });
}

/**
 * Changes the number, or copies the opt-outs to the contact that already has it.
 * @returns true if the number was free
 */
async function changePhone(
  tx: Transaction,
  { contactId, accountId, phone }: { contactId: string; accountId: string; phone: string },
): Promise<boolean> {
  const key = canonicalPhone(phone);
  const [changed] = await tx.query(CHANGE_PHONE, [contactId, accountId, phone, key]);
  if (!changed) await tx.query(CARRY_REFUSALS, [contactId, accountId, key]);
  return Boolean(changed);
}

/**
 * Changes the user id after merging a contact that has no other identity.
 * @returns true if the id was free
 */
async function changeUserId(
  tx: Transaction,
  [contactId, accountId, userId]: [string, string, string | null],
): Promise<boolean> {
  const [same] = await tx.query<{ id: string }>(FIND_SAME, [contactId, accountId, userId]);
  if (same) await mergeContacts(tx, { accountId, goneId: same.id, keptId: contactId });
  return same !== undefined || (await tx.query(CHANGE_USER_ID, [contactId, accountId, userId])).length > 0;
}
