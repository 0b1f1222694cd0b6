import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from '../http/attachment';
import { sendDownload } from '../http/send-download';
import { BYTE_ORDER_MARK } from './safe-cell';

/** Maximum rows of a file, which contains the newest ones. */
export const EXPORT_MOST_ROWS = 100_000;
/** Rows per request, as many as in a page of the API, so that their texts fit into one reply of a service. */
export const EXPORT_PAGE_ROWS = 100;
/** Maximum total time of the queries for one file in milliseconds, excluding the time that the caller takes to read. */
export const EXPORT_LOOKS_MS = 600_000;

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/**
 * Yields the lines of a list, page by page on demand. When this resolves, the first page has been loaded, so that an
 * error can still set the status. An empty page yields an empty text, so that a reader can stop between two pages.
 * @param looksMs maximum total time of the page queries in milliseconds; a longer export fails
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

/** Streams a CSV file. */
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
