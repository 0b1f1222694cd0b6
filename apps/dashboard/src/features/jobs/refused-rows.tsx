import type { ReactNode } from 'react';
import type { ApiError } from '../../api/client';
import { Note } from '../../components/display';
import { sentenceOf } from '../../lib/sentences';

const SHOWN_FAULTS = 10;
const SHOWN_AT_FIELDS = [
  'name',
  'scheduledAt',
  'maxSpend',
  'maxSpend.amount',
  'quietHours',
  'quietHours.from',
  'quietHours.to',
];

/**
 * First row errors of a job that was not created because no row is valid, or why the columns do not match.
 * @param sample link to a spreadsheet with the right columns
 */
export function RefusedRows({ error, sample }: { error: ApiError | null; sample?: ReactNode }) {
  if (!error || SHOWN_AT_FIELDS.some((field) => error.faultOf(field))) return null;
  const details = error.more.details ?? [];
  return (
    <Note tone="bad">
      {error.message}
      {error.code === 'TEMPLATE_PARAMS_MISMATCH' && sample && <p>{sample}</p>}
      {details.length > 1 && (
        <ul className="fault-list">
          {details.slice(0, SHOWN_FAULTS).map(({ field, message }) => (
            <li key={field}>
              <span className="mono">{field}</span> {sentenceOf(message)}
            </li>
          ))}
        </ul>
      )}
      {details.length > SHOWN_FAULTS && <p>{`and ${details.length - SHOWN_FAULTS} more`}</p>}
    </Note>
  );
}
