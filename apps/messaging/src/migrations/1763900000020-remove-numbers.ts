import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Its messages refer to it, so the row of a removed number stays; only its credentials go.
  'ALTER TABLE numbers ADD COLUMN removed_at timestamptz',
  'CREATE UNIQUE INDEX numbers_upstream_id ON numbers (phone_number_id) WHERE removed_at IS NULL',
  'CREATE UNIQUE INDEX numbers_of_account ON numbers (account_id, phone_number) WHERE removed_at IS NULL',
  // For those that were removed, too.
  'CREATE INDEX numbers_account ON numbers (account_id)',
  'ALTER TABLE numbers DROP CONSTRAINT numbers_phone_number_id_key, DROP CONSTRAINT numbers_account_id_phone_number_key',
];

export class RemoveNumbers1763900000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
