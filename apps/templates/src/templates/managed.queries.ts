import type { TemplateStatus } from '@switchboard/contracts';
import { query, type Transaction } from '@switchboard/database';
import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import type { DataSource } from 'typeorm';

/** A template of any status as its account manages it. */
export interface ManagedRow {
  id: string;
  wabaId: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  upstreamStatus: string;
  components: UpstreamTemplateComponent[];
  qualityScore: string | null;
  reason: string | null;
  recommendation: string | null;
  draftId: string | null;
  otherAccounts: number;
  updatedAt: Date;
}

/** What the reviewers recommend comes with the callback alone. */
const SELECT = `
  SELECT t.id, t.waba_id AS "wabaId", t.name, t.language, t.category, t.status, t.upstream_status AS "upstreamStatus",
    coalesce(t.raw->'components', '[]') AS components, t.raw->'quality_score'->>'score' AS "qualityScore",
    CASE WHEN t.status = 'REJECTED' THEN coalesce(nullif(t.raw->>'rejected_reason', 'NONE'), review.reason) END
      AS reason,
    CASE WHEN t.status = 'REJECTED' THEN review.recommendation END AS recommendation,
    (SELECT d.id FROM template_drafts d
     WHERE d.account_id = t.account_id AND d.waba_id = t.waba_id AND d.name = t.name AND d.language = t.language
       AND d.state <> 'submitted') AS "draftId",
    (SELECT count(*)::int FROM upstream_accounts u
     WHERE u.waba_id = t.waba_id AND u.account_id <> t.account_id AND u.left_at IS NULL) AS "otherAccounts",
    t.updated_at AS "updatedAt"
  FROM templates t
  LEFT JOIN LATERAL (
    SELECT e.reason, e.raw->'rejection_info'->>'recommendation' AS recommendation FROM template_events e
    WHERE t.status = 'REJECTED' AND e.account_id = t.account_id AND e.template_id = t.id
      AND e.callback_field IS NOT NULL AND upper(e.raw->>'event') = 'REJECTED'
    ORDER BY e.id DESC LIMIT 1
  ) review ON true
  WHERE t.account_id = $1`;

const FIND = `${SELECT} AND t.id = $2`;

const FIND_BY_NAME = `${SELECT} AND t.waba_id = $2 AND t.name = $3 AND t.language = $4`;

/**
 * $2 how many, $3 status, $4 how the name begins, $5 language, $6 category, $7 to $9 the last one of the page before
 */
const SEARCH = `${SELECT}
    AND ($3::text IS NULL OR t.status = $3) AND ($4::text IS NULL OR starts_with(t.name, $4))
    AND ($5::text IS NULL OR t.language = $5) AND ($6::text IS NULL OR t.category = $6)
    AND ($7::text IS NULL OR (t.name COLLATE "C", t.language COLLATE "C", t.id COLLATE "C") > ($7, $8, $9))
  ORDER BY t.name COLLATE "C", t.language COLLATE "C", t.id COLLATE "C" LIMIT $2`;

export async function findManaged(
  executor: DataSource | Transaction,
  accountId: string,
  templateId: string,
): Promise<ManagedRow | undefined> {
  const [template] = await query<ManagedRow>(executor, FIND, [accountId, templateId]);
  return template;
}

export interface TemplateName {
  accountId: string;
  wabaId: string;
  name: string;
  language: string;
}

export async function findManagedByName(
  tx: Transaction,
  { accountId, wabaId, name, language }: TemplateName,
): Promise<ManagedRow | undefined> {
  const [template] = await tx.query<ManagedRow>(FIND_BY_NAME, [accountId, wabaId, name, language]);
  return template;
}

export interface ManagedSearch {
  accountId: string;
  limit: number;
  status?: TemplateStatus;
  /** How the name begins. */
  name?: string;
  language?: string;
  category?: string;
  after?: Pick<ManagedRow, 'name' | 'language' | 'id'>;
}

/** In byte order of name and language. */
export function searchManaged(
  dataSource: DataSource,
  { accountId, limit, status, name, language, category, after }: ManagedSearch,
): Promise<ManagedRow[]> {
  const filters = [status, name, language, category, after?.name, after?.language, after?.id].map(
    (value) => value ?? null,
  );
  return query<ManagedRow>(dataSource, SEARCH, [accountId, limit, ...filters]);
}
