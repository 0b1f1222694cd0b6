import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null: written before outcomes were, or by a process of that time. */
export class AddAuditOutcomes1763920000380 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE audit_log ADD COLUMN outcome text CHECK (outcome IN ('done', 'refused', 'unknown')), ADD COLUMN error_code text",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
