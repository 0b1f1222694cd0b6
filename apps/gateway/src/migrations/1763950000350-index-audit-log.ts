import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account's entries in the order in which they are shown: that of their ids, byte by byte. */
export class IndexAuditLog1763950000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_log_newest ON audit_log (account_id, id COLLATE "C")');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
