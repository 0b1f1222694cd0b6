import { canonicalPhone, isPhone } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { CARRY_REFUSALS, CHANGE_PHONE, CHANGE_USER_ID } from './wishes.queries';

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
    if (type === 'user_changed_number' && typeof phone === 'string' && isPhone(phone))
      await changePhone(tx, { contactId, accountId, phone });
    if (type === 'user_changed_user_id' && typeof userId === 'string' && userId !== '')
      await tx.query(CHANGE_USER_ID, [contactId, accountId, userId]);
  }
}

async function changePhone(
  tx: Transaction,
  { contactId, accountId, phone }: { contactId: string; accountId: string; phone: string },
): Promise<void> {
  const key = canonicalPhone(phone);
  const [changed] = await tx.query(CHANGE_PHONE, [contactId, accountId, phone, key]);
  if (!changed) await tx.query(CARRY_REFUSALS, [contactId, accountId, key]);
}
