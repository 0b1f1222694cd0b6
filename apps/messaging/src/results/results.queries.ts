import { batchOf, columnsOf } from '@switchboard/database';
import { IS_OURS, IS_THEIRS } from '../messages/message-state';
import type { CountedMessage } from './count-results';
import { ResultDayRow } from './result-day.entity';

/** Number of messages of a conversation that are read before and after a message, which bounds the work per message. */
const NEIGHBOURS = 50;

/** Messages that the queue of conversations takes into account (ADR 80). */
const COUNTS = `
  NOT is_withdrawal(type, content) AND origin <> 'history' AND NOT failed
  AND type <> CASE WHEN ${IS_OURS} THEN 'reaction' ELSE 'system' END`;

/** The message refers to another one by a reply, a button or a list. */
const REPLIED_TO = "reference->'context'->>'messageId'";
const IS_PRESS = "(type = 'button' OR type = 'interactive' AND content->>'type' IN ('button_reply', 'list_reply'))";

const neighbours = (condition: string, order: string): string => `
  (SELECT * FROM (
    SELECT id, ${IS_THEIRS} AS is_theirs, ${COUNTS} AS counts, ${REPLIED_TO} = page.upstream_id AS is_reply,
      ${IS_PRESS} AS is_press
    FROM messages
    WHERE ${condition} AND messages.account_id = $1 AND messages.contact_id = page.contact_id AND settled
    ORDER BY messages.id ${order} LIMIT ${NEIGHBOURS}
  ) AS each WHERE counts) AS near`;

export interface ResultRow extends CountedMessage {
  direction: 'inbound' | 'outbound';
}

/**
 * Reads outbound messages with the first answer, and the first message that waited for them. The neighbours are read
 * only for contacts that have written.
 */
const outcomesOf = (chosen: string, most: string): string => `
  WITH page AS MATERIALIZED (
    SELECT id, contact_id, upstream_id, direction, state, failed, job_id, sender_id,
      CASE type WHEN 'template' THEN content->>'name' END AS template, error->>'reason' AS reason,
      type = 'reaction' AS is_reaction
    FROM messages WHERE account_id = $1 AND settled AND origin <> 'history' AND ${chosen} ORDER BY id ${most}
  )
  SELECT page.id, page.direction, page.state, page.template, page.job_id AS "jobId", page.sender_id AS "senderId", page.reason,
    answer.id AS "answerId", COALESCE(answer.is_pressed, false) AS "isPressed", waiting.id AS "waitingId",
    ARRAY(SELECT ARRAY[labels.id, labels.name] FROM contact_labels JOIN labels ON labels.id = label_id
      WHERE contact_labels.contact_id = page.contact_id AND contact_labels.account_id = $1 AND deleted_at IS NULL
        AND page.direction = 'outbound') AS labels
  FROM page
  LEFT JOIN conversations ON conversations.contact_id = page.contact_id AND conversations.account_id = $1
  LEFT JOIN LATERAL (
    SELECT min(id) FILTER (WHERE is_theirs AND (ours_before = 0 OR is_reply)) AS id,
      bool_or(is_theirs AND is_reply AND is_press) AS is_pressed
    FROM (
      SELECT *, count(*) FILTER (WHERE NOT is_theirs) OVER (ORDER BY id) AS ours_before
      FROM ${neighbours(
        `page.direction = 'outbound' AND NOT page.failed AND conversations.last_inbound_at > $4::timestamptz
      AND messages.id > page.id AND messages.id > $2 AND messages.id < $5`,
        'ASC',
      )}
    ) AS later
  ) AS answer ON true
  LEFT JOIN LATERAL (
    SELECT min(id) FILTER (WHERE is_theirs AND ours_after = 0) AS id
    FROM (
      SELECT *, count(*) FILTER (WHERE NOT is_theirs) OVER (ORDER BY id DESC) AS ours_after
      FROM ${neighbours(
        `page.direction = 'outbound' AND NOT page.failed AND NOT page.is_reaction AND page.sender_id IS NOT NULL
      AND conversations.last_inbound_at IS NOT NULL AND messages.id < page.id AND messages.id < $3 AND messages.id > $6`,
        'DESC',
      )}
    ) AS earlier
  ) AS waiting ON true
  ORDER BY page.id`;

