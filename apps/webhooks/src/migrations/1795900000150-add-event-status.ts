import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status that the body of an event reports. Null for events without one, and for those stored before. */
export class AddEventStatus1795900000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, ['ALTER TABLE events ADD COLUMN status text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
