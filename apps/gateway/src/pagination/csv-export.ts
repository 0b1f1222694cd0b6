import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from '../http/attachment';
import { sendDownload } from '../http/send-download';
import { BYTE_ORDER_MARK } from './safe-cell';

/** What one file holds at most: the newest ones. */
export const EXPORT_MOST_ROWS = 100_000;
/** As many as a page of the API: its texts fit into one answer of a service. */
export const EXPORT_PAGE_ROWS = 100;
/** So long the service looks for one file's rows; the time that the caller takes to read it does not count. */
export const EXPORT_LOOKS_MS = 600_000;

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/**
 * The lines of a list, page by page as they are taken; the first page is there when it resolves, so that a refusal is
 * still answered as one. A page without rows is given as well, as an empty text: whoever takes no more lines is heard
 * between two of them.
 * @param looksMs breaks off with an error when the pages take longer than that together
 */
export async function csvLines<Row>(
  page: (cursor: string | undefined) => Promise<Page<Row>>,
  lineOf: (row: Row) => string,
  looksMs = EXPORT_LOOKS_MS,
): Promise<AsyncGenerator<string>> {
  let lookedMs = 0;
  const look = async (cursor: string | undefined): Promise<Page<Row>> => {
    if (lookedMs > looksMs) throw new Error('an export took too long to look for its rows');
    const begunAt = performance.now();
    const found = await page(cursor);
    lookedMs += performance.now() - begunAt;
    return found;
  };
  const first = await look(undefined);
  return (async function* () {
    let current = first;
    for (let left = EXPORT_MOST_ROWS; ; ) {
      const rows = current.rows.slice(0, left);
      left -= rows.length;
      yield rows.map(lineOf).join('');
      if (current.nextCursor === null || left === 0) return;
      current = await look(current.nextCursor);
    }
  })();
}

/** Sends a CSV file while it is written. */
export async function sendCsv(
  { head, lines, filename }: { head: string; lines: AsyncGenerator<string>; filename: string },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': attachment(filename),
    'cache-control': 'private, no-store',
  });
  if (request.method === 'HEAD') return void (await reply.send());
  const file = Readable.from(
    (async function* () {
      yield BYTE_ORDER_MARK + head;
      yield* lines;
    })(),
    { objectMode: false, highWaterMark: 1 },
  );
  await sendDownload(file, { request, reply });
}
