import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An answer of 410 is a failed attempt like any other: endpoints that were paused for it go on, with what waits for
 * them.
 */
export class ResumeGoneEndpoints1763800140000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "UPDATE endpoints SET paused_at = NULL, paused_reason = NULL, updated_at = now() WHERE paused_reason = 'gone' AND deleted_at IS NULL",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
