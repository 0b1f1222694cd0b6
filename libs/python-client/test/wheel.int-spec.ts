import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort, type Receiver, startReceiver } from '@switchboard/testing';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** Context that the README's samples assume. */
const OF_THE_READER = `
to, other, order_id, job_id, media_id = "919812345678", "919812345679", "A-17", "job_1", "med_1"
`;

describe('Python wheel', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-python-'));
  const built = join(folder, 'build');
  const env = { ...process.env, PYTHONPATH: join(folder, 'installed'), PYTHONDONTWRITEBYTECODE: '1' };
  let server: Receiver;
  let wheel: string;

  beforeAll(async () => {
    await run('python3', ['-m', 'pip', '--version']).catch((cause: unknown) => {
      throw new Error('these tests need python3 with pip: install them', { cause });
    });
    server = await startReceiver();
    await build();
    wheel = join(built, String(readdirSync(built)[0]));
    const options = ['--no-index', '--no-deps', '--no-compile', '--target', join(folder, 'installed')];
    await run('python3', ['-m', 'pip', 'install', ...options, wheel], { cwd: folder });
  }, 120_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.close();
  });

  /** Builds into this test's directory, because other programs may build into dist at the same time. */
  const build = (more = {}) =>
    run(process.execPath, [join(ROOT, 'libs/python-client/build.mjs'), built], { env: { ...process.env, ...more } });

  const readme = readFileSync(join(ROOT, 'libs/python-client/README.md'), 'utf8');
  const programs = [...readme.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, program = '']) => program);
  const receiver = programs.find((program) => program.includes('serve_forever'));

  it('contains the package and its metadata, without dependencies', () => {
    expect(readdirSync(join(folder, 'installed')).sort()).toEqual([
      'switchboard',
      'switchboard_client-0.2.0.dist-info',
    ]);
    const metadata = readFileSync(join(folder, 'installed/switchboard_client-0.2.0.dist-info/METADATA'), 'utf8');
    expect(metadata).toContain('Requires-Python: >=3.9');
    expect(metadata).not.toContain('Requires-Dist');
    expect(metadata.endsWith(readme)).toBe(true);
    expect(readdirSync(join(folder, 'installed/switchboard'))).toEqual(
      readdirSync(join(ROOT, 'libs/python-client/src/switchboard'))
        .filter((name) => !name.startsWith('__pycache__'))
        .sort(),
    );
  });

  it('is byte-identical for the same sources', async () => {
    const first = readFileSync(wheel);
    await build({ TZ: 'Asia/Kolkata' });
    expect(readFileSync(wheel).equals(first)).toBe(true);
  });

  it('has the version that its README and the guides state', () => {
    const name = wheel.slice(built.length + 1);
    expect(readme).toContain(`/docs/${name}`);
    for (const file of ['README.md', 'docs/guides/first-message.md'])
      expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`/docs/${name}`);
  });

  it('has a README whose samples run unchanged', async () => {
    const calls: string[] = [];
    server.respondWith(({ method, path }, response) => {
      calls.push(`${method} ${path.split('?')[0]}`);
      if (path.includes('/media/')) return void response.writeHead(200, { 'content-type': 'image/png' }).end('PNG');
      const list = { messages: [{ status: 'read' }], pagination: { nextCursor: null } };
      const answer = { success: true, id: 'msg_1', ...(method === 'GET' && list) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const text = [OF_THE_READER, ...programs.filter((program) => program !== receiver)].join('\n');
    writeFileSync(join(folder, 'readme.py'), text.replace('https://messages.example.com', server.url));
    writeFileSync(join(folder, 'receipt.txt'), 'Order A-17');
    const { stdout } = await run('python3', ['-W', 'error', 'readme.py'], {
      cwd: folder,
      env: { ...env, SWITCHBOARD_API_KEY: 'sb_live_x' },
    });
    expect(stdout).toBe('accepted as msg_1\nread\n1\n');
    expect(calls).toEqual([
      'POST /v1/messages/send',
      'GET /v1/messages',
      'GET /v1/jobs/job_1',
      'POST /v1/messages/send',
      'POST /v1/messages/send/bulk',
      'GET /v1/messages',
      'GET /v1/messages',
      'POST /v1/messages/send',
      'POST /v1/messages/send',
      'POST /v1/media',
      'POST /v1/messages/send',
      'GET /v1/media/med_1',
    ]);
    expect(readFileSync(join(folder, 'picture'), 'utf8')).toBe('PNG');
  });

  it('has a README receiver that passes the challenge and verifies signatures', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhook`;
    const settings = { SWITCHBOARD_WEBHOOK_SECRET: 'whsec_c2VjcmV0', SWITCHBOARD_VERIFY_TOKEN: 'a token' };
    writeFileSync(join(folder, 'receiver.py'), String(receiver));
    const process_ = spawn('python3', ['receiver.py'], {
      cwd: folder,
      env: { ...env, ...settings, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(process_, 'exit');
    let output = '';
    process_.stdout.on('data', (text: Buffer) => (output += String(text)));
    const sign = (body: string): string =>
      `sha256=${createHmac('sha256', settings.SWITCHBOARD_WEBHOOK_SECRET).update(body).digest('hex')}`;
    const post = async (body: string, signature?: string): Promise<number> => {
      const headers = signature === undefined ? undefined : { 'x-service-signature': signature };
      return (await fetch(url, { method: 'POST', body, headers })).status;
    };
    try {
      await eventually(async () => expect((await fetch(url)).status).toBe(403));
      const asked = await fetch(`${url}?hub.mode=subscribe&hub.verify_token=a+token&hub.challenge=482913`);
      expect([asked.status, await asked.text()]).toEqual([200, '482913']);
      expect((await fetch(`${url}?hub.verify_token=other&hub.challenge=1`)).status).toBe(403);
      const body = '{"event":"message_status","messageId":"wamid.1","status":"read"}';
      expect([await post(body), await post(body, sign(`${body} `)), await post('')]).toEqual([401, 401, 401]);
      expect(output).toBe('');
      expect(await post(body, sign(body))).toBe(200);
      await eventually(() => expect(output).toBe('wamid.1 read\n'));
    } finally {
      process_.kill();
      await ended;
    }
  });
});
