import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A replay can be of one kind of events; null for all. */
export class ReplayByKind1763990000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE replays ADD COLUMN kind text');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
