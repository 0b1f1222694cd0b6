import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account's replays are listed, the newest first. */
export class IndexReplays1763980000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX replays_newest ON replays (account_id, id COLLATE "C")');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
