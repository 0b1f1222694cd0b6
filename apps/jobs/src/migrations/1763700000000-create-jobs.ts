import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateJobs1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Ids sort by time of creation, so the key also lists an account's jobs from new to old.
    await runner.query(`
      CREATE TABLE jobs (
        account_id text NOT NULL,
        id text NOT NULL,
        type text NOT NULL CHECK (type IN ('bulk', 'excel')),
        status text NOT NULL DEFAULT 'queued'
          CHECK (status IN ('queued', 'processing', 'paused', 'completed', 'failed', 'cancelled')),
        template text,
        total int NOT NULL CHECK (total >= 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jobs');
  }
}
