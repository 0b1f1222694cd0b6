import type { TemplateDraftKind, TemplateDraftState } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { type DataSource, type EntityManager, Not, type QueryDeepPartialEntity } from 'typeorm';
import { TemplateDraft } from './template-draft.entity';
import { storableJson } from '../sync/storable-json';
import type { DraftContent, Json } from '@switchboard/template-rules';

export type DraftRow = Omit<TemplateDraft, 'accountId' | 'dueAt' | 'attempts' | 'mayHaveLanded'>;

const LIST_BUSINESSES = `
  SELECT waba_id AS "wabaId" FROM upstream_accounts WHERE account_id = $1 AND left_at IS NULL ORDER BY waba_id`;

/** Returns the WABA ids of the account's numbers. */
export async function listBusinesses(tx: Transaction, accountId: string): Promise<string[]> {
  return (await tx.query<{ wabaId: string }>(LIST_BUSINESSES, [accountId])).map(({ wabaId }) => wabaId);
}

/** Returns the WABA ids and locks their rows, so that the account leaves none of them before the transaction ends. */
export async function holdBusinesses(tx: Transaction, accountId: string): Promise<string[]> {
  return (await tx.query<{ wabaId: string }>(`${LIST_BUSINESSES} FOR SHARE`, [accountId])).map(({ wabaId }) => wabaId);
}

export function findDraft(
  { manager }: { manager: EntityManager },
  accountId: string,
  id: string,
): Promise<DraftRow | null> {
  return manager.findOneBy(TemplateDraft, { accountId, id });
}

export function lockDraft({ manager }: Transaction, accountId: string, id: string): Promise<DraftRow | null> {
  return manager.findOne(TemplateDraft, { where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
}

export interface DraftSubject extends Pick<DraftContent, 'name' | 'language'> {
  accountId: string;
  wabaId: string;
}

/** Returns the single unsubmitted draft of this name and language. */
export function findOpenDraft(
  { manager }: Transaction,
  { accountId, wabaId, name, language }: DraftSubject,
): Promise<DraftRow | null> {
  return manager.findOneBy(TemplateDraft, { accountId, wabaId, name, language, state: Not('submitted') });
}

export interface DraftPage {
  accountId: string;
  limit: number;
  state?: TemplateDraftState;
  before?: string;
}

/** Lists drafts, newest first. */
export function listDrafts(
  { manager }: DataSource,
  { accountId, limit, state, before }: DraftPage,
): Promise<DraftRow[]> {
  const list = manager.createQueryBuilder(TemplateDraft, 'draft').where({ accountId });
  if (state !== undefined) list.andWhere({ state });
  if (before !== undefined) list.andWhere('draft.id COLLATE "C" < :before', { before });
  return list.orderBy('draft.id COLLATE "C"', 'DESC').limit(limit).getMany();
}

export interface NewDraft extends DraftContent {
  accountId: string;
  id: string;
  wabaId: string;
  kind: TemplateDraftKind;
  templateId: string | null;
}

/** @returns null when an open draft of this name and language exists */
export async function insertDraft({ manager }: Transaction, draft: NewDraft): Promise<DraftRow | null> {
  const { accountId, id } = draft;
  const values = { ...draft, components: storable(draft.components) };
  await manager.createQueryBuilder().insert().into(TemplateDraft).values(values).orIgnore().execute();
  return findDraft({ manager }, accountId, id);
}

export async function updateDraft(
  { manager }: Transaction,
  accountId: string,
  id: string,
  content: DraftContent,
): Promise<DraftRow | null> {
  await manager.update(
    TemplateDraft,
    { accountId, id },
    { ...content, components: storable(content.components), state: 'draft', problem: null },
  );
  return findDraft({ manager }, accountId, id);
}

export async function deleteDraft({ manager }: Transaction, accountId: string, id: string): Promise<void> {
  await manager.delete(TemplateDraft, { accountId, id });
}

/** Starts the submission. Another process continues it if this one dies. */
export async function beginSubmission(
  { manager }: Transaction,
  accountId: string,
  id: string,
): Promise<DraftRow | null> {
  await manager.update(
    TemplateDraft,
    { accountId, id },
    { state: 'submitting', dueAt: () => 'now()', attempts: 0, mayHaveLanded: false, problem: null },
  );
  return findDraft({ manager }, accountId, id);
}

/** TypeORM's type for written values does not allow a nested `unknown`. */
type StoredComponents = QueryDeepPartialEntity<TemplateDraft>['components'];

const storable = (components: Json[]): StoredComponents => JSON.parse(storableJson(components)) as StoredComponents;
