import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort, type Receiver, startReceiver } from '@switchboard/testing';

const ROOT = resolve(import.meta.dirname, '../../..');
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

/** Variables that the README's samples assume. */
const OF_THE_READER = `
import { writeFile } from 'node:fs/promises';
declare const to: string, messageId: string, jobId: string, mediaId: string, orderId: string;
declare const signal: AbortSignal;
export {};
`;

describe('npm package', () => {
  let folder: string;
  let packed: string;
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
    packed = join(folder, 'build/client.tgz');
    await build();
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], {
      cwd: folder,
    });
    for (const name of ['express', '@types'])
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await server.close();
  });

  /** Builds into this test's directory, because other programs may build into dist at the same time. */
  const build = async (more: NodeJS.ProcessEnv = {}): Promise<void> => {
    const args = [join(ROOT, 'libs/client/build.mjs'), join(folder, 'build')];
    await run(process.execPath, args, { env: { ...process.env, ...more }, cwd: folder });
  };

  /** Compiles files as a third-party program would, with types from npm. */
  const compile = async (...files: string[]): Promise<void> => {
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--strict', '--types', 'node'];
    await run(process.execPath, [tsc, ...options, ...files], { cwd: folder }).catch((error: { stdout?: string }) => {
      throw new Error(`it does not compile:\n${error.stdout}`);
    });
  };

  it('contains a module, types, README and license, without dependencies', async () => {
    const installed = JSON.parse(
      await readFile(join(folder, 'node_modules/switchboard-client/package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([installed['dependencies'], installed['peerDependencies']]).toEqual([undefined, undefined]);
    const files = await readdir(join(folder, 'node_modules/switchboard-client'));
    const others = files.filter((path) => !path.endsWith('.d.ts'));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json']);
  });

  it('is byte-identical for the same sources', async () => {
    const first = await readFile(packed);
    await build({ TZ: 'Asia/Kolkata' });
    expect((await readFile(packed)).equals(first)).toBe(true);
  });

  it('runs and type-checks in a third-party program', async () => {
    await writeFile(join(folder, 'program.mts'), PROGRAM);
    await compile('program.mts');
    const { stdout } = await run(process.execPath, ['program.mjs', `${server.url}/v1`], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ id: 'wamid.1', refused: 'IP_NOT_ALLOWED', status: 'read' });
    expect(server.received).toHaveLength(2);
  });

  it('has a README whose samples compile in order', async () => {
    const readme = await readFile(join(folder, 'node_modules/switchboard-client/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
    const programs = blocks.filter(([, language]) => language === 'ts').map(([, , program = '']) => program);
    expect(programs.length).toBeGreaterThan(5);
    const alone = programs.filter((program) => /from 'switchboard-client'/.test(program));
    expect(alone).toHaveLength(2);
    await writeFile(join(folder, 'readme.mts'), OF_THE_READER + programs.join('\n'));
    for (const [number, program] of alone.entries()) await writeFile(join(folder, `readme-${number + 1}.mts`), program);
    await compile('readme.mts', 'readme-1.mts', 'readme-2.mts');
  });

  it('has a README receiver that passes the challenge and verifies signatures', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhook`;
    const env = { SWITCHBOARD_WEBHOOK_SECRET: 'whsec_c2VjcmV0', SWITCHBOARD_VERIFY_TOKEN: 'a token' };
    const receiver = spawn(process.execPath, ['readme-2.mjs'], {
      cwd: folder,
      env: { ...process.env, ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(receiver, 'exit');
    let output = '';
    receiver.stdout.on('data', (text: Buffer) => (output += String(text)));
    const post = async (body: string, signature?: string): Promise<number> => {
      const headers = signature === undefined ? undefined : { 'x-service-signature': signature };
      return (await fetch(url, { method: 'POST', body: Buffer.from(body), headers })).status;
    };
    const sign = (body: string): string =>
      `sha256=${createHmac('sha256', env.SWITCHBOARD_WEBHOOK_SECRET).update(body).digest('hex')}`;
    try {
      await eventually(async () => expect((await fetch(url)).status).toBe(403));
      const asked = await fetch(`${url}?hub.mode=subscribe&hub.verify_token=a+token&hub.challenge=482913`);
      expect([asked.status, asked.headers.get('content-type'), await asked.text()]).toEqual([
        200,
        'text/plain; charset=utf-8',
        '482913',
      ]);
      expect((await fetch(`${url}?hub.verify_token=other&hub.challenge=1`)).status).toBe(403);
      const body = '{"event":"message_status","messageId":"wamid.1","status":"read"}';
      expect([await post(body), await post(body, sign(`${body} `)), await post('')]).toEqual([401, 401, 401]);
      expect(output).toBe('');
      const json = { 'content-type': 'application/json', 'x-service-signature': sign(body) };
      expect((await fetch(url, { method: 'POST', body, headers: json })).status).toBe(200);
      await eventually(() => expect(output).toBe('wamid.1 read\n'));
    } finally {
      receiver.kill();
      await ended;
    }
  });
});
