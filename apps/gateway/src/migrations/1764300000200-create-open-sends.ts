import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Sends that were answered 504, until messaging has a row of each.
  `CREATE TABLE open_sends (
     message_id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts (id),
     command jsonb NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX open_sends_created ON open_sends (created_at)',
];

export class CreateOpenSends1764300000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
