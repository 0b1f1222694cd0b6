import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** IANA time zone in which the dashboard shows times. Null: that of each user's browser. */
const TIME_ZONE = 'ALTER TABLE accounts ADD COLUMN time_zone text';

export class AddTimeZone1764300000250 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [TIME_ZONE]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
