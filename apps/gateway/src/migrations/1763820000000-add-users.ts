import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE users (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts (id),
     email text NOT NULL CHECK (email = lower(email)),
     name text NOT NULL,
     role text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
     password_hash text NOT NULL,
     disabled_at timestamptz,
     last_sign_in_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  // Who signs in names no account, so an address belongs to one user.
  'CREATE UNIQUE INDEX users_email ON users (email)',
  'CREATE INDEX users_account ON users (account_id, created_at)',
  `CREATE TABLE sessions (
     id text PRIMARY KEY,
     token_sha256 bytea NOT NULL UNIQUE,
     account_id text NOT NULL REFERENCES accounts (id),
     user_id text NOT NULL REFERENCES users (id),
     created_at timestamptz NOT NULL DEFAULT now(),
     seen_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  'CREATE INDEX sessions_user ON sessions (user_id)',
  'CREATE INDEX sessions_expiry ON sessions (expires_at)',
  // Hashed: whoever mistypes may write a password where an address belongs.
  `CREATE TABLE sign_in_attempts (
     subject bytea PRIMARY KEY,
     attempts int NOT NULL,
     ends_at timestamptz NOT NULL
   )`,
  'CREATE INDEX sign_in_attempts_end ON sign_in_attempts (ends_at)',
];

export class AddUsers1763820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
