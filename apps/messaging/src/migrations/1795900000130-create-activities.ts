import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Activities and messages of a conversation share their order: both ids start with the time. Activities go with the
 * conversation, whose row every writer has locked, so the reference needs no further lock.
 */
const ACTIVITIES = `
  CREATE TABLE activities (
    id text COLLATE "C" NOT NULL,
    account_id text NOT NULL,
    contact_id text COLLATE "C" NOT NULL REFERENCES conversations ON DELETE CASCADE,
    action text NOT NULL,
    -- The user who made the change; NULL for a message, or if the assigned user left.
    actor_id text COLLATE "C",
    -- The new user of 'assigned' and the former user of 'unassigned'.
    assignee_id text COLLATE "C",
    PRIMARY KEY (contact_id, id)
  );
  CREATE INDEX activities_newest ON activities (account_id, id)`;

/**
 * Returns an id with the time in milliseconds, its microseconds as three digits, and 52 random bits. The time is that
 * of the change, not of its transaction, which may have waited for the conversation.
 */
const NEW_ACTIVITY_ID = `
  CREATE FUNCTION new_activity_id() RETURNS text LANGUAGE sql VOLATILE
  SET search_path FROM CURRENT AS $$
    SELECT 'act_' || (
        SELECT string_agg(
          substr('0123456789abcdefghjkmnpqrstvwxyz', ((micros / 1000 >> 45 - 5 * place) & 31)::int + 1, 1), ''
          ORDER BY place)
        FROM generate_series(0, 9) AS place
      ) || to_char(micros % 1000, 'FM000') || right(replace(gen_random_uuid()::text, '-', ''), 13)
    FROM CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) AS micros
  $$`;

/**
 * Records all changes of the queue. The service names the acting user in a setting of its transaction.
 * The triggers on messages change conversations as well: at a greater depth, with a new message or without one.
 */
const RECORD_ACTIVITY = `
  CREATE FUNCTION record_activity() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    actor text := NULLIF(current_setting('switchboard.actor', true), '');
  BEGIN
    IF NEW.assignee_id IS DISTINCT FROM OLD.assignee_id THEN
      INSERT INTO activities (id, account_id, contact_id, action, actor_id, assignee_id)
      VALUES (new_activity_id(), NEW.account_id, NEW.contact_id,
        CASE WHEN NEW.assignee_id IS NULL THEN 'unassigned' ELSE 'assigned' END, actor,
        COALESCE(NEW.assignee_id, OLD.assignee_id));
    END IF;
    IF NEW.done <> OLD.done THEN
      INSERT INTO activities (id, account_id, contact_id, action, actor_id)
      VALUES (new_activity_id(), NEW.account_id, NEW.contact_id, CASE
        WHEN NEW.done THEN 'done'
        WHEN pg_trigger_depth() = 1 THEN 'reopened'
        WHEN NEW.message_count > OLD.message_count THEN 'reopened-by-message'
        ELSE 'reopened-by-failure'
      END, actor);
    END IF;
    RETURN NULL;
  END $$`;

const TRIGGER = `
  CREATE TRIGGER conversations_recorded AFTER UPDATE OF done, assignee_id ON conversations FOR EACH ROW
    WHEN (NEW.done <> OLD.done OR NEW.assignee_id IS DISTINCT FROM OLD.assignee_id)
    EXECUTE FUNCTION record_activity()`;

export class CreateActivities1795900000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [ACTIVITIES, NEW_ACTIVITY_ID, RECORD_ACTIVITY, TRIGGER]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
