import type { MigrationInterface, QueryRunner } from 'typeorm';

const SAVED_REPLIES = `
  CREATE TABLE saved_replies (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    name text NOT NULL,
    -- The name without case.
    name_key text COLLATE "C" NOT NULL,
    text text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, name_key)
  )`;

export class CreateSavedReplies1764300000270 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SAVED_REPLIES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
