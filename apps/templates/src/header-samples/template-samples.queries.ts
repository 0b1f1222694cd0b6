import type { Transaction } from '@switchboard/database';
import { TemplateSample } from './template-sample.entity';

/** A stored sample and its place in a template. */
export interface PlacedSample {
  /** Index of the card, or `HEADER`. */
  card: number;
  sampleId: string;
}

/**
 * Detaches the samples of templates, and deletes those that no other template and no open draft uses. `SampleCleanup`
 * deletes their files. $1 account, $2 templates, $3 samples to retain
 */
const RELEASE = `
  WITH released AS (
    DELETE FROM template_samples WHERE account_id = $1 AND template_id = ANY ($2::text[]) RETURNING sample_id)
  DELETE FROM header_samples s
  WHERE s.account_id = $1 AND s.id IN (SELECT sample_id FROM released)
    AND s.id <> ALL ($3::text[])
    AND NOT EXISTS (
      SELECT 1 FROM template_samples other
      WHERE other.account_id = $1 AND other.sample_id = s.id AND other.template_id <> ALL ($2::text[]))
    AND NOT EXISTS (
      SELECT 1 FROM template_drafts d
      WHERE d.account_id = $1 AND d.state <> 'submitted' AND position(s.id IN d.components::text) > 0)`;

/** Finds the templates whose samples exceed the quota together with newer ones. $1 account, $2 bytes */
const BEYOND_QUOTA = `
  SELECT DISTINCT template_id AS "templateId" FROM (
    SELECT t.template_id, sum(s.bytes) OVER (ORDER BY t.created_at DESC, t.template_id, t.card) AS total
    FROM template_samples t JOIN header_samples s ON s.account_id = t.account_id AND s.id = t.sample_id
    WHERE t.account_id = $1) AS newest
  WHERE total > $2`;

/** Finds templates that were submitted long ago and never listed. $1 days, $2 maximum */
const NEVER_LISTED = `
  SELECT t.account_id AS "accountId", t.template_id AS "templateId" FROM template_samples t
  WHERE t.created_at < now() - make_interval(days => $1::int)
    AND NOT EXISTS (SELECT 1 FROM templates WHERE templates.account_id = t.account_id AND templates.id = t.template_id)
  LIMIT $2`;

/** Replaces the samples of a template by those of its submitted version. */
export async function placeSamples(
  tx: Transaction,
  { accountId, templateId }: { accountId: string; templateId: string },
  samples: readonly PlacedSample[],
): Promise<void> {
  const known = await tx.manager.findBy(TemplateSample, { accountId, templateId });
  const isSame =
    known.length === samples.length &&
    samples.every(({ card, sampleId }) => known.some((each) => each.card === card && each.sampleId === sampleId));
  if (isSame) return;
  const kept = samples.map(({ sampleId }) => sampleId);
  await tx.query(RELEASE, [accountId, [templateId], kept]);
  if (samples.length === 0) return;
  await tx.manager.insert(
    TemplateSample,
    samples.map((sample) => ({ ...sample, accountId, templateId })),
  );
}

/** Releases the samples of templates that no longer exist. */
export async function releaseSamples(
  tx: Transaction,
  accountId: string,
  templateIds: readonly string[],
): Promise<void> {
  if (templateIds.length > 0) await tx.query(RELEASE, [accountId, templateIds, []]);
}

/** Releases the samples of the oldest templates beyond the quota. Those templates show the platform's file instead. */
export async function releaseBeyondQuota(tx: Transaction, accountId: string, quotaBytes: number): Promise<void> {
  const oldest = await tx.query<{ templateId: string }>(BEYOND_QUOTA, [accountId, quotaBytes]);
  await releaseSamples(
    tx,
    accountId,
    oldest.map(({ templateId }) => templateId),
  );
}

/** Releases samples of templates that the platform never listed, such as those deleted there before the first sync. */
export async function releaseNeverListed(
  tx: Transaction,
  { days, limit }: { days: number; limit: number },
): Promise<void> {
  const lost = await tx.query<{ accountId: string; templateId: string }>(NEVER_LISTED, [days, limit]);
  for (const { accountId, templateId } of lost) await releaseSamples(tx, accountId, [templateId]);
}
