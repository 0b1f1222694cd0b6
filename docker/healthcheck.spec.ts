import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { ROOT } from '../k8s/testing/paths';

const SCRIPT = resolve(ROOT, 'docker/healthcheck.mjs');

describe('healthcheck.mjs', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function serve(answer: RequestListener): Promise<string> {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return String((server.address() as AddressInfo).port);
  }

  it('passes when /live returns 200', async () => {
    const port = await serve(({ url }, response) => response.writeHead(url === '/live' ? 200 : 404).end());
    expect(await exitCode({ MANAGEMENT_PORT: port })).toBe(0);
  });

  it('prefers its port argument to the management port', async () => {
    const port = await serve((_request, response) => response.end());
    expect(await exitCode({ MANAGEMENT_PORT: '1' }, port)).toBe(0);
  });

  it('fails on any other status', async () => {
    const port = await serve((_request, response) => response.writeHead(503).end());
    expect(await exitCode({ MANAGEMENT_PORT: port })).toBe(1);
  });

  it('fails when nothing listens', async () => {
    const port = await serve((_request, response) => response.end());
    await new Promise((done) => server?.close(done));
    expect(await exitCode({ MANAGEMENT_PORT: port })).toBe(1);
  });

  it('fails when the process hangs', async () => {
    const port = await serve(() => undefined);
    expect(await exitCode({ MANAGEMENT_PORT: port })).toBe(1);
  });
});

async function exitCode(env: Record<string, string>, ...args: string[]): Promise<number> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}
