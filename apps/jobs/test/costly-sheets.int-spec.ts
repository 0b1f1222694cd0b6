import { newId } from '@switchboard/contracts';
import { workbooks } from '@switchboard/testing';
import type { SheetReader } from '../src/sheets/sheet-reader';
import { type BuiltWorker, buildSheetWorker, sheetReader } from './support/read-all';

const { bookOf, inline, number, row } = workbooks;
const MIB = 1_048_576;
const SHARED = '<c t="s"><v>0</v></c>';
const numbered = (count: number, element: (id: number) => string): string =>
  Array.from({ length: count }, (_unused, id) => element(id)).join('');
const longText = `<t>${numbered(8_192, (id) => ((id * 48_271) % 46_656).toString(36).padStart(4, '0')).slice(0, 32_767)}</t>`;
/** Returns digits that compress poorly. */
function digits(length: number, seed: number): string {
  let [text, state] = ['', seed + 1];
  while (text.length < length) text += String((state = (state * 48_271) % 2_147_483_647));
  return text.slice(0, length);
}
const phone = (id: number): string => number(String(919_800_000_000 + id));
const header = row(inline('phone'), inline('1'), inline('clientRef'));

let worker: BuiltWorker;
let reader: SheetReader;
beforeAll(async () => {
  worker = await buildSheetWorker();
  reader = sheetReader(worker);
  // Start the first thread, which loads the modules for reading.
  await readMeasured(bookOf({ sheets: [{ rows: header + row(phone(1)) }] }));
});
afterAll(() => worker.remove());

/** Reads all rows as the service does, without keeping them. */
async function count(file: Buffer): Promise<{ rows: number; refused: number }> {
  const found = { rows: 0, refused: 0 };
  const options = { accountId: newId('acc'), rows: 100_000, signal: new AbortController().signal };
  for await (const piece of reader.read(() => Promise.resolve(new Uint8Array(file)), options)) {
    if (!('rows' in piece)) continue;
    found.rows += piece.rows.length;
    found.refused += piece.rows.filter(({ problem }) => problem !== undefined).length;
  }
  return found;
}

async function readMeasured(
  ...files: Buffer[]
): Promise<{ found: { rows: number; refused: number }[]; cpuMs: number; grownMib: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const startedAt = process.cpuUsage();
  const found = await Promise.all(files.map(count));
  const { user, system } = process.cpuUsage(startedAt);
  clearInterval(looking);
  return { found, cpuMs: (user + system) / 1_000, grownMib: (peak - before) / MIB };
}

describe('expensive spreadsheet', () => {
  it.each([
    [
      'a format code of 950,000 brackets',
      () =>
        bookOf({
          sheets: [{ rows: header + row(phone(1)) }],
          styles: `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(950_000)}"/></numFmts>`,
        }),
      { rows: 1, refused: 0 },
    ],
    [
      'invalid numbers of 32,000 digits',
      () => bookOf({ sheets: [{ rows: header + numbered(100, (id) => row(number(`${digits(32_000, id)}x`))) }] }),
      { rows: 100, refused: 100 },
    ],
    [
      'long texts in 16,000 ignored columns',
      () =>
        bookOf({
          sheets: [{ rows: header + row(phone(1), ...Array.from({ length: 16_000 }, () => SHARED)).repeat(2) }],
          texts: [longText],
        }),
      { rows: 2, refused: 2 },
    ],
  ])('takes less than a second of processor time: %s', async (_what, file, found) => {
    const bytes = file();
    let best = await readMeasured(bytes);
    expect(best.found).toEqual([found]);
    for (let again = 0; again < 2 && best.cpuMs >= 1_000; again += 1) best = await readMeasured(bytes);
    expect(best.cpuMs).toBeLessThan(1_000);
  });

  it.each([1, 2])('takes less than 80 MB for %i large files at a time', async (files) => {
    const file = bookOf({
      sheets: [{ rows: header + numbered(20_000, (id) => row(phone(id), SHARED, SHARED)) }],
      texts: [longText],
    });
    expect(file.length).toBeLessThan(250_000);
    const { found, grownMib } = await readMeasured(...Array.from({ length: files }, () => file));
    expect(found).toEqual(found.map(() => ({ rows: 20_000, refused: 20_000 })));
    expect(grownMib).toBeLessThan(80);
  });
});
