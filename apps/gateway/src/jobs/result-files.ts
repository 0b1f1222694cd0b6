import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecipientRecord } from '@switchboard/contracts';
import type { ResultTable } from './readable-results';
import { RESULT_COLUMNS, resultRow } from './result-rows';
import { BYTE_ORDER_MARK, csvLine, safeCell } from '../pagination/safe-cell';

type Pages = AsyncIterable<readonly RecipientRecord[]>;

/** Columns named after API fields. */
const API_TABLE: ResultTable = { columns: RESULT_COLUMNS, rowOf: resultRow };

/**
 * Streams the pages as a CSV file in UTF-8 with a byte-order mark. Requests each page after the previous one has been
 * consumed.
 */
export function csvFile(pages: Pages): Readable {
  return Readable.from(csvChunks(pages), { objectMode: false, highWaterMark: 1 });
}

async function* csvChunks(pages: Pages): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(RESULT_COLUMNS);
  for await (const page of pages) yield page.map((recipient) => csvLine(resultRow(recipient))).join('');
}

/** Streams the pages as an .xlsx file. All cells contain text, so that programs do not reformat phone numbers. */
export function xlsxFile(pages: Pages, table = API_TABLE): Readable {
  const out = new PassThrough();
  writeBook(pages, table, out).catch((error: unknown) =>
    out.destroy(error instanceof Error ? error : new Error('a results file was not written', { cause: error })),
  );
  return out;
}

async function writeBook(pages: Pages, { columns, rowOf }: ResultTable, out: PassThrough): Promise<void> {
  // Loads the library on demand because it needs much memory.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: out, useStyles: false, useSharedStrings: false });
  const sheet = book.addWorksheet('Results');
  sheet.addRow(columns.map(safeCell)).commit();
  for await (const page of pages) {
    for (const recipient of page) sheet.addRow(rowOf(recipient).map(safeCell)).commit();
    await drained(out);
  }
  await book.commit();
}

/** Waits until the output has drained, since the library ignores backpressure. */
async function drained(out: PassThrough): Promise<void> {
  await nextTurn();
  // A disconnect of the reader also ends the wait.
  while (out.writableNeedDrain && !out.destroyed) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  if (out.destroyed) throw new Error('nobody reads the results any more');
}
