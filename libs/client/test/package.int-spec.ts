import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Receiver, startReceiver } from '@switchboard/testing';

const ROOT = resolve(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'dist/libs/client');
const run = promisify(execFile);

const PROGRAM = `
import { createHmac } from 'node:crypto';
import { ApiError, createClient, verifyWebhook } from 'switchboard-client';
const client = createClient({ baseUrl: process.argv[2] ?? '', apiKey: 'sb_live_x' });
const sent = await client.sendMessage({ to: '919812345678', type: 'text', text: { body: 'hi' } });
const refused = await client.getMe({}, { maxRetries: 0 }).catch((error: unknown) => (error instanceof ApiError ? error.code : 'none'));
const body = '{"event":"message_status","status":"read"}';
const event = verifyWebhook(body, { 'x-service-signature': 'sha256=' + createHmac('sha256', 's').update(body).digest('hex') }, 's');
console.log(JSON.stringify({ id: sent.message_id, refused, status: event.event === 'message_status' ? event.status : '' }));
`;

describe('the npm package', () => {
  let folder: string;
  let server: Receiver;

  beforeAll(async () => {
    server = await startReceiver();
    server.respondWith(({ method }, response) => {
      const [status, body] =
        method === 'POST'
          ? [200, { success: true, message_id: 'wamid.1', status: 'accepted', id: 'msg_1' }]
          : [403, { success: false, message: 'no', code: 'IP_NOT_ALLOWED', requestId: 'r' }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    folder = await mkdtemp(join(tmpdir(), 'switchboard-client-'));
    await run(process.execPath, [join(ROOT, 'libs/client/build.mjs')]);
    await run('npm', ['pack', PACKAGE, '--pack-destination', folder]);
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './switchboard-client-0.1.0.tgz'], {
      cwd: folder,
    });
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await server.close();
  });

  it('holds one module, its types, a README and the licence, and depends on nothing', async () => {
    const installed = JSON.parse(
      await readFile(join(folder, 'node_modules/switchboard-client/package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([installed['dependencies'], installed['peerDependencies']]).toEqual([undefined, undefined]);
    const { stdout } = await run('npm', ['pack', PACKAGE, '--dry-run', '--json'], { cwd: folder });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const others = files.map(({ path }) => path).filter((path) => !path.endsWith('.d.ts'));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json']);
  });

  it('works for a stranger, and is understood by the compiler as Node resolves', async () => {
    await writeFile(join(folder, 'program.mts'), PROGRAM);
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const options = [
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023',
      '--strict',
      '--types',
      'node',
      '--typeRoots',
      join(ROOT, 'node_modules/@types'),
    ];
    await run(process.execPath, [tsc, ...options, 'program.mts'], { cwd: folder });
    const { stdout } = await run(process.execPath, ['program.mjs', `${server.url}/v1`], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ id: 'wamid.1', refused: 'IP_NOT_ALLOWED', status: 'read' });
    expect(server.received).toHaveLength(2);
  });
});
