import { createPublishedTable } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What left the outbox can be published again when the broker is lost. */
export class KeepPublishedMessages1764100000850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createPublishedTable);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
