import type { TemplateDraftKind, TemplateDraftState } from '@switchboard/contracts';
import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { storableJson } from '../sync/storable-json';
import type { DraftContent, Json } from '@switchboard/template-rules';

export interface DraftRow {
  id: string;
  wabaId: string;
  kind: TemplateDraftKind;
  templateId: string | null;
  name: string;
  language: string;
  category: string;
  components: Json[];
  ttlSeconds: number | null;
  state: TemplateDraftState;
  problem: string | null;
  createdAt: Date;
  updatedAt: Date;
  submittedAt: Date | null;
}

export const DRAFT_COLUMNS = `
  id, waba_id AS "wabaId", kind, template_id AS "templateId", name, language, category, components, ttl_seconds AS "ttlSeconds",
  state, problem, created_at AS "createdAt", updated_at AS "updatedAt", submitted_at AS "submittedAt"`;

const LIST_BUSINESSES = `
  SELECT waba_id AS "wabaId" FROM upstream_accounts WHERE account_id = $1 AND left_at IS NULL ORDER BY waba_id`;

const FIND_DRAFT = `SELECT ${DRAFT_COLUMNS} FROM template_drafts WHERE account_id = $1 AND id = $2`;

const FIND_OPEN_DRAFT = `
  SELECT ${DRAFT_COLUMNS} FROM template_drafts
  WHERE account_id = $1 AND waba_id = $2 AND name = $3 AND language = $4 AND state <> 'submitted'`;

/** $3 state or null, $4 id of the last draft of the page before or null */
const LIST_DRAFTS = `
  SELECT ${DRAFT_COLUMNS} FROM template_drafts
  WHERE account_id = $1 AND ($3::text IS NULL OR state = $3) AND ($4::text IS NULL OR id COLLATE "C" < $4)
  ORDER BY id COLLATE "C" DESC LIMIT $2`;

const INSERT_DRAFT = `
  INSERT INTO template_drafts (account_id, id, waba_id, kind, template_id, name, language, category, components,
    ttl_seconds)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (account_id, waba_id, name, language) WHERE state <> 'submitted' DO NOTHING
  RETURNING ${DRAFT_COLUMNS}`;

const UPDATE_DRAFT = `
  UPDATE template_drafts
  SET name = $3, language = $4, category = $5, components = $6, ttl_seconds = $7, state = 'draft', problem = NULL,
    updated_at = now()
  WHERE account_id = $1 AND id = $2
  RETURNING ${DRAFT_COLUMNS}`;

const DELETE_DRAFT = 'DELETE FROM template_drafts WHERE account_id = $1 AND id = $2';

const BEGIN_SUBMISSION = `
  UPDATE template_drafts
  SET state = 'submitting', due_at = now(), attempts = 0, may_have_landed = false, problem = NULL, updated_at = now()
  WHERE account_id = $1 AND id = $2
  RETURNING ${DRAFT_COLUMNS}`;

/** The businesses upstream that the account has numbers of. */
export async function listBusinesses(tx: Transaction, accountId: string): Promise<string[]> {
  return (await tx.query<{ wabaId: string }>(LIST_BUSINESSES, [accountId])).map(({ wabaId }) => wabaId);
}

/** The same, and none of them is left before the transaction ends. */
export async function holdBusinesses(tx: Transaction, accountId: string): Promise<string[]> {
  return (await tx.query<{ wabaId: string }>(`${LIST_BUSINESSES} FOR SHARE`, [accountId])).map(({ wabaId }) => wabaId);
}

export async function findDraft(
  dataSource: DataSource,
  accountId: string,
  draftId: string,
): Promise<DraftRow | undefined> {
  const [draft] = await query<DraftRow>(dataSource, FIND_DRAFT, [accountId, draftId]);
  return draft;
}

/** Nobody else changes it until the transaction ends. */
export async function lockDraft(tx: Transaction, accountId: string, draftId: string): Promise<DraftRow | undefined> {
  const [draft] = await tx.query<DraftRow>(`${FIND_DRAFT} FOR UPDATE`, [accountId, draftId]);
  return draft;
}

export interface DraftSubject extends Pick<DraftContent, 'name' | 'language'> {
  accountId: string;
  wabaId: string;
}

/** The one draft of this name and language that is not submitted yet. */
export async function findOpenDraft(
  tx: Transaction,
  { accountId, wabaId, name, language }: DraftSubject,
): Promise<DraftRow | undefined> {
  const [draft] = await tx.query<DraftRow>(FIND_OPEN_DRAFT, [accountId, wabaId, name, language]);
  return draft;
}

export interface DraftPage {
  accountId: string;
  limit: number;
  state?: TemplateDraftState;
  before?: string;
}

export function listDrafts(
  dataSource: DataSource,
  { accountId, limit, state, before }: DraftPage,
): Promise<DraftRow[]> {
  return query<DraftRow>(dataSource, LIST_DRAFTS, [accountId, limit, state ?? null, before ?? null]);
}

export interface NewDraft extends DraftContent {
  accountId: string;
  id: string;
  wabaId: string;
  kind: TemplateDraftKind;
  templateId: string | null;
}

/** @returns undefined when there is an open draft of this name and language already */
export async function insertDraft(tx: Transaction, draft: NewDraft): Promise<DraftRow | undefined> {
  const { accountId, id, wabaId, kind, templateId, name, language, category, components, ttlSeconds } = draft;
  const [row] = await tx.query<DraftRow>(INSERT_DRAFT, [
    accountId,
    id,
    wabaId,
    kind,
    templateId,
    name,
    language,
    category,
    storableJson(components),
    ttlSeconds,
  ]);
  return row;
}

export async function updateDraft(
  tx: Transaction,
  accountId: string,
  id: string,
  content: DraftContent,
): Promise<DraftRow | undefined> {
  const { name, language, category, components, ttlSeconds } = content;
  const [row] = await tx.query<DraftRow>(UPDATE_DRAFT, [
    accountId,
    id,
    name,
    language,
    category,
    storableJson(components),
    ttlSeconds,
  ]);
  return row;
}

export async function deleteDraft(tx: Transaction, accountId: string, id: string): Promise<void> {
  await tx.query(DELETE_DRAFT, [accountId, id]);
}

/** From now on the submission goes on by itself, whatever becomes of this process. */
export async function beginSubmission(tx: Transaction, accountId: string, id: string): Promise<DraftRow | undefined> {
  const [row] = await tx.query<DraftRow>(BEGIN_SUBMISSION, [accountId, id]);
  return row;
}
