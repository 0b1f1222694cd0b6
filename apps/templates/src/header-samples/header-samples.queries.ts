import { query, type Transaction } from '@switchboard/database';
import type { DataSource, EntityManager } from 'typeorm';
import { HeaderSample } from './header-sample.entity';

export type SampleRow = Omit<HeaderSample, 'accountId'>;

/**
 * Deletes old samples that no open draft and no template needs.
 * $1 days, $2 maximum
 */
const DELETE_UNUSED = `
  DELETE FROM header_samples WHERE (account_id, id) IN (
    SELECT s.account_id, s.id FROM header_samples s
    WHERE s.created_at < now() - make_interval(days => $1::int) AND NOT EXISTS (
      SELECT 1 FROM template_drafts d
      WHERE d.account_id = s.account_id AND d.state <> 'submitted' AND position(s.id IN d.components::text) > 0)
    AND NOT EXISTS (
      SELECT 1 FROM template_samples t WHERE t.account_id = s.account_id AND t.sample_id = s.id)
    ORDER BY s.created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING account_id AS "accountId", id`;

/** $1 accounts, $2 ids */
const FIND_KNOWN = 'SELECT id FROM header_samples WHERE account_id = ANY($1) AND id = ANY($2)';

interface Source {
  manager: EntityManager;
}

export function findSample({ manager }: Source, accountId: string, id: string): Promise<SampleRow | null> {
  return manager.findOneBy(HeaderSample, { accountId, id });
}

export async function insertSample(
  { manager }: Transaction,
  sample: Omit<HeaderSample, 'createdAt'>,
): Promise<SampleRow> {
  const { accountId, id } = sample;
  await manager.insert(HeaderSample, sample);
  return manager.findOneByOrFail(HeaderSample, { accountId, id });
}

/** Serialises commands that add samples to an account, so that two of them cannot both use the last slot. */
export async function lockSamples(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('header_samples'), hashtext($1))`, [accountId]);
}

/** Counts the samples of drafts. Those of submitted templates have a quota of their own. */
export function countSamples({ manager }: Source, accountId: string): Promise<number> {
  return manager
    .createQueryBuilder(HeaderSample, 'sample')
    .where({ accountId })
    .andWhere(
      'NOT EXISTS (SELECT 1 FROM template_samples t WHERE t.account_id = sample.account_id AND t.sample_id = sample.id)',
    )
    .getCount();
}

export function deleteUnused(
  tx: Transaction,
  { days, limit }: { days: number; limit: number },
): Promise<{ accountId: string; id: string }[]> {
  return tx.query<{ accountId: string; id: string }>(DELETE_UNUSED, [days, limit]);
}

/** Returns the ids that have a row. */
export async function findKnown(
  dataSource: DataSource,
  samples: readonly { accountId: string; id: string }[],
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(dataSource, FIND_KNOWN, [
    [...new Set(samples.map(({ accountId }) => accountId))],
    samples.map(({ id }) => id),
  ]);
  return new Set(rows.map(({ id }) => id));
}
