import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, type Receiver, type Responder, startReceiver } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { FILES } from './support/files';
import { demo } from './support/installation';
import { installPythonClient, type PythonClient } from './support/python-client';
import { freshPhone, receivedUpstream, writeIn, writeInAny } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

/** The gateway's URL without the version. */
const HOME = demo.baseUrl.replace(/\/v1$/, '');

describe('Python client of the gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  let client: PythonClient | undefined;
  let account: TestAccount;
  let listener: Listener | undefined;
  let to: string;

  beforeAll(async () => {
    client = await installPythonClient();
    account = await newAccount('Python');
    listener = await listenFor(account.accountId);
    to = freshPhone();
    await writeIn(to, 'Hello', { to: account.phoneNumber });
    await eventually(async () => {
      expect((await account.api.listConversations({ windowOpen: true })).conversations).toHaveLength(1);
      expect((await account.api.listTemplates({ name: 'hello_world' })).templates).toHaveLength(1);
    });
  }, 240_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    client?.remove();
    await listener?.receiver.close();
  });

  function step<Found>(name: string, given: object, baseUrl = demo.baseUrl): Promise<Found> {
    if (!client) throw new Error('the client is not installed');
    return client.step<Found>(name, given, { apiKey: account.apiKey, baseUrl });
  }

  it('sends texts, templates, named files and jobs', async () => {
    const path = join(folder, 'Rechnung Mai.pdf');
    writeFileSync(path, Buffer.concat([FILES.document.bytes, Buffer.from(randomUUID())]));
    const [inbound] = (await account.api.listMessages({ phone: to, direction: 'inbound' })).messages;
    const many = [freshPhone(), { to: freshPhone(), clientRef: 'second' }];
    const messageId = inbound?.message_id;
    type Sent = Record<'text' | 'template' | 'file', { message_id: string }> & { job: { job: { total: number } } };
    const { text, template, file, job } = await step<Sent>('send', { to, path, many, messageId });

    const upstream = new Map((await receivedUpstream(to)).map(({ wamid, body }) => [wamid, body]));
    expect(upstream.get(text.message_id)).toMatchObject({ type: 'text', text: { body: 'ünïcödé ✓' } });
    expect(upstream.get(template.message_id)).toMatchObject({ type: 'template', template: { name: 'hello_world' } });
    expect(upstream.get(file.message_id)).toMatchObject({
      type: 'document',
      document: { filename: 'Rechnung Mai.pdf', caption: 'Your invoice' },
      context: { message_id: messageId },
    });
    expect(job.job.total).toBe(2);
    for (const recipient of many) {
      const phone = typeof recipient === 'string' ? recipient : recipient.to;
      await eventually(async () => expect(await receivedUpstream(phone)).toHaveLength(1));
    }
  });

  it('follows pages to the end and reads files back', async () => {
    await writeInAny({ from: to, type: 'image', to: account.phoneNumber });
    type Read = { sizes: number[]; ids: string[]; bytes: number };
    const images = async () => (await account.api.listMessages({ phone: to, type: 'image' })).messages;
    await eventually(async () => expect(await images()).toMatchObject([{ image: { id: expect.any(String) } }]));
    const [message] = await images();
    const all = (await account.api.listMessages({ limit: 100 })).messages.map(({ id }) => id);
    expect(all.length).toBeGreaterThan(6);
    const given = { mediaId: message?.image?.id, path: join(folder, 'picture') };
    const found = await eventually(() => step<Read>('read', given));
    expect(found.ids).toEqual(all);
    expect(found.sizes).toEqual([...Array<number>(Math.floor(all.length / 2)).fill(2), ...(all.length % 2 ? [1] : [])]);
    const file = await account.api.getMedia({ id: String(given.mediaId) });
    expect(found.bytes).toBe((await file.arrayBuffer()).byteLength);
  });

  it('raises errors with their code and details', async () => {
    expect(await step('refused', {})).toEqual({
      status: 422,
      code: 'INVALID_PHONE',
      message: expect.any(String) as string,
      details: [{ field: 'to', message: expect.any(String) as string }],
      requestId: expect.any(String) as string,
    });
  });

  it("retries with the caller's Idempotency-Key and sends once", async () => {
    const phone = await anotherCustomer();
    const found = await step<string[]>('repeated', { to: phone, key: randomUUID() });
    expect(found).toEqual([expect.stringMatching(/^msg_/), found[0], 'IDEMPOTENCY_MISMATCH']);
    expect(await receivedUpstream(phone)).toHaveLength(1);
  });

  it('verifies delivered webhooks and detects changes', async () => {
    const secret = String(listener?.secret);
    const requests = await eventually(() => {
      const received = (listener?.receiver.received ?? []).filter(({ method }) => method === 'POST');
      expect(received.length).toBeGreaterThan(4);
      return received.map(({ headers, body }) => ({ headers, body: body.toString() }));
    });
    const events = await step<object[]>('verify', { requests, secrets: ['whsec_b3RoZXI=', secret] });
    expect(events).toEqual(requests.map(({ body }) => JSON.parse(body) as object));
    const changed = requests.map(({ headers, body }) => ({ headers, body: `${body} ` }));
    await expect(step('verify', { requests: changed, secrets: [secret] })).rejects.toThrow(
      'WebhookVerificationError: webhook-signature does not match',
    );
  });

  it('sends once despite connections that break before and after the send', async () => {
    const phone = await anotherCustomer();
    const proxy: Receiver = await startReceiver();
    let broken = 0;
    proxy.respondWith(
      passingOn((attempt) => {
        broken = attempt;
        return (['before', 'after', 'after'] as const)[attempt - 1];
      }),
    );
    try {
      const text = randomUUID();
      const sent = await step<{ message_id: string }>('one', { to: phone, text }, `${proxy.url}/v1`);
      const upstream = await receivedUpstream(phone);
      expect(upstream).toMatchObject([{ wamid: sent.message_id, count: 1, body: { text: { body: text } } }]);
      expect(broken).toBe(4);
      expect(proxy.received).toHaveLength(4);
      expect(new Set(proxy.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  /** Returns a customer who has just written, so that texts are allowed. */
  async function anotherCustomer(): Promise<string> {
    const phone = freshPhone();
    await writeIn(phone, 'Hello', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toHaveLength(1),
    );
    return phone;
  }
});

/** Forwards requests to the gateway and breaks an attempt's connection before or after the request was executed. */
function passingOn(fate: (attempt: number) => 'before' | 'after' | undefined): Responder {
  let attempts = 0;
  return ({ method, path, headers, body }, response) => {
    attempts += 1;
    const broken = fate(attempts);
    if (broken === 'before') return void response.socket?.resetAndDestroy();
    const { authorization = '', 'content-type': type = '' } = headers;
    const passed = { authorization, 'content-type': type, 'idempotency-key': String(headers['idempotency-key']) };
    fetch(HOME + path, { method, headers: passed, body: new Uint8Array(body) })
      .then(async (answer) => {
        const text = await answer.text();
        if (broken === 'after') response.socket?.resetAndDestroy();
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      })
      .catch(() => response.socket?.resetAndDestroy());
  };
}
