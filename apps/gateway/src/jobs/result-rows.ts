import type { RecipientRecord } from '@switchboard/contracts';
import { failureOfRecipient } from './job-lists';

/** Columns of a results file, named after API fields. */
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
  'from',
] as const;

/** Converts a recipient's result to cell texts in column order. */
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
    times.from,
  ];
  return values.map((value) => (value === null || value === undefined ? '' : String(value)));
}
