import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { Every, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const BATCH_SIZE = 1_000;

/**
 * What may go, by table. Codes live 90 minutes at most, and every window of failures or sends is shorter than two
 * hours; tries may be repeated for a day by their Idempotency-Key. The upstream platform gives a message up after 30
 * days at the latest: until then a failed delivery gives the send's credit back.
 */
const PURGES = [
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

/** Removes a bounded part of what nobody can ask for any more. @returns whether there may be more */
export async function purgeOld(dataSource: DataSource): Promise<boolean> {
  let isMore = false;
  for (const purge of PURGES) isMore = (await query(dataSource, purge, [BATCH_SIZE])).length === BATCH_SIZE || isMore;
  return isMore;
}

const PURGE_EVERY_MS = 300_000;

/** Removes expired codes and what else is too old, in bounded batches; any number of replicas may. */
@Injectable()
export class Purge {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns whether there may be more to remove */
  @Every({ name: 'otp-purge', everyMs: PURGE_EVERY_MS, statementMs: UPKEEP_STATEMENT_MS })
  purge(): Promise<boolean> {
    return purgeOld(this.dataSource);
  }
}
