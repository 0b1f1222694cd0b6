import { batchOf, columnsOf } from '@switchboard/database';
import { StoredCallback } from './stored-callback.entity';

/** Batch of callbacks for `STORE_CALLBACKS`. */
export const CALLBACKS = batchOf(columnsOf(StoredCallback, ['id', 'body']));

export const STORE_CALLBACKS = `
  INSERT INTO callback_inbox (${CALLBACKS.names}) SELECT ${CALLBACKS.names} FROM ${CALLBACKS.unnest('callback')}`;

/**
 * Deletes old callbacks. Concurrent runs on several gateways do not block each other. $1 retention in hours, $2 maximum
 * rows
 */
export const DELETE_OLD_CALLBACKS = `
  DELETE FROM callback_inbox WHERE id IN (
    SELECT id FROM callback_inbox WHERE received_at < now() - make_interval(hours => $1)
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;
