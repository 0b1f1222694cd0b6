import { type JobRow, jsonBytes, SAMPLE_ROWS_MAX, SAMPLE_ROWS_MAX_BYTES, type SampleRow } from '@switchboard/contracts';
import type { CheckedJob } from '../jobs/job-check';
import { variablesOfTemplate } from '../jobs/row-components';
import type { JudgedRow } from '../jobs/row-validator';

/** Collects the first accepted rows of a dry run with their values. */
export class SampleRows {
  readonly rows: SampleRow[] = [];
  /** Names of the body variables in the order of a list of values. */
  private readonly bodyNames: readonly string[];
  /** Keys of the variables by each of their names. */
  private readonly keys: ReadonlyMap<string, string>;
  private bytes = 0;
  private isFull = false;

  constructor({ template }: Pick<CheckedJob, 'template'>) {
    const variables = template ? variablesOfTemplate(template) : [];
    this.bodyNames = variables
      .filter(({ place, card }) => place === 'body' && card === undefined)
      .map(({ key }) => key);
    this.keys = new Map(
      variables.flatMap(({ key, column, alias = key }) => [key, column, alias].map((name) => [name, key])),
    );
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
    const { variables = {} } = row ?? {};
    const named = Array.isArray(variables)
      ? variables.map((value, index) => [this.bodyNames[index] ?? '', value] as const)
      : Object.entries(variables);
    return Object.fromEntries(
      named.flatMap(([name, value]) => {
        const key = this.keys.get(name);
        return key !== undefined && typeof value === 'string' ? [[key, value]] : [];
      }),
    );
  }
}
