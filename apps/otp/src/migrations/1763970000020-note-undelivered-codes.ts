import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a send's credit was given back because its delivery failed. */
export class NoteUndeliveredCodes1763970000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sends ADD COLUMN undelivered_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sends DROP COLUMN undelivered_at');
  }
}
