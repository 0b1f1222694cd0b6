import {
  type JobRow,
  jsonBytes,
  SAMPLE_ROWS_MAX,
  SAMPLE_ROWS_MAX_BYTES,
  type SampleRow,
  TemplateFiller,
} from '@switchboard/contracts';
import type { CheckedJob } from '../jobs/job-check';
import { variablesOfTemplate } from '../jobs/row-components';
import type { JudgedRow } from '../jobs/row-validator';

/** Collects the first accepted rows of a dry run with their values. */
export class SampleRows {
  readonly rows: SampleRow[] = [];
  private readonly filler: TemplateFiller;
  private bytes = 0;
  private isFull = false;

  constructor({ template }: Pick<CheckedJob, 'template'>) {
    this.filler = new TemplateFiller(template ? variablesOfTemplate(template) : []);
  }

  /** @param judged the validated rows of the batch, without duplicates */
  add(batch: readonly JobRow[], judged: readonly JudgedRow[]): void {
    if (this.isFull) return;
    const given = new Map(batch.map((row) => [row.position, row]));
    for (const { position: index, phone, fault } of judged) {
      if (fault !== null) continue;
      const row = { index, phone, values: this.valuesOf(given.get(index)) };
      this.bytes += jsonBytes(row);
      this.isFull = this.rows.length >= SAMPLE_ROWS_MAX || this.bytes > SAMPLE_ROWS_MAX_BYTES;
      if (this.isFull) return;
      this.rows.push(row);
    }
  }

  /** Returns the texts among the values; a row with components of its own has none. */
  private valuesOf(row: JobRow | undefined): Record<string, string> {
    const values = Object.entries(this.filler.valuesByKey(row?.variables ?? {}));
    return Object.fromEntries(values.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  }
}
