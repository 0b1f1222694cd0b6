import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { sendStatic, staticFile } from './static-files';

describe('static files', () => {
  const app = Fastify();
  const page = staticFile('<p>'.repeat(1_000), 'text/html; charset=utf-8');
  const archive = staticFile('archive', 'application/gzip');
  app.get('/page', (request, reply) => sendStatic(page, request, reply));
  app.get('/archive', (request, reply) => sendStatic(archive, request, reply));
  afterAll(() => app.close());

  const get = (url: string, accepted?: string) =>
    app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ])('compresses for Accept-Encoding %s with %s', async (accepted, encoding) => {
    const { headers, rawPayload } = await get('/page', accepted);
    expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'accept-encoding']);
    const body =
      encoding === 'br' ? brotliDecompressSync(rawPayload) : encoding === 'gzip' ? gunzipSync(rawPayload) : rawPayload;
    expect(body.equals(page.body)).toBe(true);
    if (encoding) expect(rawPayload.length).toBeLessThan(page.body.length / 10);
  });

  it('serves archives without compression', async () => {
    expect((await get('/archive', 'br')).headers['content-encoding']).toBeUndefined();
  });
});
