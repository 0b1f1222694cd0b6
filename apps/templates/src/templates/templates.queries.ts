import type { TemplateRecord } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

export interface TemplateFilters {
  name?: string;
  /** Normalised language code. */
  language?: string;
  category?: string;
}

/** Sorts by bytes, so that the order does not depend on the server's locale. */
const LIST_APPROVED = `
  SELECT id, name, status, category, language, components
  FROM templates
  WHERE account_id = $1 AND status = 'APPROVED'
    AND ($2::text IS NULL OR name = $2)
    AND ($3::text IS NULL OR language = $3)
    AND ($4::text IS NULL OR category = upper($4))
  ORDER BY name COLLATE "C", language COLLATE "C", id COLLATE "C"`;

/** Prefers the sendable template when two businesses of the account use the same name. */
const FIND_TEMPLATE = `
  SELECT id, name, status, category, language, components
  FROM templates
  WHERE account_id = $1 AND name = $2 AND language = $3 AND ($4::text IS NULL OR waba_id = $4)
  ORDER BY status = 'APPROVED' DESC, updated_at DESC, id
  LIMIT 1`;

export function listApproved(
  dataSource: DataSource,
  accountId: string,
  { name, language, category }: TemplateFilters,
): Promise<TemplateRecord[]> {
  return query<TemplateRecord>(dataSource, LIST_APPROVED, [
    accountId,
    name ?? null,
    language ?? null,
    category ?? null,
  ]);
}

export interface WantedTemplate {
  accountId: string;
  name: string;
  /** Normalised language code. */
  language: string;
  /** Restricts the search to this upstream business account. */
  wabaId?: string;
}

export async function findTemplate(
  dataSource: DataSource,
  { accountId, name, language, wabaId }: WantedTemplate,
): Promise<TemplateRecord | null> {
  const [template] = await query<TemplateRecord>(dataSource, FIND_TEMPLATE, [
    accountId,
    name,
    language,
    wabaId ?? null,
  ]);
  return template ?? null;
}

/** $1 account, $2 name, $3 business or null */
const LIST_LANGUAGES = `
  SELECT DISTINCT language FROM templates WHERE account_id = $1 AND name = $2 AND ($3::text IS NULL OR waba_id = $3)
  ORDER BY language LIMIT 100`;

/** Returns the languages of a template name, including those with templates that cannot be sent. */
export async function listLanguages(
  dataSource: DataSource,
  { accountId, name, wabaId }: Omit<WantedTemplate, 'language'>,
): Promise<string[]> {
  const rows = await query<{ language: string }>(dataSource, LIST_LANGUAGES, [accountId, name, wabaId ?? null]);
  return rows.map(({ language }) => language);
}
