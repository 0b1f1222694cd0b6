import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddJobNames1795900000140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, ['ALTER TABLE jobs ADD COLUMN name text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
