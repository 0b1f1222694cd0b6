import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCodes1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Code and failures share one row, because one row lock must decide on both: with the failures in a table of
    // their own, parallel tries would each see the failures of before and more than five would be evaluated.
    // A phone that never got a code has a row too (without a hash): it must behave like any other one.
    await runner.query(`
      CREATE TABLE codes (
        account_id text NOT NULL,
        phone text NOT NULL,
        code_hmac bytea CHECK (octet_length(code_hmac) = 32),
        expires_at timestamptz,
        spent_at timestamptz,
        failed_at timestamptz[] NOT NULL DEFAULT '{}',
        last_outcome text CHECK (last_outcome IN ('verified', 'refused', 'locked')),
        PRIMARY KEY (account_id, phone)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE codes');
  }
}
