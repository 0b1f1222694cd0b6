import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums the files that users of an account sent from the dashboard. */
export class IndexSentMedia1795900000170 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const where = "blob_key LIKE 'sent/%' AND removed_at IS NULL";
    await createIndexBeside(runner, 'media_sent', `media (account_id, id) INCLUDE (bytes) WHERE ${where}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
