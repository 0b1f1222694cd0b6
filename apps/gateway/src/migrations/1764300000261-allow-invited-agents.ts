import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AllowInvitedAgents1764300000261 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [
      `ALTER TABLE invitations DROP CONSTRAINT invitations_role_check,
         ADD CONSTRAINT invitations_role_check CHECK (role IN ('owner', 'admin', 'agent', 'viewer')) NOT VALID`,
    ]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
