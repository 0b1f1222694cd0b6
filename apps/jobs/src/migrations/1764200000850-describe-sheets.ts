import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the file of a job was read, and the warnings about it. */
export class DescribeSheets1764200000850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN sheet jsonb, ADD COLUMN warnings jsonb');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