/**
 * Reads the messages of an account in the order of their ids. Also returns inbound messages, without their neighbours.
 * $1 account, $2 exclusive lower bound of the ids, $3 exclusive upper bound, $4 time after which an answer may have
 * come, $5 exclusive upper bound of the ids of answers, $6 exclusive lower bound of the ids of waiting messages, $7
 * maximum rows
 */
export const OUTCOMES_OF_RANGE = outcomesOf('id > $2 AND id < $3', 'LIMIT $7');

/** Reads given messages. Parameters as for `OUTCOMES_OF_RANGE`, except $7: ids */
export const OUTCOMES_OF_IDS = outcomesOf(
  "id > $2 AND id < $3 AND id = ANY ($7::text[]) AND direction <> 'inbound'",
  '',
);

const PLANNER: Readonly<Record<string, string>> = {
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  random_page_cost: '0',
  seq_page_cost: '0',
};

/** Forces the indexes in whose order the messages are read, as `scanQuery` does, until the transaction ends. */
export const READ_IN_INDEX_ORDER = `SELECT ${Object.entries(PLANNER)
  .map(([setting, value]) => `set_config('${setting}', '${value}', true)`)
  .join(', ')}`;

/** Ends `READ_IN_INDEX_ORDER`. */
export const READ_IN_ANY_ORDER = `
  SELECT set_config(name, reset_val, true) FROM pg_settings
  WHERE name IN (${Object.keys(PLANNER)
    .map((setting) => `'${setting}'`)
    .join(', ')})`;

const DAY_LOCK = "hashtext('messaging.results'), hashtext($1 || $2)";

/** Locks the results of a day, unless another process computes them. $1 account, $2 day */
export const TRY_LOCK_DAY = `SELECT pg_try_advisory_xact_lock(${DAY_LOCK}) AS locked`;

/** Locks the results of a day as soon as no other process computes them. $1 account, $2 day */
export const LOCK_DAY = `SELECT true AS locked FROM pg_advisory_xact_lock(${DAY_LOCK})`;

/** Postpones a day whose computation failed. $1 account, $2 day */
export const POSTPONE_DAY = `
  UPDATE result_progress SET due_at = now() + interval '1 hour'
  WHERE account_id = $1 AND day = $2::date AND due_at <= now()`;

/** $1 account, $2 day */
export const FIND_PROGRESS = `
  SELECT computed_at AS "computedAt", due_at AS "dueAt", removals, now() AS now
  FROM result_progress WHERE account_id = $1 AND day = $2::date`;

/**
 * Records a computation, unless messages of the day were deleted meanwhile. $1 account, $2 day, $3 removals that the
 * computation has seen, $4 start of the computation, $5 next computation; null if the day is final
 */
export const FINISH_DAY = `
  UPDATE result_progress SET computed_at = $4, due_at = $5
  WHERE account_id = $1 AND day = $2::date AND removals = $3 RETURNING 1 AS finished`;

/** $1 account, $2 day, $3 dimensions, $4 whether the counts of deleted messages */
export const DELETE_COUNTS = `
  DELETE FROM result_days WHERE account_id = $1 AND day = $2::date AND dimension = ANY ($3::text[]) AND removed = $4`;

export const COUNTS_OF_DAY = batchOf(
  columnsOf(ResultDayRow, [
    'accountId',
    'dimension',
    'day',
    'key',
    'removed',
    'name',
    'sent',
    'delivered',
    'read',
    'answered',
    'pressed',
    'failed',
    'reasons',
    'times',
  ]),
);

export const INSERT_COUNTS = `
  INSERT INTO result_days (${COUNTS_OF_DAY.names}) SELECT ${COUNTS_OF_DAY.names} FROM ${COUNTS_OF_DAY.unnest('counted')}`;

/** $1 account, $2 day, $3 dimensions */
export const REMOVED_COUNTS = `
  SELECT dimension, key, name, sent, delivered, read, answered, pressed, failed, reasons, times FROM result_days
  WHERE account_id = $1 AND day = $2::date AND dimension = ANY ($3::text[]) AND removed`;

/** Adds the day of messages that are about to be deleted. $1 account, $2 days */
export const ADD_DAYS = `
  INSERT INTO result_progress (account_id, day, due_at) SELECT $1, unnest($2::date[]), now() ON CONFLICT DO NOTHING`;

/**
 * Announces deletions of messages: a computation at the same time is repeated, and the counts are not current until the
 * next one. Returns the days that are not final, in their order. $1 account, $2 days
 */
