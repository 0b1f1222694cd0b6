import { nameOfFile } from './job-name';

describe('name of a job', () => {
  it('defaults to the file name without its extension', () => {
    expect(nameOfFile('Winter sale.v2.XLSX')).toBe('Winter sale.v2');
    expect(nameOfFile('orders.csv')).toBe('orders');
    expect(nameOfFile(`${'x'.repeat(120)}.csv`)).toHaveLength(100);
  });
});
