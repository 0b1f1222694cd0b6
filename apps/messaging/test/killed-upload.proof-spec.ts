import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { eventually } from '@switchboard/testing';
import { recipients, release, told } from './support/jobs';
import { addFile, sale } from './support/media-files';
import { type RunningMessaging, startMessaging } from './support/start-messaging';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A separate build, as other tests build theirs concurrently. */
const PROGRAM = resolve(ROOT, 'dist/killed-upload/messaging');
const RECIPIENTS = 20;

describe('a process that is killed during an upload', () => {
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

  it('leaves the upload to another process, which sends each message once', async () => {
    messaging.templates.set(sale.name, sale);
    const account = await eventually(() => messaging.addAccount(), { timeoutMs: 60_000 });
    const { id } = await addFile(messaging, account.accountId);
    const components = [{ type: 'header', parameters: [{ type: 'image' as const, image: { id } }] }];
    const template = { name: sale.name, language: { code: 'en_US' }, components };
    // The platform receives the file, and its response never arrives.
    const arrived = new Promise<void>((resolve) =>
      messaging.upstream.beforeUpload(() => {
        resolve();
        return new Promise(() => undefined);
      }),
    );
    const { task, ids } = await release(messaging, account, {
      message: { type: 'template', from: account.phoneNumber, template },
      recipients: recipients(RECIPIENTS),
    });
    await arrived;
    messaging.upstream.beforeUpload();
    const ended = once(program, 'exit');
    program.kill('SIGKILL');
    await ended;
    await messaging.addReplica();
    const changes = await told(messaging, task.jobId, RECIPIENTS, { timeoutMs: 120_000 });
    expect(new Set(changes.map(({ status }) => status))).toEqual(new Set(['accepted']));
    // The first upload was never answered, and so never counted.
    expect(messaging.upstream.uploads).toHaveLength(1);
    expect(messaging.upstream.sends.map(({ echo }) => echo).toSorted()).toEqual([...ids].toSorted());
  }, 240_000);
});
