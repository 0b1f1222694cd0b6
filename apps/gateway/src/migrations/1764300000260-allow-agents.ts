import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AllowAgents1764300000260 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [
      `ALTER TABLE users DROP CONSTRAINT users_role_check,
         ADD CONSTRAINT users_role_check CHECK (role IN ('owner', 'admin', 'agent', 'viewer')) NOT VALID`,
    ]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
