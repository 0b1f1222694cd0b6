import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // How far the platform has told the earlier messages of a number's phone app. A row stands before the first of them.
  `CREATE TABLE number_histories (
     number_id text PRIMARY KEY REFERENCES numbers,
     account_id text NOT NULL,
     phase int,
     -- Per cent of the whole.
     progress int,
     reported_at timestamptz,
     -- When the business last refused to share them.
     declined_at timestamptz
   )`,
  // What the business calls the person in its phone app, or nothing any more, since then.
  `ALTER TABLE contacts
     ADD COLUMN app_name text,
     ADD COLUMN app_name_at timestamptz`,
];

/** What a business's phone app shares of itself when its number comes to the service (ADR 56). */
export class CreateNumberHistories1764200000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
