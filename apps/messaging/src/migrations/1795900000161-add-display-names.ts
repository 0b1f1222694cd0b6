import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddDisplayNames1795900000161 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // NULL until the number is read from upstream again.
    await withLockRetry(runner, ['ALTER TABLE numbers ADD COLUMN display_name text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
