import {
  givenLabelsOf,
  inParts,
  JOB_ROWS_MAX,
  jsonBytes,
  type JobRow,
  PART_BYTES,
  TEMPLATE_VALUES_MAX_BYTES,
} from '@switchboard/contracts';

/** Maximum bytes of a character in JSON. */
const BYTES_PER_CHARACTER = 6;
/** Allowance for the other members of a row, in bytes. */
const ROW_BYTES = 64;

/**
 * Splits long lists into parts that fit into broker messages. A row whose values do not fit into a message gets a
 * fault.
 */
export function partsOf(rows: readonly JobRow[]): JobRow[][] {
  const measured = rows.map(withinBytes);
  const parts = inParts(measured, { items: JOB_ROWS_MAX, bytes: PART_BYTES }, ({ bytes }) => bytes);
  return parts.length > 0 ? parts.map((part) => part.map(({ row }) => row)) : [[]];
}

function withinBytes(row: JobRow): { row: JobRow; bytes: number } {
  const { position, phone, variables, components, fault } = row;
  const values = components ?? variables;
  const plainBytes =
    ROW_BYTES + BYTES_PER_CHARACTER * (phone.length + (fault?.message.length ?? 0)) + jsonBytes(givenLabelsOf(row));
  const valueBytes = values ? jsonBytes(values) : 0;
  if (valueBytes <= TEMPLATE_VALUES_MAX_BYTES) return { row, bytes: plainBytes + valueBytes };
  const message = `${components ? 'components' : 'variables'} must take at most ${TEMPLATE_VALUES_MAX_BYTES / 1_024} KB as JSON`;
  return { row: { position, phone, fault: { code: 'TEXT_TOO_LONG', message } }, bytes: plainBytes };
}
