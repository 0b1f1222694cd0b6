import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddSenders1795800000923 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, ['ALTER TABLE messages ADD COLUMN sender_id text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
