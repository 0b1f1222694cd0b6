import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import pg from 'pg';

// Baseline: only stores the rows of a spreadsheet in a table, with the whole workbook in memory and one INSERT per row
// in one transaction.
const [, , databaseUrl, path = ''] = process.argv;
const PHONE = /^[1-9][0-9]{7,14}$/;
const CREATE =
  'CREATE TABLE IF NOT EXISTS floor_recipients (id bigserial PRIMARY KEY, job text NOT NULL, phone text NOT NULL, variables jsonb, client_ref text)';
const INSERT = 'INSERT INTO floor_recipients (job, phone, variables, client_ref) VALUES ($1, $2, $3, $4)';

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
await client.query(CREATE);
process.send?.('ready');
process.once('message', () => void storeAll());

async function storeAll(): Promise<void> {
  const startedAt = performance.now();
  const book = new ExcelJS.Workbook();
  await book.xlsx.load((await readFile(path)).buffer as ArrayBuffer);
  const sheet = book.worksheets[0];
  const seen = new Set<string>();
  await client.query('BEGIN');
  for (let row = 2; row <= (sheet?.rowCount ?? 0); row += 1) {
    const [, phone, first, second, clientRef] = (sheet?.getRow(row).values ?? []) as unknown[];
    const digits = String(phone).replace(/[\s-]/g, '').replace(/^\+/, '');
    if (!PHONE.test(digits) || seen.has(digits) || !first || !second) continue;
    seen.add(digits);
    await client.query({
      name: 'insert',
      text: INSERT,
      values: ['job', digits, JSON.stringify([first, second]), clientRef],
    });
  }
  await client.query('COMMIT');
  process.send?.({ rows: seen.size, seconds: (performance.now() - startedAt) / 1_000 });
  await client.end();
  process.disconnect();
}
