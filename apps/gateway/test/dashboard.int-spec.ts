import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { type GatewayUnderTest, startGateway } from './support/gateway';

const PAGE = '<!doctype html><title>Switchboard</title>';
const SCRIPT = 'console.log("dashboard");'.repeat(50);

describe('dashboard', () => {
  let folder: string;
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), PAGE);
    writeFileSync(join(folder, 'secret.txt'), 'not an asset');
    writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT);
    writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT));
    writeFileSync(join(folder, 'assets/notes.txt'), 'not served');
    gateway = await startGateway({ standing: [], settings: { DASHBOARD_FOLDER: folder } });
  });
  afterAll(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    request(`${gateway.url}${path}`, { headers, method });

  it('is the redirect target of the root path', async () => {
    const { statusCode, headers } = await get('/');
    expect([statusCode, headers.location]).toEqual([302, '/dashboard']);
  });

  it.each(['/dashboard', '/dashboard/keys', '/dashboard/templates/drafts/tdr_1', '/dashboard/index.html'])(
    'serves its page at %s with a strict policy',
    async (path) => {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(await body.text()).toBe(PAGE);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("require-trusted-types-for 'script'");
    },
  );

  it('serves immutable files, compressed on request', async () => {
    const path = '/dashboard/assets/index-abc.js';
    const plain = await get(path);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
    expect(await plain.body.text()).toBe(SCRIPT);
    const small = await get(path, { 'accept-encoding': 'gzip, br' });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(Buffer.from(await small.body.arrayBuffer())).toString()).toBe(SCRIPT);
    const known = await get(path, { 'if-none-match': String(plain.headers.etag) });
    expect([known.statusCode, await known.body.text()]).toEqual([304, '']);
    const head = await get(path, {}, 'HEAD');
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(SCRIPT.length)]);
  });

  it.each(['notes.txt', 'index-abc.js.br', '..%2fsecret.txt', '..%2f..%2f..%2fetc%2fpasswd', 'none.js'])(
    'returns 404 for the file %s',
    async (name) => {
      const { statusCode, body } = await get(`/dashboard/assets/${name}`);
      expect([statusCode, ((await body.json()) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('returns 503 if it was not built', async () => {
    const empty = await startGateway({ standing: [], settings: { DASHBOARD_FOLDER: join(folder, 'assets') } });
    try {
      const { statusCode, body } = await request(`${empty.url}/dashboard`);
      expect([statusCode, await body.text()]).toEqual([503, expect.stringContaining('npx nx build dashboard')]);
      expect((await request(`${empty.url}/docs`)).statusCode).toBe(200);
    } finally {
      await empty.close();
    }
  });
});
