import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { STOP_WITHIN_MS } from '@switchboard/platform';
import { ROOT } from '../k8s/testing/paths';
import { readDockerFile } from './testing/compose';

const SCRIPT = resolve(ROOT, 'docker/healthcheck.mjs');
const CHECKS = 20;

/**
 * Service that responds to /live with each of STATUSES and then repeats the last one. It prints the failures before
 * SIGTERM.
 */
const SERVICE = `
  import { createServer } from 'node:http';
  const statuses = process.env.STATUSES.split(' ').map(Number);
  let failed = 0;
  process.on('SIGTERM', () => {
    console.log('SIGTERM after ' + failed);
    if (process.env.STOPS) process.exit(0);
  });
  createServer((request, response) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (status === 503) failed += 1;
    response.writeHead(status).end(status === 503 ? '{"failed":["outbox"]}' : '');
  }).listen(process.env.PORT, '127.0.0.1', () => console.error('listening'));`;

/** Fake init process of the container. It starts the service, checks it like Docker, and exits with it. */
const INIT = `
  exec 2>/dev/null
  mkfifo "$TMPDIR/ready"
  "$NODE" "$TMPDIR/service.mjs" 2>"$TMPDIR/ready" &
  service=$!
  read -r _ <"$TMPDIR/ready"
  checks=0
  while [ $checks -lt $CHECKS ] && kill -0 $service 2>/dev/null; do
    checks=$((checks + 1))
    "$NODE" "$SCRIPT" --end-stuck $PORT 2>/dev/null
  done
  echo "checks $checks"
  kill -KILL $service 2>/dev/null && echo 'still there'
  wait $service
  echo "exit $?"`;

describe('healthcheck.mjs --end-stuck in its own PID namespace', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-healthcheck-'));
    writeFileSync(join(folder, 'service.mjs'), SERVICE);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function runContainer(service: { STATUSES: string; STOPS?: string }): Promise<string[]> {
    const env = {
      ...service,
      PATH: process.env['PATH'],
      NODE: process.execPath,
      SCRIPT,
      TMPDIR: folder,
      PORT: String(await freePort()),
      CHECKS: String(CHECKS),
    };
    const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    const args = [...asUser, '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', INIT];
    // Use a file: Node would use a socket, which no other process can open.
    const log = openSync(join(folder, 'log'), 'a');
    const container = spawn('unshare', args, { env, stdio: ['ignore', log, 'inherit'] });
    closeSync(log);
    await once(container, 'exit');
    return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
  }

  it('ends an unhealthy service and logs the reason', async () => {
    const [log = '', ...rest] = await runContainer({ STATUSES: '200 200 503', STOPS: 'yes' });
    const [, retries = ''] = /^HEALTHCHECK .*--retries=(\d+) /m.exec(await readDockerFile('Dockerfile')) ?? [];
    expect(JSON.parse(log)).toMatchObject({
      level: 'fatal',
      msg: 'service.stuck',
      signal: 'SIGTERM',
      reason: '/live answered 503: {"failed":["outbox"]}',
    });
    expect([rest[0], rest.at(-1)]).toEqual([`SIGTERM after ${retries}`, 'exit 0']);
  });

  it('kills a service that does not stop in time', async () => {
    const printed = await runContainer({ STATUSES: '200 503' });
    expect(printed.filter((line) => line.startsWith('SIGTERM'))).toHaveLength(1);
    expect(printed.at(-1)).toBe('exit 137');
    const checks = Number(/^checks (\d+)$/.exec(printed.at(-2) ?? '')?.[1]);
    const [, intervalSeconds] = /^HEALTHCHECK --interval=(\d+)s /m.exec(await readDockerFile('Dockerfile')) ?? [];
    const failuresBeforeTerm = Number(/after (\d+)/.exec(printed.join())?.[1]);
    expect((checks - 1 - failuresBeforeTerm) * Number(intervalSeconds) * 1_000).toBeGreaterThan(STOP_WITHIN_MS);
  });

  it('does not end a service that has not been live yet', async () => {
    expect(await runContainer({ STATUSES: '503' })).toEqual([`checks ${CHECKS}`, 'still there', 'exit 137']);
  });

  it('does not end a service that recovers in between', async () => {
    expect(await runContainer({ STATUSES: '200 503 503 '.repeat(CHECKS).trim() })).toEqual([
      `checks ${CHECKS}`,
      'still there',
      'exit 137',
    ]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
