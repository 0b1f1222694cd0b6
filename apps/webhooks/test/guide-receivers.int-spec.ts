import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  confirmRotationV1,
  createEndpointV1,
  newId,
  rotateSecretV1,
  type WebhookEndpointRecord,
} from '@switchboard/contracts';
import { deliveryHeaders, inTransit, newWebhookSecret } from '@switchboard/platform';
import { eventually, freePort } from '@switchboard/testing';
import { Harness, sealedToken, testBox, VERIFY_TOKEN } from './harness';

const ROOT = resolve(import.meta.dirname, '../../..');
const GUIDE = join(ROOT, 'apps/dashboard/src/features/api-guide/receivers');
const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** Starts a receiver of the API guide on a port. */
interface Receiver {
  language: string;
  command(port: number): [program: string, ...args: string[]];
  /** True if the receiver deduplicates events. The PHP example keeps no state between requests, so it cannot. */
  isOnce: boolean;
  env?: Record<string, string>;
  prepare?(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'guide-'));

/** Runs the TypeScript example with its types removed, as newer versions of Node.js do natively. */
function typeScript(): Receiver {
  const path = join(folder, 'receiver.mjs');
  const prepare = async (): Promise<void> => {
    const { compileForNest } = (await import(join(ROOT, 'tools/lib/swc-plugin.mjs'))) as {
      compileForNest(code: string, path: string): Promise<{ code: string }>;
    };
    const { code } = await compileForNest(readFileSync(join(GUIDE, 'receiver.ts'), 'utf8'), 'receiver.ts');
    writeFileSync(path, code);
  };
  return { language: 'TypeScript', isOnce: true, command: () => [process.execPath, path], prepare };
}

/** Runs a JavaScript example of the webhooks guide. */
function javaScript(language: string, file: string): Receiver {
  const path = join(ROOT, 'docs/guides/receivers', file);
  return { language, isOnce: true, command: () => [process.execPath, path] };
}

function python(): Receiver | undefined {
  const isThere = (process.env['PATH'] ?? '').split(':').some((path) => existsSync(join(path, 'python3')));
  return isThere
    ? { language: 'Python', isOnce: true, command: () => ['python3', join(GUIDE, 'receiver.py')] }
    : undefined;
}

/** Search in a separate process, because the tests below must be registered before anything is awaited. */
function php(): Receiver | undefined {
  const find = `import { findPhp } from ${JSON.stringify(join(ROOT, 'tools/infra/php.mjs'))};
    const log = (text) => process.stderr.write(text + '\\n');
    process.stdout.write(JSON.stringify((await findPhp({ log })) ?? null));`;
  const found = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', find], { encoding: 'utf8' }),
  ) as { executablePath: string; env: Record<string, string> } | null;
  if (!found) return undefined;
  const { executablePath, env } = found;
  const path = join(GUIDE, 'receiver.php');
  return { language: 'PHP', isOnce: false, command: (port) => [executablePath, '-S', `127.0.0.1:${port}`, path], env };
}

const found = [
  typeScript(),
  javaScript('Express', 'express.mjs'),
  javaScript('Fastify', 'fastify.mjs'),
  python(),
  php(),
];
const receivers = found.filter((receiver) => receiver !== undefined);
if (receivers.length < found.length)
  log(`This system runs only the receivers in ${receivers.map(({ language }) => language).join(', ')}.`);

