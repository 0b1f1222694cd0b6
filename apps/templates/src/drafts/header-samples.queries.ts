import type { HeaderSampleType } from '@switchboard/contracts';
import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

export interface SampleRow {
  id: string;
  mimeType: HeaderSampleType;
  bytes: number;
  filename: string | null;
  createdAt: Date;
}

const COLUMNS = 'id, mime_type AS "mimeType", bytes::int AS bytes, filename, created_at AS "createdAt"';

const FIND = `SELECT ${COLUMNS} FROM header_samples WHERE account_id = $1 AND id = $2`;

const INSERT = `
  INSERT INTO header_samples (account_id, id, mime_type, bytes, filename) VALUES ($1, $2, $3, $4, $5)
  RETURNING ${COLUMNS}`;

const COUNT = 'SELECT count(*)::int AS count FROM header_samples WHERE account_id = $1';

/** Old samples that no draft needs any more: one that is submitted has been handed over. $1 days, $2 how many */
const DELETE_UNUSED = `
  DELETE FROM header_samples WHERE (account_id, id) IN (
    SELECT s.account_id, s.id FROM header_samples s
    WHERE s.created_at < now() - make_interval(days => $1::int) AND NOT EXISTS (
      SELECT 1 FROM template_drafts d
      WHERE d.account_id = s.account_id AND d.state <> 'submitted' AND position(s.id IN d.components::text) > 0)
    ORDER BY s.created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING account_id AS "accountId", id`;

/** $1 accounts, $2 ids */
const FIND_KNOWN = 'SELECT id FROM header_samples WHERE account_id = ANY($1) AND id = ANY($2)';

export async function findSample(
  source: DataSource | Transaction,
  accountId: string,
  sampleId: string,
): Promise<SampleRow | undefined> {
  const [row] = await query<SampleRow>(source, FIND, [accountId, sampleId]);
  return row;
}

export interface NewSample extends Omit<SampleRow, 'createdAt'> {
  accountId: string;
}

export async function insertSample(tx: Transaction, sample: NewSample): Promise<SampleRow> {
  const { accountId, id, mimeType, bytes, filename } = sample;
  const [row] = await tx.query<SampleRow>(INSERT, [accountId, id, mimeType, bytes, filename]);
  return row!;
}

/** One command at a time adds samples to an account: two would both find room for the last one. */
export async function lockSamples(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('header_samples'), hashtext($1))`, [accountId]);
}

export async function countSamples(source: DataSource | Transaction, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(source, COUNT, [accountId]);
  return row!.count;
}

export function deleteUnused(
  tx: Transaction,
  { days, limit }: { days: number; limit: number },
): Promise<{ accountId: string; id: string }[]> {
  return tx.query<{ accountId: string; id: string }>(DELETE_UNUSED, [days, limit]);
}

/** Those of the ids that have a row. */
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
