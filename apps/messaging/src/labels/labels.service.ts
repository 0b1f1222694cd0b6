import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ChangeLabelCommand,
  type CreateLabelCommand,
  dataChangedV1,
  type DeleteLabelCommand,
  type DeleteLabelReply,
  LABELS_MAX,
  type LabelColour,
  type LabelRecord,
  type LabelReply,
  type ListLabelsCommand,
  type ListLabelsReply,
  newId,
  notFound,
} from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { CLEANUP_STATEMENT_MS, Every } from '@switchboard/platform';
import { DataSource, IsNull } from 'typeorm';
import { capped, COUNT_LIMIT } from '../list-totals/list-totals';
import { alphabet, Label, labelKey, nextColour } from './label.entity';
import {
  DELETE_LABEL,
  type DeletedLabel,
  FIND_DELETED_LABEL,
  type LabelRow,
  LIST_LABELS,
  LOCK_LABELS,
  SWEEP_CONTACTS,
  SWEEP_LABEL,
} from './labels.queries';

const SWEEP_EVERY_MS = 60_000;
const CONTACTS_AT_A_TIME = 5_000;

/** Manages the labels of accounts. */
@Injectable()
export class LabelsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  async listLabels({ accountId }: ListLabelsCommand): Promise<ListLabelsReply> {
    const rows = await query<LabelRow>(this.dataSource, LIST_LABELS, [accountId, COUNT_LIMIT + 1, null]);
    return { labels: rows.map(toRecord).sort((one, other) => alphabet.compare(one.name, other.name)) };
  }

  /** @throws AppError INVALID_VALUE for a name in use, or too many labels */
  createLabel({ accountId, labelId, name, colour }: CreateLabelCommand): Promise<LabelReply> {
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_LABELS, [accountId]);
      const labels = await labelsOf(tx, accountId);
      if (!labels.some(({ id }) => id === labelId)) {
        requireRoom(labels.length, 1);
        requireUnused(labels, name);
        await insertLabel(tx, { accountId, id: labelId, name, colour });
        tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'label', ids: [labelId] }] });
      }
      return { label: await readLabel(tx, accountId, labelId) };
    });
  }

  /** @throws AppError NOT_FOUND, INVALID_VALUE for a name in use */
  changeLabel({ accountId, labelId, name, colour }: ChangeLabelCommand): Promise<LabelReply> {
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_LABELS, [accountId]);
      const others = (await labelsOf(tx, accountId)).filter(({ id }) => id !== labelId);
      if (name !== undefined) requireUnused(others, name);
      const changes = { ...(name !== undefined && namesOf(name)), ...(colour && { colour }) };
      if (Object.keys(changes).length > 0)
        await tx.manager.update(Label, { accountId, id: labelId, deletedAt: IsNull() }, changes);
      tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'label', ids: [labelId] }] });
      return { label: await readLabel(tx, accountId, labelId) };
    });
  }

  /**
   * Makes a label invisible everywhere. `sweep` removes it from its contacts.
   * @throws AppError NOT_FOUND
   */
  deleteLabel({ accountId, labelId }: DeleteLabelCommand): Promise<DeleteLabelReply> {
    return this.transactions.run(async (tx) => {
      if ((await tx.query(DELETE_LABEL, [accountId, labelId])).length === 0) throw notFound('label');
      tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'label', ids: [labelId] }] });
      return { id: labelId };
    });
  }

  /**
   * Removes a deleted label from some contacts, and deletes it once it has none.
   * @returns true if there is more to remove
   */
  @Every({ name: 'labels', everyMs: SWEEP_EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async sweep(): Promise<boolean> {
    const [label] = await query<DeletedLabel>(this.dataSource, FIND_DELETED_LABEL);
    if (!label) return false;
    const place = [label.accountId, label.id];
    const swept = await query(this.dataSource, SWEEP_CONTACTS, [...place, CONTACTS_AT_A_TIME]);
    if (swept.length === 0) await query(this.dataSource, SWEEP_LABEL, place);
    return true;
  }
}

function toRecord({ id, name, colour, contacts }: LabelRow): LabelRecord {
  return { id, name, colour: colour as LabelColour, contacts: capped(contacts) };
}

/** Reads the labels of an account in a transaction that has locked them. */
export function labelsOf(tx: Transaction, accountId: string): Promise<Label[]> {
  return tx.manager.findBy(Label, { accountId, deletedAt: IsNull() });
}

async function readLabel(tx: Transaction, accountId: string, labelId: string): Promise<LabelRecord> {
  const [row] = await tx.query<LabelRow>(LIST_LABELS, [accountId, COUNT_LIMIT + 1, labelId]);
  if (!row) throw notFound('label');
  return toRecord(row);
}

/** Creates labels by name in a transaction that has locked the account's labels. @returns their ids */
export async function createNamed(tx: Transaction, accountId: string, names: readonly string[]): Promise<string[]> {
  const labels = await labelsOf(tx, accountId);
  requireRoom(labels.length, names.length);
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const id = newId('lbl');
    await insertLabel(tx, { accountId, id, name, colour: nextColour(labels.length + index) });
    ids.push(id);
  }
  return ids;
}

const namesOf = (name: string): Pick<Label, 'name' | 'nameKey'> => ({
  name: name.normalize('NFC').replace(/\s+/g, ' ').trim(),
  nameKey: labelKey(name),
});

async function insertLabel(
  tx: Transaction,
  { name, ...label }: Pick<Label, 'id' | 'accountId' | 'name' | 'colour'>,
): Promise<void> {
  await tx.manager.insert(Label, { ...label, ...namesOf(name), deletedAt: null });
}

function requireRoom(count: number, added: number): void {
  if (count + added > LABELS_MAX) throw invalid(`an account has at most ${LABELS_MAX} labels`);
}

function requireUnused(labels: readonly Label[], name: string): void {
  const key = labelKey(name);
  if (key === '') throw invalid('name must not be blank', 'name');
  if (labels.some(({ nameKey }) => nameKey === key)) throw invalid('another label has this name', 'name');
}

function invalid(message: string, field?: string): AppError {
  return new AppError('INVALID_VALUE', { message, ...(field && { details: [{ field, message }] }) });
}