describe.each(receivers)('guide receiver in $language', ({ command, env, isOnce, prepare }) => {
  let harness: Harness;
  let port: number;
  let process_: ChildProcess | undefined;
  let output = '';
  const accountId = newId('acc');
  let endpoint: WebhookEndpointRecord;
  let secret = '';
  const url = (): string => `http://127.0.0.1:${port}/hook`;

  beforeAll(async () => {
    harness = await Harness.start();
    port = await freePort();
    await prepare?.();
    await start({});
  }, 60_000);
  afterAll(async () => {
    await stop();
    await harness.stop();
  }, 60_000);

  async function start(settings: { WEBHOOK_SECRET?: string }): Promise<void> {
    const [program, ...args] = command(port);
    const started = spawn(program, args, {
      env: { ...process.env, ...env, VERIFY_TOKEN, PORT: String(port), ...settings },
    });
    process_ = started;
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (text: Buffer) => (output += String(text)));
    await eventually(async () => expect((await fetch(url())).status).toBe(403));
  }

  async function stop(): Promise<void> {
    const running = process_;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((done) => running.once('exit', done));
    running.kill();
    await ended;
  }

  /** Posts to the receiver directly instead of through the service. */
  async function post(body: Buffer, headers: Record<string, string>): Promise<number> {
    return (await fetch(url(), { method: 'POST', body: new Uint8Array(body), headers })).status;
  }

  const signed = (body: Buffer, { key = secret, ageSeconds = 0 } = {}): Record<string, string> =>
    deliveryHeaders({
      eventId: newId('evt'),
      attempt: 1,
      body,
      secret: key,
      timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
    });

  const attempts = async (): Promise<(number | null)[]> =>
    (await harness.attempts(accountId)).map(({ status_code }) => status_code);

  /** Waits until one more event is delivered at its first attempt and printed by the receiver. */
  async function oneIsReceived(): Promise<void> {
    const [before, printed] = [(await attempts()).length, eventsIn(output).length];
    await harness.report(accountId);
    await eventually(async () => expect(await attempts()).toEqual(Array.from({ length: before + 1 }, () => 200)));
    await eventually(() => expect(eventsIn(output).length).toBe(printed + 1));
  }

  it('responds to the challenge only if the verify token is right', async () => {
    const request = { accountId, url: url() };
    const wrong = sealedToken(createEndpointV1, accountId, 'another token');
    await expect(
      harness.others.request(createEndpointV1, { ...request, sealedVerifyToken: wrong }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    const added = await harness.others.request(createEndpointV1, {
      ...request,
      sealedVerifyToken: sealedToken(createEndpointV1, accountId),
    });
    endpoint = added.endpoint;
    secret = testBox.open(added.sealedSecret, inTransit(createEndpointV1, 'sealedSecret', accountId));
  });

  it('rejects events until it has a secret', async () => {
    const body = Buffer.from('{}');
    expect(await post(body, signed(body, { key: 'whsec_' }))).toBe(401);
    await stop();
    await start({ WEBHOOK_SECRET: secret });
  });

  it('accepts each event of the service once with 200', async () => {
    await oneIsReceived();
    const body = Buffer.from('{"text":"नमस्ते"}');
    const headers = signed(body);
    const before = eventsIn(output).length;
    expect([await post(body, headers), await post(body, headers)]).toEqual([200, 200]);
    await eventually(() => expect(output).toContain(body.toString()));
    await eventually(() => expect(eventsIn(output).length).toBe(before + (isOnce ? 1 : 2)));
  });

  it('returns 401 for a wrong body, secret, time or headers', async () => {
    const body = Buffer.from('{"event":"message"}');
    expect(await post(Buffer.from('{"event":"massage"}'), signed(body))).toBe(401);
    expect(await post(body, signed(body, { key: newWebhookSecret() }))).toBe(401);
    expect(await post(body, signed(body, { ageSeconds: 600 }))).toBe(401);
    expect(await post(body, {})).toBe(401);
    expect(await post(body, signed(body))).toBe(200);
  });

  it('loses no event during a rotation, whenever it switches secrets', async () => {
    const { sealedSecret } = await harness.others.request(rotateSecretV1, { accountId, endpointId: endpoint.id });
    await oneIsReceived();
    await stop();
    await start({ WEBHOOK_SECRET: testBox.open(sealedSecret, inTransit(rotateSecretV1, 'sealedSecret', accountId)) });
    await oneIsReceived();
    await harness.others.request(confirmRotationV1, { accountId, endpointId: endpoint.id });
    await oneIsReceived();
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const eventsIn = (output: string): string[] => output.match(/event evt_\w+/g) ?? [];
