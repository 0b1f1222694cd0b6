import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LeaveBusinesses1764000000112 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE upstream_accounts ADD left_at timestamptz');
    await runner.query(
      "COMMENT ON COLUMN upstream_accounts.left_at IS 'since when the account has no number of the business: nothing is read, and its token is forgotten'",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
