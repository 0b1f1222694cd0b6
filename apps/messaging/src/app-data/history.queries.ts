import { batchOf, columnsOf } from '@switchboard/database';
import { Message } from '../messages/message.entity';

/**
 * Marks the start of an import before its first message is stored. From then on, incoming messages are compared with
 * the history.
 * $1 number, $2 account
 */
export const BEGIN_HISTORY = `
  INSERT INTO number_histories (number_id, account_id) VALUES ($1, $2) ON CONFLICT (number_id) DO NOTHING`;

/**
 * Stores the furthest progress, because reports arrive in any order and repeatedly.
 * $1 number, $2 account, $3 phase, $4 percentage, $5 time of the report
 */
export const NOTE_PROGRESS = `
  INSERT INTO number_histories AS known (number_id, account_id, phase, progress, reported_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (number_id) DO UPDATE
  SET phase = CASE WHEN (EXCLUDED.progress, EXCLUDED.phase) > (COALESCE(known.progress, -1), COALESCE(known.phase, -1))
        THEN EXCLUDED.phase ELSE known.phase END,
      progress = GREATEST(known.progress, EXCLUDED.progress),
      reported_at = GREATEST(known.reported_at, EXCLUDED.reported_at)`;

/** $1 number, $2 account, $3 time of the report */
export const NOTE_DECLINED = `
  INSERT INTO number_histories AS known (number_id, account_id, declined_at) VALUES ($1, $2, $3)
  ON CONFLICT (number_id) DO UPDATE SET declined_at = GREATEST(known.declined_at, EXCLUDED.declined_at)`;

/** Messages whose files `FILL_FILES` adds. */
export const FILES = batchOf(columnsOf(Message, ['upstreamId', 'type', 'content', 'caption', 'mediaId']), { from: 3 });

/**
 * Adds files that are reported after their messages, if the message is from the history, has no file yet and was not
 * deleted.
 * $1 account, $2 number, then `FILES`
 */
const fillFiles = (direction: string): string => `
  WITH file AS (
    SELECT * FROM ${FILES.unnest('file')}
  ), locked AS MATERIALIZED (
    SELECT id, upstream_id FROM messages
    WHERE direction = '${direction}' AND upstream_id = ANY (${FILES.list('upstreamId')}) AND account_id = $1
      AND number_id = $2 AND origin = 'history' AND media_id IS NULL AND deleted_at IS NULL
    ORDER BY id FOR UPDATE
  )
  UPDATE messages SET type = file.type, content = file.content, caption = file.caption, media_id = file.media_id
  FROM locked JOIN file USING (upstream_id)
  WHERE messages.id = locked.id AND messages.id = ANY (ARRAY(SELECT id FROM locked))
  RETURNING messages.id, messages.media_id AS "mediaId"`;

/** One statement per direction, because each direction has its own index. */
export const FILL_FILES = { inbound: fillFiles('inbound'), outbound: fillFiles('outbound') };
