import type { MigrationInterface, QueryRunner } from 'typeorm';

const DROP_BROKEN = 'DROP INDEX CONCURRENTLY IF EXISTS contacts_app_name_search';

/** Of their own, as user names have one: a contact without such a name costs nothing more. */
const INDEX_NAMES = `
  CREATE INDEX CONCURRENTLY contacts_app_name_search ON contacts
  USING gin (contact_search_keys(account_id, contact_app_name_text(app_name))) WHERE app_name IS NOT NULL`;

const SEARCHED_TEXT = `
  CREATE OR REPLACE FUNCTION contact_app_name_text(app_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(search_form(app_name), 128)`;

/** Built beside the writers; begun again after a crash. */
export class IndexAppNames1764200000012 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCHED_TEXT);
    await runner.query(DROP_BROKEN);
    await runner.query(INDEX_NAMES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
