import { AppError } from '@switchboard/contracts';
import { workbooks } from '@switchboard/testing';
import type { SheetPiece } from '../src/sheets/read-sheet';
import { type BuiltWorker, buildSheetWorker, sheetReader } from './support/read-all';

const { bookOf, inline, number, row } = workbooks;
const file = bookOf({ sheets: [{ rows: row(inline('phone')) + row(number('919812345678')).repeat(2_000) }] });

let worker: BuiltWorker;
beforeAll(async () => {
  worker = await buildSheetWorker();
});
afterAll(() => worker.remove());

type Reader = ReturnType<typeof sheetReader>;
const never = new AbortController().signal;

/** Reads a file only as fast as its rows are consumed. */
function reading(reader: Reader, accountId: string, signal = never) {
  let isBegun = false;
  const load = async (): Promise<Uint8Array<ArrayBuffer>> => {
    isBegun = true;
    return new Uint8Array(file);
  };
  const pieces = reader.read(load, { accountId, rows: 100_000, signal });
  return { begin: () => pieces.next(), hasBegun: () => isBegun, end: async () => rowsOf(pieces) };
}

async function rowsOf(pieces: AsyncGenerator<SheetPiece>): Promise<number> {
  let rows = 0;
  for await (const piece of pieces) rows += 'rows' in piece ? piece.rows.length : 0;
  return rows;
}

describe('SheetReader', () => {
  it('reads one file per account, and several accounts concurrently', async () => {
    const reader = sheetReader(worker);
    const first = reading(reader, 'a');
    await first.begin();
    const others = Array.from({ length: 3 }, () => reading(reader, 'a'));
    const begun = others.map((each) => each.begin());
    expect(await reading(reader, 'b').end()).toBe(2_000);
    expect(others.map((each) => each.hasBegun())).toEqual([false, false, false]);
    expect(await first.end()).toBe(2_000);
    await begun[0];
    expect(others.map((each) => each.hasBegun())).toEqual([true, false, false]);
    for (const each of others) expect(await each.end()).toBe(2_000);
  });

  it('alternates between accounts', async () => {
    const reader = sheetReader(worker, { SHEETS_AT_A_TIME: '1' });
    const order: string[] = [];
    const read = async (name: string, accountId: string): Promise<void> => {
      await reading(reader, accountId).end();
      order.push(name);
    };
    await Promise.all([read('a1', 'a'), read('a2', 'a'), read('a3', 'a'), read('b1', 'b'), read('c1', 'c')]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('rejects a file while too many files of its account wait', async () => {
    const reader = sheetReader(worker, { SHEETS_WAITING_PER_ACCOUNT: '2' });
    const accepted = Array.from({ length: 3 }, () => reading(reader, 'a'));
    const begun = accepted.map((each) => each.begin());
    await begun[0];
    const refused = reading(reader, 'a');
    await expect(refused.begin()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 10,
      message:
        'rate limit exceeded: one spreadsheet of your account is being read and 2 are waiting; send the next one when one of them was answered',
    });
    expect(refused.hasBegun()).toBe(false);
    for (const each of accepted) await each.end();
    expect(await reading(reader, 'a').end()).toBe(2_000);
  });

  it('skips a file whose caller stopped waiting', async () => {
    const reader = sheetReader(worker);
    const first = reading(reader, 'a');
    await first.begin();
    const given = new AbortController();
    const [abandoned, next] = [reading(reader, 'a', given.signal), reading(reader, 'a')];
    const waiting = [abandoned.begin(), next.begin()];
    given.abort(new AppError('UNAVAILABLE'));
    await expect(waiting[0]).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await first.end();
    expect(await next.end()).toBe(2_000);
    expect(abandoned.hasBegun()).toBe(false);
  });
});

describe('spreadsheet time limit', () => {
  const begun = `
    import { readlinkSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const threadId = process.platform === 'linux' ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : undefined;
    parentPort.on('message', (order) => {
      if (order === 'taken') return;
      parentPort.postMessage({ begun: { threadId } });`;
  const readerOf = (program: string): Reader =>
    sheetReader(
      { ...worker, url: new URL(`data:text/javascript,${encodeURIComponent(`${begun}${program}});`)}`) },
      { SHEET_TIMEOUT_SECONDS: '1' },
    );

  it('stops reading a file that keeps its thread busy', async () => {
    await expect(reading(readerOf('for (;;);'), 'a').end()).rejects.toMatchObject({
      code: 'FILE_INVALID',
      message: 'the file cannot be read: it takes too long to read',
    });
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('excludes time in which its thread waits for the processor', async () => {
    const waiting =
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500); parentPort.postMessage({ piece: { rows: [] } }); parentPort.postMessage({ end: true });';
    expect(await reading(readerOf(waiting), 'a').end()).toBe(0);
  });
});
