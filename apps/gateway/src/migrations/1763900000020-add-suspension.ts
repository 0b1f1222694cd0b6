import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddSuspension1763900000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
