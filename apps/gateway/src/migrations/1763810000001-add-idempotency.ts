import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE idempotency (
     client_id text NOT NULL,
     route text NOT NULL,
     key text NOT NULL,
     fingerprint bytea NOT NULL,
     seed bytea NOT NULL,
     seeded_at timestamptz NOT NULL DEFAULT now(),
     owner text,
     leased_until timestamptz,
     status int,
     body text,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (client_id, route, key),
     CHECK ((status IS NULL) = (body IS NULL))
   )`,
  'CREATE INDEX idempotency_created ON idempotency (created_at)',
  'CREATE INDEX idempotency_running ON idempotency (owner) WHERE owner IS NOT NULL',
];

export class AddIdempotency1763810000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
