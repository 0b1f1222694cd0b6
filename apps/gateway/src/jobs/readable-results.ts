import type { JobRecord, RecipientRecord, RecipientStatus } from '@switchboard/contracts';
import { failureOfRecipient } from './job-lists';

/** Outcomes as the dashboard shows them. */
const OUTCOMES: Record<RecipientStatus, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
};
const TIMES = ['sentAt', 'deliveredAt', 'readAt', 'failedAt'] as const;

/** Columns of a results file, and the cells of a recipient in that order. */
export interface ResultTable {
  columns: readonly string[];
  rowOf(recipient: RecipientRecord): string[];
}

/**
 * Returns a table for people: row numbers as on the job's page, the values of the row, and times in the account's time
 * zone.
 * @param first first recipients of the file, whose values decide about the columns
 */
export function readableTable(
  job: Pick<JobRecord, 'type'>,
  first: readonly RecipientRecord[],
  timeZone: string,
): ResultTable {
  const names = [...new Set(first.flatMap(({ values }) => Object.keys(values ?? {})))];
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  const timeOf = (at: string | null): string => (at === null ? '' : format.format(new Date(at)));
  const zone = ` (${timeZone.replaceAll('_', ' ')})`;
  return {
    columns: [
      'Row',
      'Phone number',
      ...names,
      'Outcome',
      'Reason',
      ...['Sent', 'Delivered', 'Read', 'Failed'].map((time) => time + zone),
      'From',
      'Your reference',
    ],
    rowOf: (recipient) => {
      const { index, phone, status, values = {}, from, clientRef } = recipient;
      const failure = failureOfRecipient(recipient);
      return [
        String(job.type === 'excel' ? index : index + 1),
        phone ?? '',
        ...names.map((name) => values[name] ?? ''),
        OUTCOMES[status],
        failure?.message ?? '',
        ...TIMES.map((name) => timeOf(recipient[name])),
        from ?? '',
        clientRef ?? '',
      ];
    },
  };
}
