import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvLines, sendCsv } from './csv-export';

/** Returns an endless sequence of pages without rows. */
function endless(): { asked: () => number; page: () => Promise<{ rows: string[]; nextCursor: string }> } {
  let asked = 0;
  return {
    asked: () => asked,
    page: async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return { rows: [], nextCursor: 'next' };
    },
  };
}

async function contentOf(file: Readable): Promise<string> {
  return Buffer.concat(await file.toArray()).toString('utf8');
}

it('requests pages only when read, even if they are empty', async () => {
  const { asked, page } = endless();
  const lines = await csvLines(page, String);
  expect(await lines.next()).toEqual({ done: false, value: '' });
  // A reader that stops during a request ends the export after that page.
  const last = lines.next();
  await lines.return(undefined);
  expect(await last).toEqual({ done: false, value: '' });
  expect(await lines.next()).toMatchObject({ done: true });
  expect(asked()).toBe(2);
});

it('fails if the pages take too long in total', async () => {
  const { page } = endless();
  const lines = await csvLines(page, String, 5);
  await expect(
    (async () => {
      for await (const line of lines) expect(line).toBe('');
    })(),
  ).rejects.toThrow('took too long');
});

it('starts each file with a byte-order mark', async () => {
  let sent = Promise.resolve('');
  const reply = {
    headers: () => undefined,
    raw: { destroyed: false, once: () => undefined },
    send: (file: Readable) => void (sent = contentOf(file)),
  } as unknown as FastifyReply;
  const lines = await csvLines(async () => ({ rows: ['José\r\n'], nextCursor: null }), String);
  const request = { method: 'GET' } as FastifyRequest;
  await sendCsv({ head: 'name\r\n', lines, filename: 'contacts.csv' }, { request, reply });
  expect(await sent).toBe('\uFEFFname\r\nJosé\r\n');
});
