import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demo } from './support/installation';

const run = promisify(execFile);
/** The API's base URL without the version. */
const HOME = demo.baseUrl.replace(/\/v1$/, '');

const PROGRAM = `
import { createClient } from 'switchboard-client';
const [, , baseUrl, apiKey] = process.argv;
console.log((await createClient({ baseUrl, apiKey }).getMe()).account.id);
`;

describe('client packages of the gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packed-clients-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('include a TypeScript client that installs by URL and calls the API', async () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    await run('npm', ['install', '--no-audit', '--no-fund', `${HOME}/docs/client.tgz`], { cwd: folder });
    const { stdout } = await run(process.execPath, ['program.mjs', demo.baseUrl, demo.apiKey], { cwd: folder });
    expect(stdout.trim()).toBe(demo.accountId);
  });

  it('are listed for language models and cacheable', async () => {
    const list = await (await fetch(`${HOME}/llms.txt`)).text();
    const addresses = [...list.matchAll(/`(?:npm|pip) install (\S+)`/g)].map(([, url = '']) => url);
    expect(addresses[0]).toBe(`${HOME}/docs/client.tgz`);
    for (const url of addresses) {
      const first = await fetch(url);
      const etag = first.headers.get('etag') ?? '';
      expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
      expect(first.headers.get('content-type')).toMatch(/^application\/(gzip|zip)$/);
      expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
      expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });
});
