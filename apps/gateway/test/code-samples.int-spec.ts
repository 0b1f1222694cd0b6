import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Receiver, startReceiver } from '@switchboard/testing';
import { codeSamples, LANGUAGES, type Language } from '../src/reference/code-samples';
import { type DescriptionNode, operationsOf } from '../src/reference/description-model';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const FILES = ['invoice.pdf', 'customers.xlsx', 'summer-sale.jpg'];

describe('code samples of the API reference', () => {
  let folder: string;
  let server: Receiver;
  const programs: Record<Language, string[]> = { curl: [], typescript: [], python: [] };
  const received: Partial<Record<Language, string[]>> = {};

  beforeAll(async () => {
    server = await startReceiver();
    server.respondWith(({ method, path }, response) => {
      const isFile = method === 'GET' && /\/media\/[^/]+$|\.(csv|xlsx)(\?|$)/.test(path);
      if (isFile) return void response.writeHead(200, { 'content-type': 'text/plain' }).end('file');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    });
    const description = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8')) as DescriptionNode;
    description.servers = [{ url: server.url }];
    for (const operation of operationsOf(description))
      for (const { code } of codeSamples(operation, description))
        for (const language of Object.keys(LANGUAGES) as Language[]) programs[language].push(code[language]);
    folder = await mkdtemp(join(tmpdir(), 'switchboard-samples-'));
    await Promise.all(FILES.map((name) => writeFile(join(folder, name), 'content')));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(ROOT, 'dist/libs/client/package'), join(folder, 'node_modules/switchboard-client'));
    await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    await run(process.execPath, [join(ROOT, 'libs/client/build.mjs')]);
  }, 180_000);
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const env = {
    ...process.env,
    API_KEY: 'sb_live_x',
    PYTHONPATH: join(ROOT, 'libs/python-client/src'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const execute = async (command: string, ...given: string[]): Promise<string[]> => {
    const before = server.received.length;
    await run(command, given, { cwd: folder, env, maxBuffer: 10_000_000 });
    return server.received.slice(before).map(({ method, path, headers, body }) => {
      const text = body.toString();
      const type = String(headers['content-type'] ?? '').split(';')[0];
      // Form boundaries differ, so compare the parts' names and files. The order of JSON fields differs, so sort them.
      const content =
        type === 'multipart/form-data'
          ? [...text.matchAll(/name="[^"]*"(?:; filename="[^"]*")?/g)].join(' ')
          : text && JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).sort()));
      return `${method} ${path} ${String(headers.authorization)} ${content}`;
    });
  };

  it('send one request each with curl', async () => {
    expect(programs.curl.length).toBeGreaterThan(45);
    received.curl = await execute('sh', '-ec', programs.curl.join('\n'));
    expect(received.curl).toHaveLength(programs.curl.length);
    expect(received.curl.filter((request) => !/^\w+ \/v1\/\S+ Bearer sb_live_x /.test(request))).toEqual([]);
  });

  it('compile in TypeScript and send the same requests', async () => {
    await Promise.all(programs.typescript.map((code, index) => writeFile(join(folder, `sample-${index}.ts`), code)));
    const sources = programs.typescript.map((_, index) => `sample-${index}.ts`);
    await writeFile(
      join(folder, 'all.mjs'),
      sources.map((name) => `await import('./${name.replace('.ts', '.js')}');\n`).join(''),
    );
    const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node'];
    await run(process.execPath, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), ...options, ...sources], {
      cwd: folder,
    }).catch(({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    });
    expect(await execute(process.execPath, 'all.mjs')).toEqual(received.curl);
  });

  it('run in Python and send the same requests', async () => {
    await writeFile(join(folder, 'all.py'), programs.python.join('\n'));
    expect(await execute('python3', '-W', 'error', 'all.py')).toEqual(received.curl);
  });
});
