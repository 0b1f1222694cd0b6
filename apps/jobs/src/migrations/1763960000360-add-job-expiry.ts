import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version before this one gives every job a `deadline_at`, which nothing reads any more. */
export class AddJobExpiry1763960000360 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN expire_at timestamptz, ADD COLUMN paused_at timestamptz');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
