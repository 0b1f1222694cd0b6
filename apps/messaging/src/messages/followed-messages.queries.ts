import { LABELS } from '@switchboard/contracts';
import { columnsOf, selectList } from '@switchboard/database';
import { Message } from './message.entity';

const COLUMNS = `
  id, account_id AS "accountId", upstream_id AS "upstreamId", direction, origin, number_id AS "numberId", sender,
  recipient, type, CASE type WHEN 'template' THEN content ->> 'name' END AS "templateName",
  CASE type WHEN 'template' THEN content #>> '{language,code}' END AS "templateLanguage",
  state, error, held_reason AS "heldReason", job_id AS "jobId", ${selectList(columnsOf(Message, LABELS))},
  send_attempts AS "sendAttempts", send_trace AS "sendTrace", created_at AS "createdAt", received_at AS received,
  accepted_at AS accepted, sent_at AS sent, delivered_at AS delivered, read_at AS read, failed_at AS failed,
  edited_at AS edited, deleted_at AS deleted`;

const MOST = 10;

/** $1 id */
export const SHOW_MESSAGE = `SELECT ${COLUMNS} FROM messages WHERE id = $1`;

/** One statement per direction, because each direction has its own index. $1 upstream id */
export const SHOW_MESSAGE_BY_UPSTREAM_ID = ['outbound', 'inbound']
  .map((direction) => `SELECT ${COLUMNS} FROM messages WHERE upstream_id = $1 AND direction = '${direction}'`)
  .join(' UNION ALL ')
  .concat(` LIMIT ${MOST}`);
