import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Asked for from the moment it is confirmed.
  `CREATE TABLE second_factors (
     user_id text PRIMARY KEY REFERENCES users (id),
     account_id text NOT NULL REFERENCES accounts (id),
     sealed_secret text NOT NULL,
     confirmed_at timestamptz,
     last_step bigint NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE recovery_codes (
     user_id text NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
     account_id text NOT NULL REFERENCES accounts (id),
     code_hmac bytea NOT NULL,
     used_at timestamptz,
     PRIMARY KEY (user_id, code_hmac)
   )`,
  // Not rows of sessions: a process of the version before would take them for whole ones.
  `CREATE TABLE half_sessions (
     token_sha256 bytea PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts (id),
     user_id text NOT NULL REFERENCES users (id),
     expires_at timestamptz NOT NULL
   )`,
  'CREATE INDEX half_sessions_user ON half_sessions (user_id)',
  'CREATE INDEX half_sessions_expiry ON half_sessions (expires_at)',
];

export class AddSecondFactors1763950000360 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
