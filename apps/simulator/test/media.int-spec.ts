import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { bytesInUse, eventually, startReceiver } from '@switchboard/testing';
import type { UpstreamSendBody } from '@switchboard/upstream';
import { ACCESS_TOKEN, CUSTOMER, PHONE_NUMBER_ID, startSimulator, type StartedSimulator } from './start-simulator';

const MIB = 1024 * 1024;

let simulator: StartedSimulator;
afterEach(() => simulator.close());

interface Refusal {
  error: { code: number; error_subcode?: number; message: string };
}

function form(
  bytes: Uint8Array,
  type: string,
  fields: Record<string, string> = { messaging_product: 'whatsapp' },
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set('file', new Blob([new Uint8Array(bytes)], { type }), 'file');
  return data;
}

function productOnly(): FormData {
  const data = new FormData();
  data.set('messaging_product', 'whatsapp');
  return data;
}

const upload = (data: FormData) => simulator.graph('POST', `${PHONE_NUMBER_ID}/media`, data);
const bytesAt = (url: unknown, token = ACCESS_TOKEN): Promise<Response> =>
  fetch(String(url), { headers: { authorization: `Bearer ${token}` } });
/** Sends no User-Agent: unlike fetch, Node's http client sets none by default. */
const statusWithoutAgent = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
const statusesOf = (wamid: string): string[] =>
  simulator
    .statuses()
    .filter(({ id }) => id === wamid)
    .map(({ status, errors }) => status + (errors?.[0]?.code ?? ''));

