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

/** A recipient without a result, as the database gives it. */
export interface PendingRecipient extends MessageLabels {
  position: number;
  phone: string;
  components: TemplateComponent[] | null;
  /** Null before the first release. */
  messageId: string | null;
  /** Released before, and waiting for another release. */
  isReturned: boolean;
  /** Of the components as JSON. */
  bytes: number;
}

const PENDING = columnsOf(Recipient, ['position', 'phone', ...LABELS, 'components', 'messageId', 'isReturned']);

/** What one transaction takes of recipients' components: they lie in the process until it commits. */
export const STEP_BYTES = 8_388_608;

/**
 * The end of a statement whose `positions` name recipients of the job $1: those who were returned first, then the
 * others, each in their order, as many as fit. The first one comes however long its components are.
 * @param bytes the statement's parameter for the most bytes
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

/** The position below which nobody waits for a first release any more, once these are taken. */
export function endOfFresh(rows: readonly PendingRecipient[]): number {
  return Math.max(0, ...rows.filter(({ isReturned }) => !isReturned).map(({ position }) => position + 1));
}

/** The same recipients, each with the id of its message: the one it has, or a new one. */
export function withMessageIds<Row extends PendingRecipient>(rows: readonly Row[]): (Row & { messageId: string })[] {
  const now = Date.now();
  return rows.map((row) => ({ ...row, messageId: row.messageId ?? messageIdOf(row.position, now) }));
}

/** The recipients as tasks for messaging name them, in parts that fit into one task each. */
export function partsForMessaging(rows: readonly (PendingRecipient & { messageId: string })[]): JobRecipient[][] {
  const recipients = rows.map((row) => ({
    messageId: row.messageId,
    to: row.phone,
    ...(row.components && { components: row.components }),
    ...givenLabelsOf(row),
  }));
  return inParts(recipients, { items: JOB_MESSAGES_MAX, bytes: PART_BYTES });
}
