import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Whom an account is forgetting, until it is done.
  `CREATE TABLE erasures (
     account_id text NOT NULL REFERENCES accounts (id),
     phone text NOT NULL,
     names text[] NOT NULL,
     after_callback text NOT NULL DEFAULT '',
     begun_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, phone)
   )`,
  'CREATE INDEX erasures_begun ON erasures (begun_at)',
];

export class AddErasures1763990000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
