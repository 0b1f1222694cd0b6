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
  /** Country whose quiet hours apply; null in a job without quiet hours. */
  region: string | null;
  /** Size of the components in bytes of JSON. */
  bytes: number;
}

const PENDING = columnsOf(Recipient, [
  'position',
  'phone',
  ...LABELS,
  'components',
  'messageId',
  'isReturned',
  'region',
]);

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

/** Returns the parameters of `COUNT_RELEASED_REGIONS`: the regions of recipients that were never released before. */
export function regionCounts(rows: readonly PendingRecipient[]): [string[], number[]] {
  const counts = new Map<string, number>();
  for (const { region, isReturned } of rows)
    if (region !== null && !isReturned) counts.set(region, (counts.get(region) ?? 0) + 1);
  return [[...counts.keys()], [...counts.values()]];
}

/** Subtracts recipients that no longer wait. $1 account, $2 job, $3 regions, $4 their numbers of recipients */
export const COUNT_RELEASED_REGIONS = `
  UPDATE job_regions AS r SET pending = greatest(r.pending - released.count, 0)
  FROM unnest($3::text[], $4::int[]) AS released (region, count)
  WHERE r.account_id = $1 AND r.job_id = $2 AND r.region = released.region`;

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
