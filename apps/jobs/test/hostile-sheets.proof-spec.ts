import { hostileFiles, workbooks } from '@switchboard/testing';
import type { SheetReader } from '../src/sheets/sheet-reader';
import { type BuiltWorker, buildSheetWorker, readAll, sheetReader } from './support/read-all';

const { bookOf, inline, number, row } = workbooks;
const MIB = 1_048_576;
const HONEST = row(inline('phone')) + row(number('919812345678'));
const honest = bookOf({ sheets: [{ rows: HONEST }] });
/** Maximum number of shared texts in a file. */
const TEXTS_MAX = 1_000_000;
let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildSheetWorker();
});
afterAll(() => worker.remove());

const files = new Map<string, Buffer>();

it.each(Object.entries(hostileFiles))(
  'rejects %s within a second of processor time and 100 MB',
  async (name, { file, reason }) => {
    const reader = sheetReader(worker);
    const bytes = file();
    files.set(name, bytes);
    const first = await readMeasured(reader, bytes);
    expect(first.outcome).toMatchObject({
      name: 'AppError',
      code: 'FILE_INVALID',
      message: expect.stringMatching(/^the file cannot be read: /),
    });
    expect((first.outcome as Error).message).toMatch(reason);
    expect(first.grownMib).toBeLessThan(100);
    // A busy machine may explain a single slow run, but not three.
    let { cpuMs } = first;
    for (let again = 0; again < 2 && cpuMs >= 1_000; again += 1)
      cpuMs = Math.min(cpuMs, (await readMeasured(reader, bytes)).cpuMs);
    expect(cpuMs).toBeLessThan(1_000);
  },
);

it('rejects a million empty shared strings before parsing them', async () => {
  const reader = sheetReader(worker, { SHEET_RATIO: '1000' });
  const withTexts = (count: number): Buffer =>
    bookOf({ sheets: [{ rows: HONEST }], texts: [`</si>${'<si/>'.repeat(count - 2)}<si>`] });
  const [most, tooMany] = [withTexts(TEXTS_MAX), withTexts(TEXTS_MAX + 1)];
  await readMeasured(reader, honest);
  const tries: { parsed: number; refused: number }[] = [];
  while (tries.length < 3 && !tries.some(({ parsed, refused }) => refused < parsed / 2)) {
    const parsed = await readMeasured(reader, most);
    const refused = await readMeasured(reader, tooMany);
    expect(parsed.outcome).toMatchObject({ rows: [{ phone: '919812345678' }] });
    expect((refused.outcome as Error).message).toMatch(/too much text/);
    tries.push({ parsed: parsed.cpuMs, refused: refused.cpuMs });
  }
  expect(tries.filter(({ parsed, refused }) => refused < parsed / 2)).not.toEqual([]);
}, 30_000);

async function readMeasured(
  reader: SheetReader,
  bytes: Buffer,
): Promise<{ outcome: unknown; cpuMs: number; grownMib: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const startedAt = process.cpuUsage();
  const outcome = await readAll(reader, bytes).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(startedAt);
  clearInterval(looking);
  return { outcome, cpuMs: (user + system) / 1_000, grownMib: (peak - before) / MIB };
}

it('reads a valid file after each hostile file', async () => {
  const reader = sheetReader(worker, { SHEETS_AT_A_TIME: '1' });
  for (const file of files.values()) await readAll(reader, file).catch(() => undefined);
  await expect(readAll(reader, honest)).resolves.toMatchObject({ rows: [{ phone: '919812345678' }] });
}, 120_000);
