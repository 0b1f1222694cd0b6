import { type JobRow, SAMPLE_ROWS_MAX, SAMPLE_ROWS_MAX_BYTES } from '@switchboard/contracts';
import type { JudgedRow } from '../jobs/row-validator';
import { SampleRows } from './sample-rows';

const template = {
  name: 'order_update',
  language: 'en_US',
  category: 'UTILITY',
  bodyVariables: ['order', 'day'],
  components: [{ type: 'BODY', text: 'Order {{order}} arrives on {{day}}.' }],
};
const judgedOf = ({ position, phone }: JobRow, fault: JudgedRow['fault'] = null): JudgedRow =>
  ({ position, phone, components: null, fault }) as JudgedRow;
const rowAt = (position: number, variables?: JobRow['variables']): JobRow => ({
  position,
  phone: String(919_800_000_000 + position),
  variables,
});
const collect = (...rows: JobRow[]): SampleRows => {
  const samples = new SampleRows({ template });
  samples.add(
    rows,
    rows.map((row) => judgedOf(row)),
  );
  return samples;
};

describe('sample rows of an estimate', () => {
  it('have the values by name', () =>
    expect(collect(rowAt(0, { order: 'A-17' })).rows).toEqual([
      { index: 0, phone: '919800000000', values: { order: 'A-17' } },
    ]));

  it('name the values of a list after the body variables', () =>
    expect(collect(rowAt(0, ['A-17', 'Monday'])).rows[0]?.values).toEqual({ order: 'A-17', day: 'Monday' }));

  it('name values by key, and omit names that the template does not have', () =>
    expect(collect(rowAt(0, { '{{order}}': 'A-17', colour: 'red' })).rows[0]?.values).toEqual({ order: 'A-17' }));

  it('have no values for a row without its own', () => expect(collect(rowAt(4)).rows[0]?.values).toEqual({}));

  it('omit values that are no texts', () =>
    expect(collect(rowAt(0, { order: 17, day: 'Monday' })).rows[0]?.values).toEqual({ day: 'Monday' }));

  it('omit rejected rows and duplicates', () => {
    const rows = [rowAt(0), rowAt(1), rowAt(2)] as const;
    const samples = new SampleRows({ template });
    samples.add(rows, [judgedOf(rows[0], { code: 'INVALID_PHONE', message: 'invalid' }), judgedOf(rows[2])]);
    expect(samples.rows.map(({ index }) => index)).toEqual([2]);
  });

  it('are limited in number over several batches', () => {
    const samples = new SampleRows({ template });
    for (let position = 0; position < SAMPLE_ROWS_MAX + 5; position += 1) {
      const row = rowAt(position);
      samples.add([row], [judgedOf(row)]);
    }
    expect(samples.rows.map(({ index }) => index)).toEqual(Array.from({ length: SAMPLE_ROWS_MAX }, (_, at) => at));
  });

  it('are limited in size', () => {
    const long = { order: 'a'.repeat(SAMPLE_ROWS_MAX_BYTES / 2) };
    expect(collect(rowAt(0, long), rowAt(1, long), rowAt(2)).rows).toHaveLength(1);
  });

  it('are none for a row that alone is too large', () =>
    expect(collect(rowAt(0, { order: 'a'.repeat(SAMPLE_ROWS_MAX_BYTES) })).rows).toEqual([]));
});
