import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What upstream reported about numbers that nobody has, until somebody adds them. */
const STATEMENTS = [
  `CREATE TABLE unowned_callbacks (
    id text COLLATE "C" PRIMARY KEY,
    phone_number_id text NOT NULL,
    -- As it was published: {callbackId, wabaId, value}.
    body jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX unowned_callbacks_of_number ON unowned_callbacks (phone_number_id, id)',
  'CREATE INDEX unowned_callbacks_received ON unowned_callbacks (received_at)',
];

export class CreateUnownedCallbacks1763900000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unowned_callbacks');
  }
}
