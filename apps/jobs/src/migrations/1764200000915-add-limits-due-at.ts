import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Time at which a process may read the limits of the number again. Null until they are first read. */
const LIMITS_DUE_AT = 'ALTER TABLE lanes ADD COLUMN limits_due_at timestamptz';

export class AddLimitsDueAt1764200000915 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [LIMITS_DUE_AT]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
