import { ERRORS, type JobRow, type JobRowFault } from '@switchboard/contracts';
import type { SheetHeader } from './header';
import type { RowProblem, SheetRow } from './read-sheet';

/** A sheet's rows as recipients of a job: their numbers, and the variables by name. */
export function rowsUnder({ variables }: SheetHeader, rows: readonly SheetRow[]): JobRow[] {
  return rows.map(({ row, phone, values, clientRef, problem }) => ({
    position: row,
    phone,
    ...(variables.length > 0 && {
      variables: Object.fromEntries(variables.map(({ name }, index) => [name, values[index] ?? ''])),
    }),
    ...(clientRef !== undefined && { clientRef }),
    ...(problem && { fault: faultOf(problem) }),
  }));
}

const CODES = { phone: 'INVALID_PHONE', variable: 'TEMPLATE_PARAMS_MISMATCH' } as const;

function faultOf({ kind, message }: RowProblem): JobRowFault {
  if (kind === 'length') return { code: 'TEXT_TOO_LONG', message };
  return { code: CODES[kind], message: `${ERRORS[CODES[kind]].message}: ${message}` };
}
