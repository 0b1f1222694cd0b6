import {
  inParts,
  JOB_MESSAGES_MAX,
  type JobRecipient,
  PART_BYTES,
  type TemplateComponent,
} from '@switchboard/contracts';
import { messageIdOf } from './message-ids';

/** A recipient without a result, as the database returns it. */
export interface PendingRecipient {
  position: number;
  phone: string;
  clientRef: string | null;
  components: TemplateComponent[] | null;
  /** Null before the first release. */
  messageId: string | null;
  /** Released before, and waiting for another release. */
  isReturned: boolean;
  /** Size of the components as JSON. */
  bytes: number;
}

/** Maximum size of components per transaction, because the process holds them in memory until the commit. */
export const STEP_BYTES = 8_388_608;

/**
 * End of a statement whose `positions` select recipients of the job $1. Returned recipients come first, then the
 * others, each in order, up to the size limit. Always includes the first one, whatever its size.
 * @param bytes the statement's parameter for the size limit
 */
export function recipientsWithinBytes(positions: string, bytes: string): string {
  return `
  SELECT position, phone, "clientRef", components, "messageId", "isReturned", bytes FROM (
    SELECT *, coalesce(sum(bytes) OVER (ORDER BY "isReturned" DESC, position ROWS BETWEEN UNBOUNDED PRECEDING
      AND 1 PRECEDING), 0) AS bytes_before
    FROM (
      SELECT r.position, r.phone, r.client_ref AS "clientRef", r.components,
        r.message_id AS "messageId", r.is_returned AS "isReturned",
        coalesce(octet_length(r.components::text), 0) AS bytes
      FROM ${positions} JOIN recipients AS r ON r.job_id = $1 AND r.position = ${positions}.position
    ) AS sized
  ) AS counted
  WHERE bytes_before < ${bytes} ORDER BY "isReturned" DESC, position`;
}

/** Returns the position below which no recipient waits for a first release, after these are released. */
export function endOfFresh(rows: readonly PendingRecipient[]): number {
  return Math.max(0, ...rows.filter(({ isReturned }) => !isReturned).map(({ position }) => position + 1));
}

/** Adds the message id to each recipient: its existing one, or a new one. */
export function withMessageIds<Row extends PendingRecipient>(rows: readonly Row[]): (Row & { messageId: string })[] {
  const now = Date.now();
  return rows.map((row) => ({ ...row, messageId: row.messageId ?? messageIdOf(row.position, now) }));
}

/** Splits the recipients into parts that each fit into one task for messaging. */
export function partsForMessaging(rows: readonly (PendingRecipient & { messageId: string })[]): JobRecipient[][] {
  const recipients = rows.map(({ messageId, phone: to, components, clientRef }) => ({
    messageId,
    to,
    ...(components && { components }),
    ...(clientRef !== null && { clientRef }),
  }));
  return inParts(recipients, { items: JOB_MESSAGES_MAX, bytes: PART_BYTES });
}
