import {
  givenLabelsOf,
  inParts,
  JOB_MESSAGES_MAX,
  type JobRecipient,
  LABELS,
  type MessageLabels,
  PART_BYTES,
  type TemplateComponent,
} from '@switchboard/contracts';
import { columnsOf, selectList } from '@switchboard/database';
import { Recipient } from '../jobs/recipient.entity';
import { messageIdOf } from './message-ids';

/** A recipient without a result, as the database returns it. */
export interface PendingRecipient extends MessageLabels {
  position: number;
  phone: string;
  components: TemplateComponent[] | null;
  /** Null before the first release. */
  messageId: string | null;
  /** True if the recipient was released before and waits for another release. */
  isReturned: boolean;
  /** Size of the components in bytes of JSON. */
  bytes: number;
}

const PENDING = columnsOf(Recipient, ['position', 'phone', ...LABELS, 'components', 'messageId', 'isReturned']);

/** Maximum size of components per transaction, because the process keeps them in memory until the commit. */
export const STEP_BYTES = 8_388_608;

/**
 * End of a statement whose `positions` select recipients of the job $1. Returned recipients are first, then the others,
 * both in order and up to the size limit. Always includes the first recipient, whatever its size.
 * @param bytes the statement's parameter for the size limit
 */
export function recipientsWithinBytes(positions: string, bytes: string): string {
  return `
  SELECT * FROM (
    SELECT *, coalesce(sum(bytes) OVER (ORDER BY "isReturned" DESC, position ROWS BETWEEN UNBOUNDED PRECEDING
      AND 1 PRECEDING), 0) AS bytes_before
    FROM (
      SELECT ${selectList(PENDING, 'r')},
        coalesce(octet_length(r.components::text), 0) AS bytes
      FROM ${positions} JOIN recipients AS r ON r.job_id = $1 AND r.position = ${positions}.position
    ) AS sized
  ) AS counted
  WHERE bytes_before < ${bytes} ORDER BY "isReturned" DESC, position`;
}

/** Returns the position below which all recipients have been released at least once, after these are released. */
export function endOfFresh(rows: readonly PendingRecipient[]): number {
  return Math.max(0, ...rows.filter(({ isReturned }) => !isReturned).map(({ position }) => position + 1));
}

/** Adds its message id to each recipient, or a new id if it has none. */
export function withMessageIds<Row extends PendingRecipient>(rows: readonly Row[]): (Row & { messageId: string })[] {
  const now = Date.now();
  return rows.map((row) => ({ ...row, messageId: row.messageId ?? messageIdOf(row.position, now) }));
}

/** Splits the recipients into parts that each fit into one task of the messaging service. */
export function partsForMessaging(rows: readonly (PendingRecipient & { messageId: string })[]): JobRecipient[][] {
  const recipients = rows.map((row) => ({
    messageId: row.messageId,
    to: row.phone,
    ...(row.components && { components: row.components }),
    ...givenLabelsOf(row),
  }));
  return inParts(recipients, { items: JOB_MESSAGES_MAX, bytes: PART_BYTES });
}
