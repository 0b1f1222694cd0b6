import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts whose events are kept for fewer days than the installation's log. */
export class CreateAccountRetention1763800091000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_retention (
        account_id text PRIMARY KEY,
        event_days int NOT NULL CHECK (event_days > 0)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
