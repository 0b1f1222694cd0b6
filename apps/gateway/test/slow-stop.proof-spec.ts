import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendMessageV1 } from '@switchboard/contracts';
import { eventually, TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { APP_SECRET, type GatewayUnderTest, startGateway, VERIFY_TOKEN } from './support/gateway';
import { call } from './support/http';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Separate build folder, since other tests build concurrently. */
const PROGRAM = resolve(ROOT, 'dist/slow-stop/gateway');
/** Time for two slow responses of the upstream platform, in milliseconds. */
const ANSWERED_AFTER_MS = 9_000;

/** Runs the built program, since an application closed by a test would not show what keeps a process alive. */
describe('gateway stopped during a slow send', () => {
  let surroundings: GatewayUnderTest;
  let program: ChildProcess;
  let url: string;

  beforeAll(async () => {
    surroundings = await startGateway({ standing: ['messaging'] });
    execFileSync(process.execPath, ['tools/bundle.mjs', 'apps/gateway', PROGRAM, 'main'], { cwd: ROOT });
    const port = await freePort();
    url = `http://127.0.0.1:${port}/v1`;
    const { DATABASE_URL, RABBITMQ_URL, BROKER_NAMESPACE, BLOB_DIR } = surroundings.config;
    const addresses = {
      DATABASE_URL,
      RABBITMQ_URL,
      BROKER_NAMESPACE,
      BLOB_DIR,
      GATEWAY_PORT: String(port),
      MANAGEMENT_PORT: '0',
    };
    const secrets = {
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      UPSTREAM_APP_SECRET: APP_SECRET,
      UPSTREAM_VERIFY_TOKEN: VERIFY_TOKEN,
    };
    const env = { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'silent', ...addresses, ...secrets };
    program = spawn(process.execPath, [join(PROGRAM, 'main.mjs')], { cwd: ROOT, env, stdio: 'ignore' });
  });
  afterAll(async () => {
    program.kill('SIGKILL');
    await surroundings.close();
  });

  it('completes the send, then exits immediately', async () => {
    const { apiKey: key } = await surroundings.customer();
    surroundings.fakes.answer(sendMessageV1, () => delay(ANSWERED_AFTER_MS, sendMessageV1.sample.response));
    await eventually(async () => expect((await call(`${url}/me`, { key })).status).toBe(200));
    const sent = call(`${url}/messages/send`, {
      key,
      body: { to: '919812345678', type: 'text', text: { body: 'hi' } },
    });
    await eventually(() => expect(surroundings.fakes.of(sendMessageV1).length).toBe(1));
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await eventually(() => expect(call(`${url}/me`, { key })).rejects.toThrow());
    expect((await sent).status).toBe(200);
    const answeredAt = performance.now();
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - answeredAt).toBeLessThan(5_000);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
