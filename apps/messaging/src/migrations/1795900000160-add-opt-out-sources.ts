import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddOptOutSources1795900000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [
      `ALTER TABLE contacts
        -- message, user or operator. NULL without an opt-out, and for opt-outs of earlier versions.
        ADD COLUMN opted_out_source text,
        -- The word that the contact wrote, or the id of the user.
        ADD COLUMN opted_out_detail text`,
    ]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
