import type { TemplateStatus } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { releaseSamples } from '../header-samples/template-samples.queries';
import type { ListedTemplate } from './listed-template';
import { storableJson } from './storable-json';
import type { KnownTemplate, StatusCallback, StatusReason, TemplateChange } from './template-changes';
import type { SyncClaim } from './upstream-accounts.queries';

/**
 * Serialises the syncs of a business. Skips a sync that started before the last applied one, because its delayed
 * response would restore old statuses.
 */
const BEGIN_TAKE_OVER = `
  SELECT last_synced_at IS NULL AS "isFirstReading", now() AS now
  FROM upstream_accounts
  WHERE account_id = $1 AND waba_id = $2 AND left_at IS NULL
    AND (last_synced_at IS NULL OR last_synced_at < $3::timestamptz)
  FOR UPDATE`;

const LIST_KNOWN =
  'SELECT id, name, language, category, status, upstream_status AS "upstreamStatus", flag_reason AS "flagReason" FROM templates WHERE account_id = $1 AND waba_id = $2';

const DELETE_GONE =
  'DELETE FROM templates WHERE account_id = $1 AND waba_id = $2 AND id <> ALL ($3::text[]) RETURNING id';

/** Skips unchanged rows, because most syncs change nothing. */
const UPSERT_TEMPLATES = `
  INSERT INTO templates AS template (account_id, waba_id, id, name, language, category, status, upstream_status,
    components, raw)
  SELECT $1, $2, id, name, language, category, status, "upstreamStatus", components, raw
  FROM json_to_recordset($3::json) AS listed (
    id text, name text, language text, category text, status text, "upstreamStatus" text, components json, raw jsonb
  )
  ON CONFLICT (account_id, id) DO UPDATE SET
    name = excluded.name, language = excluded.language, category = excluded.category, status = excluded.status,
    upstream_status = excluded.upstream_status, components = excluded.components, raw = excluded.raw, updated_at = now()
  WHERE template.raw <> excluded.raw OR template.status <> excluded.status
    OR template.components::text <> excluded.components::text
  RETURNING name`;

const RECORD_CHANGES = `
  INSERT INTO template_events (account_id, waba_id, template_id, previous_status, status, upstream_status,
    previous_category, category, reason, raw)
  SELECT $1, $2, id, "previousStatus", status, "upstreamStatus", "previousCategory", category, reason, coalesce(raw,
    '{}')
  FROM jsonb_to_recordset($3::jsonb) AS change (
    id text, "previousStatus" text, status text, "upstreamStatus" text, "previousCategory" text, category text, reason text, raw jsonb
  )`;

/** Selects only callbacks received before the sync started. Each later callback has requested another sync. */
const ANSWER_CALLBACKS = `
  WITH answered AS (
    UPDATE template_events SET answered_at = now()
    WHERE account_id = $1 AND waba_id = $2 AND callback_field = 'message_template_status_update'
      AND answered_at IS NULL AND at <= $3::timestamptz
    RETURNING id, template_id, raw, reason)
  SELECT template_id AS "templateId", raw->>'event' AS event, reason FROM answered WHERE template_id IS NOT NULL
    ORDER BY answered.id`;

/**
 * Adds a reason, once, to each status that was reported without one. Covers only the newest change of a template, and
 * only changes reported to customers. $3 reasons
 */
const EXPLAIN_CHANGES = `
  UPDATE template_events AS change SET reason = told.reason
  FROM jsonb_to_recordset($3::jsonb) AS told (id text, status text, reason text)
  WHERE change.account_id = $1 AND change.waba_id = $2 AND change.template_id = told.id AND change.status = told.status
    AND change.reason IS NULL AND change.previous_status <> change.status
    AND change.id = (SELECT max(newest.id) FROM template_events AS newest
      WHERE newest.account_id = $1 AND newest.template_id = told.id AND newest.status IS NOT NULL)
  RETURNING change.template_id AS id, change.previous_status AS "previousStatus", change.reason`;

