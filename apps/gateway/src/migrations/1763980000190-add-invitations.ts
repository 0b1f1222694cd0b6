import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE invitations (
     id text PRIMARY KEY,
     token_sha256 bytea NOT NULL UNIQUE,
     account_id text NOT NULL REFERENCES accounts (id),
     email text NOT NULL CHECK (email = lower(email)),
     role text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
     invited_by text NOT NULL REFERENCES users (id),
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  // Another invitation of the same person replaces the one before.
  'CREATE UNIQUE INDEX invitations_email ON invitations (account_id, email)',
  'CREATE INDEX invitations_inviter ON invitations (invited_by)',
  'CREATE INDEX invitations_expiry ON invitations (expires_at)',
  `CREATE TABLE password_resets (
     user_id text PRIMARY KEY REFERENCES users (id),
     account_id text NOT NULL REFERENCES accounts (id),
     token_sha256 bytea NOT NULL UNIQUE,
     created_by text NOT NULL REFERENCES users (id),
     expires_at timestamptz NOT NULL
   )`,
  'CREATE INDEX password_resets_creator ON password_resets (created_by)',
  'CREATE INDEX password_resets_expiry ON password_resets (expires_at)',
  // Null for a session that began under the version before.
  'ALTER TABLE sessions ADD COLUMN address text, ADD COLUMN user_agent text',
];

export class AddInvitations1763980000190 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
