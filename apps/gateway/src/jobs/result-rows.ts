import type { RecipientRecord } from '@switchboard/contracts';
import { failureOfRecipient } from './job-lists';

/** The columns of a results file, by the names of the API. */
export const RESULT_COLUMNS = [
  'index',
  'phone',
  'clientRef',
  'status',
  'message_id',
  'id',
  'errorReason',
  'errorCode',
  'errorMessage',
  'acceptedAt',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
] as const;

/** What became of one recipient, as texts in the order of the columns. */
export function resultRow({
  index,
  phone,
  clientRef,
  status,
  upstreamId,
  id,
  error,
  refusal,
  ...times
}: RecipientRecord): string[] {
  const failure = failureOfRecipient({ error, refusal });
  const values = [
    index,
    phone,
    clientRef,
    status,
    upstreamId,
    id,
    failure?.reason,
    failure?.code,
    failure?.message,
    times.acceptedAt,
    times.sentAt,
    times.deliveredAt,
    times.readAt,
    times.failedAt,
  ];
  return values.map((value) => (value === null || value === undefined ? '' : String(value)));
}
