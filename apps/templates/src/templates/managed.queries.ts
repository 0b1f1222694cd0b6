import type { TemplateStatus } from '@switchboard/contracts';
import { query, type Transaction } from '@switchboard/database';
import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import type { DataSource } from 'typeorm';
import { type StoredSample, withStoredSamples } from './shown-components';

/** A template of any status, as shown to its account. */
export interface ManagedRow {
  id: string;
  wabaId: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  upstreamStatus: string;
  /** Components as listed, with the ids of stored samples. */
  components: UpstreamTemplateComponent[];
  qualityScore: string | null;
  reason: string | null;
  recommendation: string | null;
  draftId: string | null;
  otherAccounts: number;
  updatedAt: Date;
}

interface FoundRow extends ManagedRow {
  samples: StoredSample[] | null;
}

/** The recommendation of the reviewers is only in the callback. */
const SELECT = `
  SELECT t.id, t.waba_id AS "wabaId", t.name, t.language, t.category, t.status, t.upstream_status AS "upstreamStatus",
    coalesce(t.raw->'components', '[]') AS components,
    (SELECT json_agg(json_build_object('card', placed.card, 'id', s.id, 'mimeType', s.mime_type))
     FROM template_samples placed JOIN header_samples s ON s.account_id = placed.account_id AND s.id = placed.sample_id
     WHERE placed.account_id = t.account_id AND placed.template_id = t.id) AS samples, t.raw->'quality_score'->>'score' AS "qualityScore",
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
  WHERE t.account_id = :accountId`;

const FIND = `${SELECT} AND t.id = :templateId`;

const FIND_BY_NAME = `${SELECT} AND t.waba_id = :wabaId AND t.name = :name AND t.language = :language`;

/** `name` is a prefix; the `after…` parameters identify the last template of the previous page. */
const SEARCH = `${SELECT}
    AND (:status::text IS NULL OR t.status = :status) AND (:name::text IS NULL OR starts_with(t.name, :name))
    AND (:partOfName::text IS NULL OR strpos(replace(lower(t.name), '_', ''), :partOfName) > 0)
    AND (:language::text IS NULL OR t.language = :language) AND (:category::text IS NULL OR t.category = :category)
    AND (:afterName::text IS NULL
      OR (t.name COLLATE "C", t.language COLLATE "C", t.id COLLATE "C") > (:afterName, :afterLanguage, :afterId))
  ORDER BY t.name COLLATE "C", t.language COLLATE "C", t.id COLLATE "C" LIMIT :limit`;

export async function findManaged(
  executor: DataSource | Transaction,
  accountId: string,
  templateId: string,
): Promise<ManagedRow | undefined> {
  const [template] = await query<FoundRow>(executor, FIND, { accountId, templateId });
  return template && toManaged(template);
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
  const [template] = await tx.query<FoundRow>(FIND_BY_NAME, { accountId, wabaId, name, language });
  return template && toManaged(template);
}

export interface ManagedSearch {
  accountId: string;
  limit: number;
  status?: TemplateStatus;
  /** Prefix of the template's name. */
  name?: string;
  /** Part of the template's name. Underscores do not count. */
  partOfName?: string;
  language?: string;
  category?: string;
  after?: Pick<ManagedRow, 'name' | 'language' | 'id'>;
}

/** Searches templates in byte order of name and language. */
export async function searchManaged(
  dataSource: DataSource,
  { accountId, limit, status, name, partOfName, language, category, after }: ManagedSearch,
): Promise<ManagedRow[]> {
  const found = await query<FoundRow>(dataSource, SEARCH, {
    accountId,
    limit,
    status,
    name,
    partOfName,
    language,
    category,
    afterName: after?.name,
    afterLanguage: after?.language,
    afterId: after?.id,
  });
  return found.map(toManaged);
}

function toManaged({ samples, components, ...row }: FoundRow): ManagedRow {
  return { ...row, components: withStoredSamples(components, samples ?? []) };
}
