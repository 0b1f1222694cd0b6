import { hostileFiles } from './support/hostile-books';
import { type BuiltWorker, buildSheetWorker, readAll, sheetReader } from './support/read-all';
import { bookOf, inline, number, row } from './support/workbooks';

const MIB = 1_048_576;
const honest = bookOf({ sheets: [{ rows: row(inline('phone')) + row(number('919812345678')) }] });
let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildSheetWorker();
});
afterAll(() => worker.remove());

const files = new Map<string, Buffer>();

it.each(Object.entries(hostileFiles))('refuses %s, with its reason, within a second and 100 MB', async (name, { file, reason }) => {
  const reader = sheetReader(worker);
  const bytes = file();
  files.set(name, bytes);
  const before = process.memoryUsage.rss();
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const startedAt = performance.now();
  const outcome = await readAll(reader, bytes).catch((error: unknown) => error);
  const tookMs = performance.now() - startedAt;
  clearInterval(looking);
  expect(outcome).toMatchObject({ name: 'AppError', code: 'FILE_INVALID', message: expect.stringMatching(/^the file cannot be read: /) });
  expect((outcome as Error).message).toMatch(reason);
  expect(tookMs).toBeLessThan(1_000);
  expect((peak - before) / MIB).toBeLessThan(100);
});

it('goes on reading honest files after each of them', async () => {
  const reader = sheetReader(worker, { SHEETS_AT_A_TIME: '1' });
  for (const file of files.values()) await readAll(reader, file).catch(() => undefined);
  await expect(readAll(reader, honest)).resolves.toMatchObject({ rows: [{ phone: '919812345678' }] });
}, 120_000);
