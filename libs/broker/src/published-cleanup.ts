import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const CLEANUP_EVERY_MS = 60_000;
const BATCH_SIZE = 5_000;

/**
 * Fifteen minutes are enough: a broker holds a message for milliseconds, or while its consumer is away, which raises an
 * alert within minutes. Scans only the first rows by id, because ids follow publication time approximately.
 */
const DELETE_OLD_ROWS = `
  DELETE FROM published WHERE id IN (
    SELECT id FROM (SELECT id, published_at FROM published ORDER BY id LIMIT $1) AS first
    WHERE published_at < now() - interval '15 minutes'
  ) RETURNING id`;

/**
 * Deletes messages published more than fifteen minutes ago, in batches, at startup and every minute. The rows hold
 * message content and are useful only while the broker may hold the same messages.
 */
@Injectable()
export class PublishedCleanup {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns whether more rows may be deleted */
  @Every({ name: 'published-purge', everyMs: CLEANUP_EVERY_MS })
  async run(): Promise<boolean> {
    const removed = await query(this.dataSource, DELETE_OLD_ROWS, [BATCH_SIZE]);
    return removed.length === BATCH_SIZE;
  }
}
