import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A job changes its status a few times; its counts, which change all the time, are in no index. */
export class IndexJobsByStatus1763950000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX jobs_by_status ON jobs (account_id, status, id)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
