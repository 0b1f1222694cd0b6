import { Injectable } from '@nestjs/common';
import {
  AppError,
  dataChangedV1,
  type LabelContactCommand,
  type LabelContactReply,
  notFound,
  type SetContactLabelsCommand,
  type UpdateContactReply,
} from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { inAlphabeticalOrder, labelKey } from '../labels/label.entity';
import {
  ADD_LABELS,
  COUNT_NAMED,
  HOLD_CONTACT,
  HOLD_LABEL,
  HOLD_LABELS,
  LABELS_OF_CONTACT,
  LOCK_CONTACT,
  LOCK_LABELS,
  REMOVE_LABEL,
  REMOVE_OTHER_LABELS,
} from '../labels/labels.queries';
import { createNamed } from '../labels/labels.service';
import { ContactsService } from './contacts.service';

/** Adds labels to contacts and removes them. Every change may be repeated. */
@Injectable()
export class ContactLabelsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly contacts: ContactsService,
  ) {}

  /** @throws AppError NOT_FOUND for an unknown contact or label */
  labelContact({ accountId, contactId, labelId, isLabelled }: LabelContactCommand): Promise<LabelContactReply> {
    return this.transactions.run(async (tx) => {
      if ((await tx.query(HOLD_CONTACT, [accountId, contactId])).length === 0) throw notFound('contact');
      if ((await tx.query(HOLD_LABEL, [accountId, labelId])).length === 0) throw notFound('label');
      const changed = isLabelled
        ? await tx.query(ADD_LABELS, [accountId, contactId, [labelId]])
        : await tx.query(REMOVE_LABEL, [accountId, contactId, labelId]);
      if (changed.length > 0) publishChange(tx, accountId, labelId);
      const [row] = await tx.query<LabelContactReply>(LABELS_OF_CONTACT, [accountId, contactId]);
      return { labels: inAlphabeticalOrder(row?.labels ?? []) };
    });
  }

  /**
   * Replaces the labels of a contact, and creates those that do not exist.
   * @throws AppError NOT_FOUND for an unknown contact, INVALID_VALUE for too many labels
   */
  async setLabels({ accountId, phone, labels }: SetContactLabelsCommand): Promise<UpdateContactReply> {
    const named = new Map(labels.map((name) => [labelKey(name), name]));
    if (named.has('')) throw blank();
    const contactId = await this.contacts.idOfPerson(accountId, phone);
    if (contactId === undefined) throw notFound('contact');
    await this.transactions.run(async (tx) => {
      if ((await tx.query(LOCK_CONTACT, [accountId, contactId])).length === 0) throw notFound('contact');
      const ids = await idsOf(tx, accountId, named);
      const removed = await tx.query(REMOVE_OTHER_LABELS, [accountId, contactId, ids]);
      const added = await tx.query(ADD_LABELS, [accountId, contactId, ids]);
      if (removed.length + added.length > 0) publishChange(tx, accountId);
    });
    const { contact, blocked } = await this.contacts.getContact({ accountId, contactId });
    return { contact, blocked };
  }
}

/**
 * Returns the ids of labels by name. Creates missing labels under the lock of the account's labels, which comes before
 * the locks of labels, as in the changes of labels.
 * @throws AppError UNAVAILABLE if a label was deleted or renamed meanwhile; nothing has been changed
 */
async function idsOf(tx: Transaction, accountId: string, named: ReadonlyMap<string, string>): Promise<string[]> {
  const names = [accountId, [...named.keys()]];
  const [existing] = await tx.query<{ count: number }>(COUNT_NAMED, names);
  const isLocked = (existing?.count ?? 0) < named.size;
  if (isLocked) await tx.query(LOCK_LABELS, [accountId]);
  const found = await tx.query<{ id: string; nameKey: string }>(HOLD_LABELS, names);
  const known = new Set(found.map(({ nameKey }) => nameKey));
  const missing = [...named].filter(([key]) => !known.has(key)).map(([, name]) => name);
  const ids = found.map(({ id }) => id);
  if (missing.length === 0) return ids;
  if (!isLocked) throw new AppError('UNAVAILABLE');
  return [...ids, ...(await createNamed(tx, accountId, missing))];
}

function publishChange(tx: Transaction, accountId: string, labelId?: string): void {
  tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'label', ...(labelId && { ids: [labelId] }) }] });
}

function blank(): AppError {
  const message = 'labels must not contain a blank name';
  return new AppError('INVALID_VALUE', { message, details: [{ field: 'labels', message }] });
}
