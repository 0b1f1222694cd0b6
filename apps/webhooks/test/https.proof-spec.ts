import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  acceptingChallenge,
  createTestCertificate,
  eventually,
  type Receiver,
  startReceiver,
  type TestCertificate,
  TEST_ENCRYPTION_KEY,
} from '@switchboard/testing';
import { Harness, VERIFY_TOKEN } from './harness';

const ROOT = resolve(import.meta.dirname, '../../..');

describe('HTTPS receiver', () => {
  let harness: Harness;
  let certificate: TestCertificate;
  let receiver: Receiver;
  const programs: ChildProcess[] = [];

  beforeAll(async () => {
    harness = await Harness.start();
    await harness.stopService();
    certificate = await createTestCertificate();
    receiver = await startReceiver({ tls: certificate });
    await promisify(execFile)(process.execPath, ['tools/bundle.mjs', 'apps/webhooks'], { cwd: ROOT });
  }, 60_000);

  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await harness.stop();
    await receiver.close();
    await certificate.remove();
  }, 60_000);

  /** Starts the built service as a process, because Node.js reads trusted certificate authorities at startup. */
  function startProgram(environment: Record<string, string>): ChildProcess {
    const settings = {
      ...harness.addresses,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'error',
    };
    const program = spawn(process.execPath, ['dist/apps/webhooks/main.mjs'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...settings, ...environment },
      stdio: 'inherit',
    });
    programs.push(program);
    return program;
  }

  it('receives signed events only once its authority is trusted', async () => {
    const stranger = startProgram({});
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const refused = () => harness.setEndpoint('acc_tls', receiver.url);
    await eventually(
      async () =>
        expect(await refused().catch((error: { code: string; message: string }) => error.message)).toContain(
          'the TLS handshake failed',
        ),
      { timeoutMs: 20_000 },
    );
    const ended = new Promise((end) => stranger.once('exit', end));
    stranger.kill('SIGTERM');
    await ended;
    startProgram({ NODE_EXTRA_CA_CERTS: certificate.caFile });
    const { accountId } = await eventually(() => harness.account(receiver), { timeoutMs: 20_000 });
    await harness.report(accountId);
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 1 }]),
    );
    expect(receiver.received[0]?.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
  }, 60_000);
});
