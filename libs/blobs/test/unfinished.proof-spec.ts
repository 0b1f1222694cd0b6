import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBlobStore } from '../src';

const PAGE = 1_000;
const HOUR_MS = 3_600_000;

interface Unfinished {
  key: string;
  id: string;
  begunAt: Date;
}

/** Serves the two S3 requests for unfinished uploads, which the S3 server of the other tests does not support. */
async function startUploadList(uploads: Unfinished[]) {
  const server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'DELETE') {
      const index = uploads.findIndex(
        ({ key, id }) => pathname === `/bucket/${key}` && id === searchParams.get('uploadId'),
      );
      if (index >= 0) uploads.splice(index, 1);
      return void response.writeHead(204).end();
    }
    const after = searchParams.get('key-marker') ?? '';
    const listed = uploads.filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? '') && key > after);
    const page = listed.slice(0, PAGE);
    const rows = page.map(
      ({ key, id, begunAt }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
    );
    const isTruncated = listed.length > page.length;
    const next = isTruncated
      ? `<NextKeyMarker>${page.at(-1)?.key ?? ''}</NextKeyMarker><NextUploadIdMarker>${page.at(-1)?.id ?? ''}</NextUploadIdMarker>`
      : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<?xml version="1.0"?><ListMultipartUploadsResult>${rows.join('')}<IsTruncated>${isTruncated}</IsTruncated>${next}</ListMultipartUploadsResult>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it('S3BlobStore aborts all old unfinished uploads under the prefix, across pages', async () => {
  const begunAt = new Date(Date.now() - 25 * HOUR_MS);
  const named = (prefix: string, count: number) =>
    Array.from({ length: count }, (_unused, index) => ({
      key: `${prefix}/acc_1/${String(index).padStart(5, '0')}`,
      id: `u${index}`,
      begunAt,
    }));
  const young = { key: 'inbound/acc_1/zz', id: 'young', begunAt: new Date() };
  const others = named('uploads', 3);
  const uploads = [...named('inbound', 2 * PAGE + 5), young, ...others];
  const server = await startUploadList(uploads);
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { BLOB_S3_ACCESS_KEY_ID: 'test', BLOB_S3_SECRET_ACCESS_KEY: 'test' };
  const store = await createBlobStore({
    BLOB_STORE: 's3',
    BLOB_S3_ENDPOINT: endpoint,
    BLOB_S3_BUCKET: 'bucket',
    BLOB_S3_FORCE_PATH_STYLE: true,
    ...keys,
  });
  await store.deleteUnfinished('inbound/', new Date(Date.now() - 24 * HOUR_MS));
  expect(uploads).toEqual([young, ...others]);
  server.closeAllConnections();
  server.close();
}, 60_000);

it('LocalBlobStore deletes incomplete files but no blob', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-unfinished-'));
  const unfinished = join(folder, '.unfinished');
  await mkdir(unfinished);
  await writeFile(join(unfinished, 'part'), 'x');
  const store = await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: folder });
  await store.put(
    'inbound/acc_1/kept',
    (async function* () {
      yield Buffer.from('x');
    })(),
  );
  await store.deleteUnfinished('inbound/', new Date(Date.now() - HOUR_MS));
  expect(await readdir(unfinished)).toEqual(['part']);
  await store.deleteUnfinished('inbound/', new Date(Date.now() + HOUR_MS));
  expect([await readdir(unfinished), (await store.stat('inbound/acc_1/kept'))?.bytes]).toEqual([[], 1]);
  await rm(folder, { recursive: true });
});
