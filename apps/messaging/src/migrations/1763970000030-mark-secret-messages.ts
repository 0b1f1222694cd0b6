import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that hold a one-time code: who sent it is told when its delivery fails. */
export class MarkSecretMessages1763970000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A constant default changes no row.
    await runner.query('ALTER TABLE messages ADD COLUMN is_secret boolean NOT NULL DEFAULT false');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
