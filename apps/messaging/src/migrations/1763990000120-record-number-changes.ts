import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a number was like from a moment on, as `LIST_NUMBERS` shows it. */
const STANDING = ['quality_rating', 'messaging_limit', 'throughput_level'];
const SHOWN_STATUS = "CASE WHEN stopped_at IS NULL THEN status ELSE 'STOPPED' END";
const differs = [...STANDING, 'status', 'stopped_at', 'stopped_reason']
  .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
  .join(' OR ');

const STATEMENTS = [
  `CREATE TABLE number_changes (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id text NOT NULL,
     number_id text NOT NULL REFERENCES numbers,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     quality_rating text,
     messaging_limit text,
     throughput_level text,
     status text NOT NULL,
     stopped_reason text
   )`,
  'CREATE INDEX number_changes_newest ON number_changes (account_id, number_id, id)',
  // In the statement that changes the number, whoever does: a poll, new credentials, a refused send, an operator.
  `CREATE FUNCTION record_number_change() RETURNS trigger LANGUAGE plpgsql
   SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO number_changes (account_id, number_id, ${STANDING.join(', ')}, status, stopped_reason)
     SELECT NEW.account_id, NEW.id, ${STANDING.map((column) => `NEW.${column}`).join(', ')},
       ${SHOWN_STATUS.replaceAll(/(stopped_at|status)\b/g, 'NEW.$1')}, NEW.stopped_reason;
     RETURN NULL;
   END $$`,
  'CREATE TRIGGER number_added AFTER INSERT ON numbers FOR EACH ROW EXECUTE FUNCTION record_number_change()',
  `CREATE TRIGGER number_changed AFTER UPDATE ON numbers FOR EACH ROW WHEN (${differs}) EXECUTE FUNCTION record_number_change()`,
  // What they were like before is not known; since when is.
  `INSERT INTO number_changes (account_id, number_id, at, ${STANDING.join(', ')}, status, stopped_reason)
   SELECT account_id, id, updated_at, ${STANDING.join(', ')}, ${SHOWN_STATUS}, stopped_reason FROM numbers ORDER BY updated_at, id`,
  // When the upstream platform last reported anything about the number, to the minute.
  'ALTER TABLE numbers ADD COLUMN last_callback_at timestamptz',
];

/** The history of each number's quality, limit, throughput and standing. */
export class RecordNumberChanges1763990000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
