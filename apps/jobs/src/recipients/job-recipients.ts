import { inParts, JOB_MESSAGES_MAX, type JobRecipient, PART_BYTES, type TemplateComponent } from '@switchboard/contracts';
import { messageIdOf } from './message-ids';

/** A recipient without a result, as the database gives it. */
export interface PendingRecipient {
  position: number;
  phone: string;
  clientRef: string | null;
  components: TemplateComponent[] | null;
  /** Null before the first release. */
  messageId: string | null;
}

/** The same recipients, each with the id of its message: the one it has, or a new one. */
export function withMessageIds<Row extends PendingRecipient>(rows: readonly Row[]): (Row & { messageId: string })[] {
  const now = Date.now();
  return rows.map((row) => ({ ...row, messageId: row.messageId ?? messageIdOf(row.position, now) }));
}

/** The recipients as tasks for messaging name them, in parts that fit into one task each. */
export function partsForMessaging(rows: readonly (PendingRecipient & { messageId: string })[]): JobRecipient[][] {
  const recipients = rows.map(({ messageId, phone: to, components, clientRef }) => ({
    messageId,
    to,
    ...(components && { components }),
    ...(clientRef !== null && { clientRef }),
  }));
  return inParts(recipients, { items: JOB_MESSAGES_MAX, bytes: PART_BYTES });
}
