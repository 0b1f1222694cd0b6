import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which kinds there are the program knows (`WEBHOOK_EVENT_KINDS`). A check that lists them would have to read all
 * events again for each new one.
 */
export class FreeEventKinds1763970000420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The name that PostgreSQL chose while the table before it, which had the same check, was still there.
    await runner.query('ALTER TABLE events DROP CONSTRAINT events_kind_check1');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
