import type { MigrationInterface, QueryRunner } from 'typeorm';

const DROP_BROKEN = 'DROP INDEX CONCURRENTLY IF EXISTS contacts_username_search';

/**
 * The name by which a person is known on the platform. Few have one, so its pieces have an index of their own: the one
 * of names and numbers stays as it is, and a contact without a user name costs nothing more.
 */
const INDEX_NAMES = `
  CREATE INDEX CONCURRENTLY contacts_username_search ON contacts
  USING gin (contact_search_keys(account_id, contact_username_text(username))) WHERE username IS NOT NULL`;

/** With the @ that people write before it: found with and without. */
const SEARCHED_TEXT = `
  CREATE OR REPLACE FUNCTION contact_username_text(username text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '@' || left(search_form(username), 128)`;

/** Built beside the writers; begun again after a crash. */
export class AddUsernames1764100000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts ADD COLUMN IF NOT EXISTS username text');
    await runner.query(SEARCHED_TEXT);
    await runner.query(DROP_BROKEN);
    await runner.query(INDEX_NAMES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