/** $1 account, $2 ids, $3 reasons */
const SET_FLAGS = `
  UPDATE templates SET flag_reason = flag.reason
  FROM unnest($2::text[], $3::text[]) AS flag (id, reason) WHERE account_id = $1 AND templates.id = flag.id`;

const END_TAKE_OVER = `
  UPDATE upstream_accounts
  SET last_synced_at = $3::timestamptz, failures = 0, failed_at = NULL, problem = NULL,
      reading_since = CASE WHEN reading_since = $3::timestamptz THEN NULL ELSE reading_since END
  WHERE account_id = $1 AND waba_id = $2`;

type Claimed = Pick<SyncClaim, 'accountId' | 'wabaId' | 'beganAt'>;

/**
 * Locks the business to apply a sync.
 * @returns undefined when a newer sync has been applied
 */
export async function beginTakeOver(
  tx: Transaction,
  { accountId, wabaId, beganAt }: Claimed,
): Promise<{ isFirstReading: boolean; now: Date } | undefined> {
  const [account] = await tx.query<{ isFirstReading: boolean; now: Date }>(BEGIN_TAKE_OVER, [
    accountId,
    wabaId,
    beganAt,
  ]);
  return account;
}

export function listKnown(tx: Transaction, { accountId, wabaId }: Claimed): Promise<KnownTemplate[]> {
  return tx.query<KnownTemplate>(LIST_KNOWN, [accountId, wabaId]);
}

/**
 * Replaces the stored templates by the synced ones. Deletes missing templates first, because a new one may reuse a
 * name.
 * @returns the names of new or changed templates
 */
export async function replaceTemplates(
  tx: Transaction,
  { accountId, wabaId }: Claimed,
  listed: readonly ListedTemplate[],
): Promise<string[]> {
  const gone = await tx.query<{ id: string }>(DELETE_GONE, [accountId, wabaId, listed.map(({ id }) => id)]);
  await releaseSamples(
    tx,
    accountId,
    gone.map(({ id }) => id),
  );
  const touched = await tx.query<{ name: string }>(UPSERT_TEMPLATES, [accountId, wabaId, storableJson(listed)]);
  return touched.map(({ name }) => name);
}

/** Marks the callbacks covered by this sync as processed and returns them, oldest first. */
export function answerCallbacks(tx: Transaction, { accountId, wabaId, beganAt }: Claimed): Promise<StatusCallback[]> {
  return tx.query<StatusCallback>(ANSWER_CALLBACKS, [accountId, wabaId, beganAt]);
}

export async function recordChanges(
  tx: Transaction,
  { accountId, wabaId }: Claimed,
  changes: readonly TemplateChange[],
): Promise<void> {
  if (changes.length > 0) await tx.query(RECORD_CHANGES, [accountId, wabaId, storableJson(changes)]);
}

/** A change that was reported without a reason and whose reason is now known. */
export interface ExplainedChange {
  id: string;
  previousStatus: TemplateStatus;
  reason: string;
}

/**
 * Adds reasons to changes without one.
 * @returns those changes
 */
export async function explainChanges(
  tx: Transaction,
  { accountId, wabaId }: Claimed,
  reasons: readonly StatusReason[],
): Promise<ExplainedChange[]> {
  if (reasons.length === 0) return [];
  return tx.query<ExplainedChange>(EXPLAIN_CHANGES, [accountId, wabaId, storableJson(reasons)]);
}

/** Stores which templates were announced as flagged, until the end of each flag is announced. */
export async function setFlags(
  tx: Transaction,
  { accountId }: Claimed,
  flagReasons: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (flagReasons.size > 0) await tx.query(SET_FLAGS, [accountId, [...flagReasons.keys()], [...flagReasons.values()]]);
}

export async function endTakeOver(tx: Transaction, { accountId, wabaId, beganAt }: Claimed): Promise<void> {
  await tx.query(END_TAKE_OVER, [accountId, wabaId, beganAt]);
}
