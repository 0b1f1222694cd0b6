import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { eventually } from '@switchboard/testing';
import { type RunningMessaging, startMessaging } from './support/start-messaging';
import { wamidOf } from './support/upstream';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Uses a separate build, because other tests build theirs concurrently. */
const PROGRAM = resolve(ROOT, 'dist/slow-stop/messaging');
const ANSWERED_AFTER_MS = 9_000;

/** Runs the real program, because a service that a test closes does not shut down its process. */
describe('a process stopped while upstream is slow', () => {
  let messaging: RunningMessaging;
  let program: ChildProcess;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 0, upstreamTimeoutMs: 10_000 });
    execFileSync(process.execPath, ['tools/bundle.mjs', 'apps/messaging', PROGRAM, 'main'], { cwd: ROOT });
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      ...messaging.environment,
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'silent',
    };
    program = spawn(process.execPath, [join(PROGRAM, 'main.mjs')], { cwd: ROOT, env, stdio: 'ignore' });
  });
  afterAll(async () => {
    program.kill('SIGKILL');
    await messaging.stop();
  });

  it('completes the send, responds and exits immediately', async () => {
    const account = await eventually(() => messaging.addAccount(), { timeoutMs: 20_000 });
    await messaging.writeIn(account);
    messaging.upstream.behave({ acceptAfterMs: ANSWERED_AFTER_MS });
    const sent = messaging.send(account.accountId, { text: { body: 'Hello' } });
    await eventually(() => expect(messaging.upstream.sends.length).toBe(1));
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await expect(sent).resolves.toMatchObject({ upstreamId: wamidOf(1) });
    const answeredAt = performance.now();
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - answeredAt).toBeLessThan(5_000);
  });
});
