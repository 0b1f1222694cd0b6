import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sendMessageV1 } from '@switchboard/contracts';
import { eventually, TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { APP_SECRET, type Customer, type GatewayUnderTest, startGateway, VERIFY_TOKEN } from './support/gateway';

const MIB = 1_048_576;
const FILE_BYTES = 100 * MIB;
/** Maximum additional memory of an upload over that of a warm gateway, in bytes, whatever the file size. */
const ALLOWED_BYTES = 32 * MIB;
const ROOT = resolve(import.meta.dirname, '../../..');

/** Runs the program in its own process, to exclude the memory of the test. */
describe('gateway memory', () => {
  let surroundings: GatewayUnderTest;
  let customer: Customer;
  let folder: string;
  let program: ChildProcess;
  let url: string;

  beforeAll(async () => {
    surroundings = await startGateway({ standing: ['messaging'] });
    customer = await surroundings.customer();
    folder = await mkdtemp(join(tmpdir(), 'switchboard-memory-'));
    execFileSync(process.execPath, ['tools/bundle.mjs', 'apps/gateway'], { cwd: ROOT });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    program = spawn(process.execPath, [resolve(ROOT, 'dist/apps/gateway/main.mjs')], {
      cwd: ROOT,
      env: environmentOf(port),
      stdio: 'ignore',
    });
    // The response requires a broker round trip.
    const me = (): Promise<Response> =>
      fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${customer.apiKey}` } });
    await eventually(async () => expect((await me()).status).toBe(200), { timeoutMs: 20_000 });
  }, 60_000);
  afterAll(async () => {
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await ended;
    await surroundings.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('does not grow during an upload of 100 MB', async () => {
    // Warms up code, connections and the garbage-collected heap.
    for (let round = 0; round < 5; round += 1) await upload(8 * MIB);
    const before = await residentBytes();
    let peak = before;
    const sampling = setInterval(() => void residentBytes().then((bytes) => (peak = Math.max(peak, bytes))), 10);
    await upload(FILE_BYTES - MIB);
    clearInterval(sampling);
    process.stdout.write(
      `a file of ${(FILE_BYTES - MIB) / MIB} MB cost the gateway ${((peak - before) / MIB).toFixed(1)} MB above ${(before / MIB).toFixed(1)} MB\n`,
    );
    expect(surroundings.fakes.of(sendMessageV1).at(-1)).toMatchObject({
      upload: { bytes: FILE_BYTES - MIB, mimeType: 'application/pdf' },
    });
    expect(peak - before).toBeLessThan(ALLOWED_BYTES);
  }, 60_000);

  function environmentOf(port: number): NodeJS.ProcessEnv {
    const { DATABASE_URL, RABBITMQ_URL, BROKER_NAMESPACE } = surroundings.config;
    return {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL,
      RABBITMQ_URL,
      BROKER_NAMESPACE,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      GATEWAY_PORT: String(port),
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'silent',
      BLOB_STORE: 'local',
      BLOB_DIR: folder,
      UPSTREAM_APP_SECRET: APP_SECRET,
      UPSTREAM_VERIFY_TOKEN: VERIFY_TOKEN,
    };
  }

  async function upload(bytes: number): Promise<void> {
    const form = ['to=919812345678', 'type=document'].map((field) => field.split('=') as [string, string]);
    const head = form
      .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('');
    const fileHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const body = ReadableStream.from(partsOf(head + fileHead, bytes));
    const headers = { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await fetch(`${url}/v1/messages/send`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(200);
  }

  function* partsOf(head: string, bytes: number): Generator<Uint8Array> {
    const chunk = Buffer.alloc(256 * 1024, 0x61);
    const begin = Buffer.from('%PDF-1.7\n');
    yield Buffer.concat([Buffer.from(head), begin]);
    for (let left = bytes - begin.length; left > 0; left -= chunk.length)
      yield chunk.subarray(0, Math.min(left, chunk.length));
    yield Buffer.from('\r\n--b--\r\n');
  }

  async function residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${program.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
