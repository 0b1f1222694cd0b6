import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A template that was announced as flagged, although it can be sent, is announced when it is no longer flagged. */
export class RememberFlags1764300000220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE templates ADD flag_reason text');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