export const NOTE_REMOVALS = `
  WITH open AS (
    SELECT day FROM result_progress WHERE account_id = $1 AND day = ANY ($2::date[]) AND due_at IS NOT NULL
    ORDER BY day FOR NO KEY UPDATE
  )
  UPDATE result_progress SET removals = removals + 1, computed_at = NULL, due_at = LEAST(due_at, now()) FROM open
  WHERE account_id = $1 AND result_progress.day = open.day RETURNING to_char(open.day, 'YYYY-MM-DD') AS day`;

/**
 * Adds the day of accounts that sent messages on it, unless messages of the day may already have been deleted.
 * $1 day, $2 start of the day, $3 start of the next day
 */
export const FIND_DAYS = `
  INSERT INTO result_progress (account_id, day, due_at)
  SELECT DISTINCT account_id, $1::date, now() FROM message_hours
  WHERE hour >= $2::timestamptz AND hour < $3::timestamptz AND state <> 'received'
    AND NOT EXISTS (SELECT 1 FROM account_settings WHERE account_settings.account_id = message_hours.account_id
      AND now() - make_interval(days => message_days) > $2::timestamptz)
  ON CONFLICT DO NOTHING`;

export interface DueDay {
  accountId: string;
  day: string;
}

/** Finds the day that has been due for the longest time. */
export const FIND_DUE = `
  SELECT account_id AS "accountId", to_char(day, 'YYYY-MM-DD') AS day FROM result_progress
  WHERE due_at <= now() ORDER BY due_at LIMIT 1`;

export interface DayProgress {
  day: string;
  computedAt: Date | null;
  /** True if the day is final. */
  isFinal: boolean;
}

/** Reads the progress of a range, newest first. $1 account, $2 first day, $3 last day */
export const LIST_PROGRESS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, computed_at AS "computedAt", due_at IS NULL AS "isFinal" FROM result_progress
  WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date ORDER BY day DESC`;

/** Makes days due now. $1 account, $2 days */
export const HURRY = `
  UPDATE result_progress SET due_at = now() WHERE account_id = $1 AND day = ANY ($2::date[]) AND due_at > now()`;

/** $1 account, $2 lowest id */
export const HAS_MESSAGES = `
  SELECT EXISTS (SELECT 1 FROM messages WHERE account_id = $1 AND settled AND id >= $2) AS has`;

const SUMS = ['sent', 'delivered', 'read', 'answered', 'pressed', 'failed']
  .map((figure) => `sum(${figure})::int AS ${figure}`)
  .join(', ');
const IN_RANGE = 'result_days.account_id = $1 AND dimension = $2 AND day BETWEEN $3::date AND $4::date';

/** Sums by day, oldest first. $1 account, $2 dimension, $3 first day, $4 last day */
export const SUM_DAYS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, ${SUMS} FROM result_days WHERE ${IN_RANGE} GROUP BY day ORDER BY day`;

/** Sums by key. Parameters as for `SUM_DAYS`, then $5 maximum groups */
export const SUM_GROUPS = `
  SELECT key, max(result_days.name) AS name, ${SUMS}, (count(*) OVER ())::int AS groups
  FROM result_days WHERE ${IN_RANGE}
  GROUP BY key ORDER BY sum(sent + failed) DESC, key LIMIT $5`;

/** Sums the reasons or the times of groups. Parameters as for `SUM_DAYS`, then $5 keys */
const sumParts = (part: 'reasons' | 'times'): string => `
  SELECT result_days.key, each.key AS part, sum(each.value::int)::int AS count
  FROM result_days CROSS JOIN jsonb_each_text(${part}) AS each
  WHERE ${IN_RANGE} AND result_days.key = ANY ($5::text[]) GROUP BY 1, 2`;
export const SUM_REASONS = sumParts('reasons');
export const SUM_TIMES = sumParts('times');

/** Reads the current names of labels. $1 account, $2 ids */
export const LABEL_NAMES = 'SELECT id, name FROM labels WHERE account_id = $1 AND id = ANY ($2::text[])';

/** Deletes expired results. $1 days that are retained, $2 maximum rows */
export const DELETE_EXPIRED = ['result_days', 'result_progress'].map(
  (table) => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE day < current_date - $1::int ORDER BY day LIMIT $2
  )) RETURNING 1 AS deleted`,
);
