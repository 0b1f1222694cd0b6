import { setTimeout as delay } from 'node:timers/promises';
import { type Receiver, startReceiver } from '@switchboard/testing';
import { createClient } from './client';

const SENT = { success: true, message_id: 'wamid.1', status: 'accepted', id: 'msg_1' };

describe('file transfers', () => {
  let server: Receiver;

  beforeAll(async () => {
    server = await startReceiver();
  });
  afterAll(() => server.close());

  const client = (options = {}) => createClient({ baseUrl: server.url, apiKey: 'sb_live_x', ...options });
  const keys = () => server.received.map(({ headers }) => headers['idempotency-key']);

  it('continues a download beyond the timeout until aborted', async () => {
    let finish = (): void => undefined;
    server.respondWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write('first ');
      finish = () => void response.end('second');
    });
    const file = await client({ timeoutMs: 100 }).getMedia({ id: 'med_1' });
    await delay(300);
    finish();
    expect(await file.text()).toBe('first second');

    const enough = new AbortController();
    const other = await client({ timeoutMs: 100 }).getMedia({ id: 'med_1' }, { signal: enough.signal });
    enough.abort();
    await expect(other.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('sends hold as a boolean in JSON and in forms', async () => {
    server.received.length = 0;
    server.respondWith((_request, response) =>
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"success":true}'),
    );
    const text = { type: 'text', text: { body: 'Hello' } } as const;
    await client().sendBulk({ recipients: ['919812345678'], ...text, hold: true });
    const sheet = { templateName: 'order_update', language: 'en_US', customerExcel: new Blob(['a']) };
    for (const hold of [true, false]) await client().sendBulkExcel({ ...sheet, hold });
    const [json, ...forms] = server.received.map(({ body }) => body.toString());
    expect(JSON.parse(json ?? '')).toMatchObject({ hold: true });
    expect(forms.map((form) => /name="hold"\r\n\r\n(\w+)/.exec(form)?.[1])).toEqual(['true', 'false']);
  });

  it('sends dryRun, maxSpend and several numbers in JSON and in forms', async () => {
    server.received.length = 0;
    server.respondWith((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"dryRun":true}'),
    );
    const options = { dryRun: true, maxSpend: { amount: '25.00', currency: 'USD' } } as const;
    const from = ['15550783881', '15550783882'];
    const text = { type: 'text', text: { body: 'Hello' } } as const;
    await client().sendBulk({ recipients: ['919812345678'], ...text, ...options, from });
    const sheet = { templateName: 'order_update', language: 'en_US', customerExcel: new Blob(['a']) };
    expect(await client().sendBulkExcel({ ...sheet, ...options, from: from.join() })).toMatchObject({ dryRun: true });
    const [json, form] = server.received.map(({ body }) => body.toString());
    expect(JSON.parse(json ?? '')).toMatchObject({ ...options, from });
    const fields = [...(form ?? '').matchAll(/name="(dryRun|maxSpend|from)"\r\n\r\n(.*)\r\n/g)].map(
      ([, name, value]) => [name, value],
    );
    expect(Object.fromEntries(fields)).toEqual({
      dryRun: 'true',
      maxSpend: JSON.stringify(options.maxSpend),
      from: '15550783881,15550783882',
    });
  });

  it('retries an upload with the upload timeout and same key', async () => {
    const upload = { to: '919812345678', type: 'document', file: new Blob(['a']) } as const;
    server.received.length = 0;
    server.respondWith(({ body }, response) => {
      const isRepeated = server.received.length > 1;
      setTimeout(
        () =>
          response
            .writeHead(isRepeated ? 200 : 503, { 'content-type': 'application/json' })
            .end(JSON.stringify(isRepeated ? SENT : { success: false, code: 'UNAVAILABLE' })),
        body.length > 0 ? 200 : 0,
      );
    });
    expect(await client({ timeoutMs: 50 }).sendMessage(upload)).toEqual(SENT);
    expect([keys().length, new Set(keys()).size]).toEqual([2, 1]);
    await expect(
      client({ timeoutMs: 10_000, uploadTimeoutMs: 50, maxRetries: 0 }).sendMessage(upload),
    ).rejects.toMatchObject({ timedOut: true });
    await expect(client({ maxRetries: 0 }).sendMessage(upload, { timeoutMs: 50 })).rejects.toMatchObject({
      timedOut: true,
    });
  });
});
