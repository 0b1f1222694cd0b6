import { JOB_ROWS_MAX, type JobRow } from '@switchboard/contracts';

/** Bytes of rows that one message between services holds at most, about: the broker keeps messages in memory. */
const PART_BYTES = 262_144;

/** Long lists in parts that the broker takes easily; a short one is one part. */
export function partsOf(rows: readonly JobRow[]): JobRow[][] {
  const parts: JobRow[][] = [];
  let part: JobRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const rowBytes = row.components || row.variables || row.fault ? JSON.stringify(row).length : 0;
    if (part.length === JOB_ROWS_MAX || (bytes + rowBytes > PART_BYTES && part.length > 0)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += rowBytes;
  }
  return [...parts, part];
}