describe('an upload', () => {
  beforeEach(async () => {
    simulator = await startSimulator();
  });

  it('returns an id, then a URL, then the bytes to token holders', async () => {
    const { body } = await upload(form(Buffer.from('%PDF-1.4 small'), 'application/pdf'));
    const object = await simulator.graph('GET', String(body.id));
    const sha256 = createHash('sha256').update('%PDF-1.4 small').digest('hex');
    expect(object.body).toEqual({
      messaging_product: 'whatsapp',
      id: body.id,
      mime_type: 'application/pdf',
      file_size: '14',
      sha256,
      url: expect.stringContaining('/whatsapp_business/attachments/?mid='),
    });
    const answer = await bytesAt(object.body.url);
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual(['%PDF-1.4 small', 'application/pdf']);
    expect((await bytesAt(object.body.url, 'other')).status).toBe(401);
    expect((await fetch(String(object.body.url))).status).toBe(400);
    expect(await statusWithoutAgent(String(object.body.url))).toBe(403);
    expect((await bytesAt(`${String(object.body.url)}x`)).status).toBe(404);
  });

  it('is counted per number and deleted on request', async () => {
    const id = String((await upload(form(Buffer.from('x'), 'text/plain'))).body.id);
    await upload(form(Buffer.from('y'), 'text/plain'));
    const uploads = async () =>
      (await simulator.control<{ numbers: { id: string; uploads: number }[] }>('uploads')).numbers;
    expect(await uploads()).toContainEqual(expect.objectContaining({ id: PHONE_NUMBER_ID, uploads: 2 }));
    expect(await simulator.control('media/forget', {})).toEqual({ forgotten: 2 });
    expect((await simulator.graph('GET', id)).status).toBe(400);
    expect(await uploads()).toContainEqual(expect.objectContaining({ id: PHONE_NUMBER_ID, uploads: 2 }));
  });

  it('can be deleted only once', async () => {
    const id = String((await upload(form(Buffer.from('x'), 'text/plain'))).body.id);
    const { url } = (await simulator.graph('GET', id)).body;
    expect(await simulator.graph('DELETE', id)).toEqual({ status: 200, body: { success: true } });
    expect((await bytesAt(url)).status).toBe(404);
    for (const method of ['DELETE', 'GET'])
      expect(await simulator.graph(method, id)).toMatchObject({ status: 400, body: { error: { error_subcode: 33 } } });
  });

  it.each<[string, () => FormData, string]>([
    [
      'an unknown type',
      () => form(Buffer.from('x'), 'application/octet-stream'),
      '(#100) Param file must be a file with one of the following types: audio/aac, ',
    ],
    ['a GIF', () => form(Buffer.from('GIF89a'), 'image/gif'), "Received file of type 'image/gif'."],
    ['an image that is too large', () => form(Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png'), '1 to 5242880 bytes'],
    ['an empty file', () => form(Buffer.alloc(0), 'image/png'), '1 to 5242880 bytes'],
    [
      'no product',
      () => form(Buffer.from('x'), 'image/png', {}),
      '(#100) The parameter messaging_product is required.',
    ],
    ['no file', productOnly, '(#100) The parameter file is required.'],
  ])('is rejected with %s', async (_name, data, says) => {
    const { status, body } = await upload(data());
    expect([status, (body as unknown as Refusal).error.code]).toEqual([400, 100]);
    expect((body as unknown as Refusal).error.message).toContain(says);
  });

  it('falls back to the field `type`', async () => {
    const { status } = await upload(
      form(Buffer.from('x'), 'application/octet-stream', { messaging_product: 'whatsapp', type: 'image/png' }),
    );
    expect(status).toBe(200);
  });

  it('streams a 100 MB document to disk instead of memory', async () => {
    const before = await bytesInUse();
    const during: number[] = [];
    const id = await streamUpload(100 * MIB, {
      every: 50 * MIB,
      // The sender runs in the same process, but does not retain the bytes it has sent.
      pause: async () => void during.push(await bytesInUse()),
    });
    expect((await simulator.graph('GET', id)).body.file_size).toBe(String(100 * MIB));
    expect(during).toHaveLength(2);
    expect(Math.max(...during) - before).toBeLessThan(8 * MIB);
  });

  it('leaves no file behind when it breaks off', async () => {
    await expect(streamUpload(10 * MIB, { breakAfter: 3 * MIB })).rejects.toThrow();
    expect((await upload(form(Buffer.from('x'), 'image/png'))).status).toBe(200);
  });
});

describe('a media send', () => {
  const media = (more: Partial<UpstreamSendBody>): Partial<UpstreamSendBody> => ({
    to: CUSTOMER,
    template: undefined,
    ...more,
  });

  it('fails with 131053 for the id of another file kind', async () => {
    simulator = await startSimulator();
    await simulator.control('inbound', { from: CUSTOMER, text: 'Hello' });
    const id = String((await upload(form(Buffer.from('x'), 'image/png'))).body.id);
    const good = await simulator.send(media({ type: 'image', image: { id, caption: 'c' } }));
    const bad = await simulator.send(media({ type: 'video', video: { id } }));
    await eventually(() =>
      expect([statusesOf(good), statusesOf(bad)]).toEqual([['sent', 'delivered', 'read'], ['failed131053']]),
    );
  });

  it('is rejected with 100 and subcode 2494009 for an expired id', async () => {
    simulator = await startSimulator();
    const id = String((await upload(form(Buffer.from('x'), 'image/png'))).body.id);
    await simulator.control(`media/${id}/expire`, {});
    await expect(simulator.send(media({ type: 'image', image: { id } }))).rejects.toMatchObject({
      code: 100,
      subcode: 2494009,
    });
  });

  it('fails after the response for an invalid link, and caches the result', async () => {
    simulator = await startSimulator({ fetchLinks: true });
    const origin = await startReceiver();
    try {
      origin.respondWith((request, response) =>
        request.path === '/a.png'
          ? response.writeHead(200, { 'content-type': 'image/png' }).end('x')
          : response.writeHead(503).end(),
      );
      await simulator.control('inbound', { from: CUSTOMER, text: 'Hello' });
      const send = (path: string) => simulator.send(media({ type: 'image', image: { link: origin.url + path } }));
      const [good, gone, again] = [await send('/a.png'), await send('/b.png'), await send('/b.png')];
      await eventually(() =>
        expect([good, gone, again].map(statusesOf)).toEqual([
          ['sent', 'delivered', 'read'],
          ['failed131053'],
          ['failed131053'],
        ]),
      );
      const details = simulator.statuses().find(({ id }) => id === gone)?.errors?.[0]?.error_data?.details;
      expect(details).toBe(
        'Downloading media from weblink failed with http code 503, status message Service Unavailable',
      );
      expect(origin.received.map(({ path }) => path)).toEqual(['/a.png', '/b.png']);
    } finally {
      await origin.close();
    }
  });

  it('fetches links only if configured', async () => {
    simulator = await startSimulator();
    await simulator.control('inbound', { from: CUSTOMER, text: 'Hello' });
    const wamid = await simulator.send(media({ type: 'image', image: { link: 'https://no-such-host.invalid/a.png' } }));
    await eventually(() => expect(statusesOf(wamid)).toEqual(['sent', 'delivered', 'read']));
  });
});

/**
 * Streams a form with a file of this size.
 * @param options.breakAfter number of bytes after which to break off
 * @param options.every number of bytes after which to wait for `pause`
 * @returns the media id
 */
function streamUpload(
  bytes: number,
  {
    breakAfter = Infinity,
    every = Infinity,
    pause,
  }: { breakAfter?: number; every?: number; pause?: () => Promise<void> } = {},
): Promise<string> {
  const head =
    '--b\r\ncontent-disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: text/plain\r\n\r\n';
  const tail = '\r\n--b--\r\n';
  const chunk = Buffer.alloc(64 * 1024, 'x');
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${ACCESS_TOKEN}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + bytes + tail.length,
    };
    const upload = httpRequest(
      `${simulator.url}/v24.0/${PHONE_NUMBER_ID}/media`,
      { method: 'POST', headers },
      (response) => {
        response.setEncoding('utf8').on('data', (text: string) => resolve((JSON.parse(text) as { id: string }).id));
      },
    ).on('error', reject);
    let written = 0;
    const write = async (): Promise<void> => {
      while (written < bytes) {
        if (written >= breakAfter) return void upload.destroy();
        written += chunk.length;
        if (!upload.write(chunk)) await once(upload, 'drain');
        if (written % every === 0) await pause?.();
      }
      upload.end(tail);
    };
    upload.write(head);
    write().catch(reject);
  });
}
