import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The code that was verified last, so that its client may send it again: an answer can be lost on its way. */
export class RememberVerifiedCodes1763960000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE codes ADD COLUMN verified_hmac bytea, ADD COLUMN verified_by text, ADD COLUMN verified_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE codes DROP COLUMN verified_hmac, DROP COLUMN verified_by, DROP COLUMN verified_at');
  }
}
