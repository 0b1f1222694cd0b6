import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The user id of a contact that the businesses of one portfolio share. */
export class AddParentUserIds1764600000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, ['ALTER TABLE contacts ADD COLUMN parent_user_id text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
