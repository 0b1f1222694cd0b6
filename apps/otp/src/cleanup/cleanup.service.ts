import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { Every, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const BATCH_SIZE = 1_000;

/**
 * Deletion statements by table. Codes live 90 minutes at most, and every window of failures or sends is shorter than
 * two hours. Attempts can be repeated by their Idempotency-Key for a day. The upstream platform reports a failed
 * delivery within 30 days, which returns the send's credit.
 */
const DELETIONS = [
  `DELETE FROM codes WHERE (account_id, phone) IN (
     SELECT account_id, phone FROM codes WHERE touched_at < now() - interval '2 hours' ORDER BY touched_at LIMIT $1
       FOR UPDATE SKIP LOCKED
   ) RETURNING 1 AS gone`,
  `DELETE FROM prefixes WHERE (account_id, prefix) IN (
     SELECT account_id, prefix FROM prefixes WHERE touched_at < now() - interval '2 hours' ORDER BY touched_at
       LIMIT $1 FOR UPDATE SKIP LOCKED
   ) RETURNING 1 AS gone`,
  `DELETE FROM attempts WHERE id IN (
     SELECT id FROM attempts WHERE at < now() - interval '26 hours' ORDER BY at LIMIT $1 FOR UPDATE SKIP LOCKED
   ) RETURNING 1 AS gone`,
  `DELETE FROM sends WHERE message_id IN (
     SELECT message_id FROM sends WHERE settled_at < now() - interval '32 days' ORDER BY settled_at LIMIT $1
       FOR UPDATE SKIP LOCKED
   ) RETURNING 1 AS gone`,
];

export async function deleteExpired(dataSource: DataSource): Promise<boolean> {
  let isMore = false;
  for (const deletion of DELETIONS)
    isMore = (await query(dataSource, deletion, [BATCH_SIZE])).length === BATCH_SIZE || isMore;
  return isMore;
}

const CLEANUP_EVERY_MS = 300_000;

/** Deletes expired codes and other outdated rows in bounded batches. Safe to run on any number of replicas. */
@Injectable()
export class CleanupService {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns true when there may be more to delete */
  @Every({ name: 'otp-purge', everyMs: CLEANUP_EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  run(): Promise<boolean> {
    return deleteExpired(this.dataSource);
  }
}
