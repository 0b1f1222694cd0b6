import { type ChildProcess, exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyWebhook } from '@switchboard/client';
import { eventually, startReceiver } from '@switchboard/testing';
import { newAccount, newBusiness } from './support/account';
import { clientOf } from './support/api';
import { done, installationEnvironment, ops, ROOT } from './support/installation';
import { freshPhone, writeIn } from './support/simulator';

/** Running operator command with its output. */
interface Running {
  child: ChildProcess;
  out(): string;
  err(): string;
}

function start(...words: string[]): Running {
  const child = spawn(process.execPath, ['tools/ops.mjs', ...words], {
    env: { ...process.env, ...installationEnvironment },
    cwd: ROOT,
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (printed.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (printed.err += part.toString()));
  return { child, out: () => printed.out, err: () => printed.err };
}

async function interrupt({ child }: Running): Promise<number> {
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

describe('operator tools', () => {
  it('print their help without loading a package', () => {
    const program = readFileSync(join(ROOT, 'dist/apps/gateway/ops.mjs'), 'utf8');
    expect([...program.matchAll(/^import .*from "([^"]*)"/gm)].map(([, name]) => name)).toEqual([]);
  });

  it("forward an account's signed events without an endpoint", async () => {
    // Use a separate business, because changes of shared templates are events of every account that shares the
    // business.
    const account = await newAccount('Listened to', { wabaId: await newBusiness() });
    const receiver = await startReceiver();
    const other = await newAccount('Not listened to');
    await writeIn(freshPhone(), 'Before', { to: account.phoneNumber });
    const log = () => done('webhooks', 'log', '--account', account.accountId);
    await eventually(async () => expect((await log())['events']).toHaveLength(1));
    const listening = start('webhooks', 'listen', '--account', account.accountId, '--forward-to', receiver.url);
    try {
      await eventually(() => expect(listening.out()).toContain('signing with whsec_'));
      const secret = /whsec_\S+/.exec(listening.out())?.[0] ?? '';
      const phone = freshPhone();
      await writeIn(phone, 'First', { to: account.phoneNumber });
      await writeIn(freshPhone(), 'Elsewhere', { to: other.phoneNumber });
      // Another endpoint may have used the receiver's port before, and its events are retried.
      const received = () => receiver.received.filter(({ body }) => body.includes(phone));
      await eventually(() => expect(received()).toHaveLength(1));
      const [{ body, headers }] = received() as [(typeof receiver.received)[number]];
      expect(verifyWebhook(body, headers, secret)).toMatchObject({
        event: 'message',
        from: phone,
        text: { body: 'First' },
      });
      await eventually(() =>
        expect(listening.out()).toMatch(/ {2}message {2}evt_\w+ {2}\d+ {2}-> answered 200 in \d+ ms\n/),
      );

      receiver.respondWith((_, response) => void response.writeHead(401).end());
      await writeIn(phone, 'Second', { to: account.phoneNumber });
      await eventually(() => expect(listening.out()).toContain('-> answered 401'));
      expect(received()).toHaveLength(2);
      expect(await interrupt(listening)).toBe(0);
      expect(listening.out()).toMatch(/events: 2\naccepted: 1\nrefused: 1\n$/);
    } finally {
      listening.child.kill('SIGKILL');
      await receiver.close();
    }
  });

  it('create a second demo account with a sending number', async () => {
    const { exitCode, json } = await ops('demo', 'number', '--name', 'Second shop');
    expect(exitCode).toBe(0);
    const api = clientOf(String(json['apiKey']));
    expect(await api.getMe()).toMatchObject({
      account: { id: json['accountId'], name: 'Second shop' },
      numbers: [{ phoneNumber: json['phoneNumber'] }],
    });
    expect(json).toMatchObject({ windowOpen: false });
    const { stdout } = await promisify(exec)(String(json['firstSend']));
    expect(JSON.parse(stdout)).toMatchObject({ success: true, status: 'accepted' });
    const phone = freshPhone();
    await writeIn(phone, 'Hello', { to: String(json['phoneNumber']) });
    await eventually(async () =>
      expect((await api.listConversations({ windowOpen: true })).conversations).toMatchObject([{ phone }]),
    );
    expect(await api.sendMessage({ to: phone, type: 'text', text: { body: 'Hi' } })).toMatchObject({
      status: 'accepted',
    });
  });
});
