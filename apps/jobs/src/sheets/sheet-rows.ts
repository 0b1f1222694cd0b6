import { ERRORS } from '@switchboard/contracts';
import type { NewRow, RowFault } from '../jobs/new-job';
import type { SheetHeader } from './header';
import type { SheetRow } from './read-sheet';

/** A sheet's rows as recipients of a job: their numbers, and the variables by name. */
export function rowsUnder({ variables }: SheetHeader, rows: readonly SheetRow[]): NewRow[] {
  return rows.map(({ row, phone, values, clientRef, problem }) => ({
    position: row,
    phone,
    ...(variables.length > 0 && { variables: Object.fromEntries(variables.map(({ name }, index) => [name, values[index] ?? ''])) }),
    ...(clientRef !== undefined && { clientRef }),
    ...(problem && { fault: faultOf(problem) }),
  }));
}

function faultOf({ column, message }: NonNullable<SheetRow['problem']>): RowFault {
  const code = column === 'phone' ? 'INVALID_PHONE' : 'TEMPLATE_PARAMS_MISMATCH';
  return { code, message: `${ERRORS[code].message}: ${message}` };
}
