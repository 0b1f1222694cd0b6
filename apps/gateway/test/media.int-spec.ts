import { createHash } from 'node:crypto';
import { createBlobStore } from '@switchboard/blobs';
import { AppError, getMediaV1, newId } from '@switchboard/contracts';
import { startReceiver } from '@switchboard/testing';
import { FILES } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

describe("customer's file", () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  const id = newId('med');
  const bytes = Buffer.concat([FILES.jpeg, Buffer.alloc(300_000, 0x61)]);
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging'] });
    customer = await gateway.customer();
    const blobKey = `inbound/${customer.accountId}/${id}`;
    const blobs = await createBlobStore(gateway.config);
    await blobs.put(
      blobKey,
      (async function* () {
        yield bytes;
      })(),
    );
    gateway.fakes.answer(getMediaV1, ({ accountId, mediaId }) => {
      if (accountId !== customer.accountId) throw new AppError('NOT_FOUND');
      if (mediaId === id)
        return { mimeType: 'image/jpeg', bytes: bytes.length, sha256, filename: '領収 "1".jpg', blobKey };
      return {
        mimeType: 'text/html\r\nX-Evil: 1',
        bytes: 3,
        sha256,
        filename: null,
        blobKey: `inbound/${accountId}/lost`,
      };
    });
  });
  afterAll(() => gateway.close());

  const get = (
    headers: Record<string, string> = {},
    options: { mediaId?: string; method?: string; key?: string } = {},
  ): Promise<Response> =>
    fetch(`${gateway.url}/v1/media/${options.mediaId ?? id}`, {
      method: options.method ?? 'GET',
      headers: { authorization: `Bearer ${options.key ?? customer.apiKey}`, ...headers },
    });

  it('is served completely with restrictive headers', async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      etag: `"${sha256}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[ -~]*"; filename\*=UTF-8''%E9%A0%98%E5%8F%8E%20%221%22\.jpg$/,
      ),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('supports range requests', async () => {
    const answer = await get({ range: 'bytes=2000-2004' });
    expect(answer.status).toBe(206);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-range': `bytes 2000-2004/${bytes.length}`,
      'content-length': '5',
    });
    expect(await answer.text()).toBe('aaaaa');
    expect((await get({ range: 'bytes=0-4', 'if-range': '"another"' })).status).toBe(200);
    expect((await get({ range: 'bytes=0-4', 'if-range': `"${sha256}"` })).status).toBe(206);
    const beyond = await get({ range: `bytes=${bytes.length}-` });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(beyond.headers.get('cache-control')).toBe('no-store');
    expect(await beyond.json()).toMatchObject({ success: false, code: 'RANGE_NOT_SATISFIABLE' });
  });

  it.each([`"${sha256}"`, `W/"${sha256}"`, `"x", "${sha256}"`, '*'])(
    'returns 304 for If-None-Match %s',
    async (tag) => {
      const answer = await get({ 'if-none-match': tag });
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe(`"${sha256}"`);
      expect(await answer.text()).toBe('');
      expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
    },
  );

  it('reports its size to HEAD', async () => {
    const answer = await get({}, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  });

  it('returns 404 to other accounts and for unknown or lost files', async () => {
    const stranger = await gateway.customer();
    for (const answer of [
      await get({}, { key: stranger.apiKey }),
      await get({}, { mediaId: 'med_1' }),
      await get({}, { mediaId: '..%2F..%2Fetc' }),
      await get({}, { mediaId: newId('med') }),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.headers.get('etag')).toBeNull();
      expect(await answer.json()).toMatchObject({
        success: false,
        code: 'NOT_FOUND',
        message: expect.stringMatching(/^not found(: |$)/) as string,
      });
    }
    const lost = await get({}, { mediaId: newId('med') });
    expect(await lost.json()).toMatchObject({ message: 'not found: no such file' });
  });
});

describe('file in a failing store', () => {
  it('returns 503 instead of a client error', async () => {
    const store = await startReceiver();
    store.respondWith((_request, response) =>
      response.writeHead(500, { 'content-type': 'application/xml' }).end('<Error><Code>InternalError</Code></Error>'),
    );
    const bucket = {
      BLOB_S3_BUCKET: 'files',
      BLOB_S3_ENDPOINT: store.url,
      BLOB_S3_FORCE_PATH_STYLE: true,
      BLOB_S3_ACCESS_KEY_ID: 'a',
      BLOB_S3_SECRET_ACCESS_KEY: 'b',
    };
    const gateway = await startGateway({ standing: ['messaging'], settings: { BLOB_STORE: 's3', ...bucket } });
    const { apiKey } = await gateway.customer();
    const answer = await fetch(`${gateway.url}/v1/media/${newId('med')}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ success: false, code: 'UNAVAILABLE' }),
    ]);
    await gateway.close();
    await store.close();
  });
});
