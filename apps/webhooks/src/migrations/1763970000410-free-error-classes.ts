import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which classes there are the program knows (`call-error.ts`), which now has one more. A check that lists them would
 * have to read all attempts again for each new one, while nothing can be written down.
 */
export class FreeErrorClasses1763970000410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The name that PostgreSQL chose while the table before it, which had the same check, was still there.
    await runner.query('ALTER TABLE attempts DROP CONSTRAINT attempts_error_class_check1');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
