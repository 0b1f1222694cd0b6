import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const CLEANUP_EVERY_MS = 3_600_000;
const BATCH_SIZE = 5_000;

/** Seven days far exceed the longest retry delay, so no message is redelivered after that. */
const DELETE_OLD_ROWS = `
  DELETE FROM inbox WHERE message_id IN (
    SELECT message_id FROM inbox WHERE handled_at < now() - interval '7 days' ORDER BY handled_at LIMIT $1
  ) RETURNING message_id`;

/** Deletes inbox rows older than seven days, in batches, at the start and every hour. */
@Injectable()
export class InboxCleanup {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns whether more rows may be deleted */
  @Every({ name: 'inbox-purge', everyMs: CLEANUP_EVERY_MS })
  async run(): Promise<boolean> {
    const removed = await query(this.dataSource, DELETE_OLD_ROWS, [BATCH_SIZE]);
    return removed.length === BATCH_SIZE;
  }
}
