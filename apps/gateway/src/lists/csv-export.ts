import { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What one file holds at most: the newest ones. */
export const EXPORT_MOST_ROWS = 100_000;
/** As many as a page of the API: its texts fit into one answer of a service. */
export const EXPORT_PAGE_ROWS = 100;

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/**
 * The lines of a list, page by page as they are taken; the first page is there when it resolves, so that a refusal is
 * still answered as one.
 */
export async function csvLines<Row>(
  page: (cursor: string | undefined) => Promise<Page<Row>>,
  lineOf: (row: Row) => string,
): Promise<AsyncGenerator<string>> {
  const first = await page(undefined);
  return (async function* () {
    let current = first;
    for (let left = EXPORT_MOST_ROWS; ; ) {
      const rows = current.rows.slice(0, left);
      left -= rows.length;
      if (rows.length > 0) yield rows.map(lineOf).join('');
      if (current.nextCursor === null || left === 0) return;
      current = await page(current.nextCursor);
    }
  })();
}

/** Sends a CSV file while it is written; what breaks in the middle breaks the connection off, as its status is out. */
export async function sendCsv(
  { head, lines, filename }: { head: string; lines: AsyncGenerator<string>; filename: string },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition(filename),
    'cache-control': 'private, no-store',
  });
  if (request.method === 'HEAD') return void (await reply.send());
  const file = Readable.from(
    (async function* () {
      yield head;
      yield* lines;
    })(),
    { objectMode: false, highWaterMark: 1 },
  );
  // What a caller who has gone leaves unread.
  reply.raw.once('close', () => file.destroy());
  await reply.send(file);
}
