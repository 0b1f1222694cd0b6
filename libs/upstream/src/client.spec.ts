import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { eventually } from '@switchboard/testing';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { once } from 'node:events';
import { fixture } from '../test/fixtures/fixtures';
import { createUpstreamClient, type UpstreamClient } from './client';
import type { UpstreamSendBody } from './types';
import { UpstreamError } from './upstream-error';

const body: UpstreamSendBody = {
  to: '15550002222',
  type: 'text',
  text: { body: 'Hello' },
  biz_opaque_callback_data: 'msg_01',
};
const answers = fixture<Record<'send' | 'templates' | 'number', object>>('answers');
const open: { client: UpstreamClient; server: Server }[] = [];

async function upstream(listener: RequestListener, timeoutMs = 2_000): Promise<UpstreamClient> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = clientOf((server.address() as AddressInfo).port, timeoutMs);
  open.push({ client, server });
  return client;
}

function clientOf(port: number, timeoutMs = 2_000): UpstreamClient {
  return createUpstreamClient({ baseUrl: `http://127.0.0.1:${port}`, apiVersion: 'v24.0', timeoutMs });
}

const answering =
  (status: number, answer: object | string): RequestListener =>
  (_request, response) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };

const send = (client: UpstreamClient, signal?: AbortSignal) =>
  client.sendMessage({ phoneNumberId: '200000000000002', accessToken: 'secret-token', body, signal });

async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UpstreamError)) throw new Error('an UpstreamError was expected', { cause: error });
  expect(`${error.message} ${error.details}`).not.toContain('secret-token');
  return error;
}

async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

afterEach(async () => {
  for (const { client, server } of open.splice(0)) {
    server.closeAllConnections();
    server.close();
    await client.close();
  }
});

describe('sendMessage', () => {
  it('adds the plus to the recipient and returns the wamid', async () => {
    const seen: { url?: string; authorization?: string; body: string }[] = [];
    const client = await upstream((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          seen.push({
            url: request.url,
            authorization: request.headers.authorization,
            body: Buffer.concat(chunks).toString(),
          });
          answering(200, answers.send)(request, response);
        });
    });
    const sent = await send(client);
    expect(sent).toEqual({
      messageId: 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBJBMUIyQzNENEU1RjYwNzE4MjkA',
      waId: '15550002222',
    });
    expect(seen[0]).toMatchObject({ url: '/v24.0/200000000000002/messages', authorization: 'Bearer secret-token' });
    expect(JSON.parse(seen[0]!.body)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...body,
      to: '+15550002222',
    });
  });

  it.each(fixture<(UpstreamSendBody & { type: string })[]>('sends'))(
    "sends a $type in the platform's format",
    async (example) => {
      let written = '';
      const client = await upstream((request, response) => {
        request
          .on('data', (chunk: Buffer) => (written += chunk.toString()))
          .on('end', () => answering(200, answers.send)(request, response));
      });
      const given = { ...example, to: example.to?.slice(1) };
      await client.sendMessage({ phoneNumberId: '1', accessToken: 'secret-token', body: given });
      expect(JSON.parse(written)).toEqual(example);
    },
  );

  it('reuses the connection for consecutive calls', async () => {
    const ports = new Set<number | undefined>();
    const client = await upstream((request, response) => {
      ports.add(request.socket.remotePort);
      answering(200, answers.send)(request, response);
    });
    for (let call = 0; call < 20; call += 1) await send(client);
    // The next call may start before the previous response has freed its connection.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

describe('a failed send', () => {
  it.each(fixture<{ error: { code: number } }[]>('errors'))(
    'is rejected for the envelope $error.code',
    async (envelope) => {
      const error = await failureOf(send(await upstream(answering(400, envelope))));
      expect(error).toMatchObject({ kind: 'rejected', code: envelope.error.code, httpStatus: 400 });
    },
  );

  it('has the details of the envelope and is retriable when transient', async () => {
    const envelope = {
      error: { message: 'm', code: 131009, error_data: { details: 'bad value' }, is_transient: true },
    };
    expect(await failureOf(send(await upstream(answering(404, envelope))))).toMatchObject({
      kind: 'rejected',
      title: 'Parameter value is not valid',
      details: 'bad value',
      retriable: true,
      category: 'other',
      answer: 'INVALID_PARAMETER',
    });
  });

  it('is unavailable when the connection is refused', async () => {
    const client = clientOf(await closedPort());
    expect(await failureOf(send(client))).toMatchObject({
      kind: 'unavailable',
      retriable: true,
      answer: 'UPSTREAM_ERROR',
    });
    await client.close();
  });

  it('is unavailable when the host name does not exist', async () => {
    const client = createUpstreamClient({
      baseUrl: 'http://no-such-host.invalid',
      apiVersion: 'v24.0',
      timeoutMs: 5_000,
    });
    expect((await failureOf(send(client))).kind).toBe('unavailable');
    await client.close();
  });

  it('is unavailable and not sent when the deadline passes in the queue', async () => {
    const waiting: ServerResponse[] = [];
    const client = await upstream((_request, response) => void waiting.push(response), 5_000);
    const running = Array.from({ length: 128 }, () => send(client));
    await eventually(() => expect(waiting.length).toBe(128));
    const queued = await failureOf(send(client, AbortSignal.timeout(50)));
    expect(queued.kind).toBe('unavailable');
    const answered = waiting.splice(0);
    for (const response of answered) response.end(JSON.stringify(answers.send));
    await Promise.all(running);
    const last = send(client);
    await eventually(() => expect(waiting.length).toBe(1));
    waiting[0]?.end(JSON.stringify(answers.send));
    await last;
    expect(answered).toHaveLength(128);
  });

  it('has an unknown outcome when upstream hangs past the deadline', async () => {
    const client = await upstream(() => undefined, 150);
    const start = performance.now();
    expect(await failureOf(send(client))).toMatchObject({
      kind: 'unknown-outcome',
      retriable: false,
      answer: 'UPSTREAM_TIMEOUT',
      // The request may not have arrived, so the reconciler may resend it.
      wasReceived: false,
    });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('has an unknown outcome when the caller cancels it in flight', async () => {
    const cancel = new AbortController();
    const client = await upstream(() => cancel.abort());
    expect((await failureOf(send(client, cancel.signal))).kind).toBe('unknown-outcome');
  });

  it('has an unknown outcome when the connection is reset', async () => {
    const client = await upstream((request) => request.on('end', () => request.socket.resetAndDestroy()).resume());
    expect((await failureOf(send(client))).kind).toBe('unknown-outcome');
  });

  it('has an unknown outcome when the response is truncated', async () => {
    const client = await upstream((_request, response) => {
      response.writeHead(200, { 'content-length': '500' }).write('{"messages":', () => response.destroy());
    });
    expect(await failureOf(send(client))).toMatchObject({ kind: 'unknown-outcome', wasReceived: true });
  });

  it('has an unknown outcome when the response has no message id', async () => {
    expect(await failureOf(send(await upstream(answering(200, '{"messages":[]}'))))).toMatchObject({
      kind: 'unknown-outcome',
      wasReceived: true,
    });
  });

  it('is throttled by a 429 for the time in Retry-After', async () => {
    const client = await upstream((_request, response) => {
      response
        .writeHead(429, { 'retry-after': '7', 'content-type': 'text/html' })
        .end('<html>Too Many Requests</html>');
    });
    expect(await failureOf(send(client))).toMatchObject({ answer: 'UPSTREAM_THROTTLED', retryAfterSeconds: 7 });
  });
});

describe('read calls', () => {
  it('return templates with the cursor of the next page, if any', async () => {
    const last = { ...answers.templates, paging: { cursors: { before: 'a', after: 'b' } } };
    const urls: (string | undefined)[] = [];
    const client = await upstream((request, response) => {
      urls.push(request.url);
      answering(200, request.url?.includes('after=') ? last : answers.templates)(request, response);
    });
    const call = { wabaId: '100000000000001', accessToken: 'secret-token' };
    const first = await client.listTemplates({ ...call, limit: 1 });
    expect(first).toMatchObject({
      after: 'QVFIUb',
      templates: [{ name: 'order_update', language: 'en_US', status: 'APPROVED' }],
    });
    expect((await client.listTemplates({ ...call, after: first.after })).after).toBeUndefined();
    expect(urls[0]).toMatch(/^\/v24\.0\/100000000000001\/message_templates\?fields=.*&limit=1$/);
    expect(urls[1]).toContain('after=QVFIUb');
  });

  it('return the number object', async () => {
    const client = await upstream(answering(200, answers.number));
    const number = await client.getNumber({ phoneNumberId: '200000000000002', accessToken: 'secret-token' });
    expect(number).toMatchObject({
      id: '200000000000002',
      quality_rating: 'GREEN',
      display_phone_number: '+1 555-000-1111',
    });
  });
});

describe('template calls', () => {
  const call = { wabaId: '100000000000001', accessToken: 'secret-token' };
  const template = {
    name: 'order_ready',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Ready.' }],
  };
  const seen: string[] = [];
  const recording =
    (answer: object): RequestListener =>
    (request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          seen.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
          answering(200, answer)(request, response);
        });
    };
  beforeEach(() => void seen.splice(0));

  it('create a template and return its id as text', async () => {
    const client = await upstream(recording({ id: 594425479261596, status: 'PENDING', category: 'UTILITY' }));
    expect(await client.createTemplate({ ...call, template })).toEqual({
      id: '594425479261596',
      status: 'PENDING',
      category: 'UTILITY',
    });
    expect(seen).toEqual([`POST /v24.0/100000000000001/message_templates ${JSON.stringify(template)}`]);
  });

  it('edit and delete single templates', async () => {
    const client = await upstream(recording({ success: true }));
    await client.editTemplate({ templateId: '7', accessToken: 'secret-token', edit: { components: [] } });
    await client.deleteTemplate({ ...call, name: 'order_ready', templateId: '7' });
    expect(seen).toEqual([
      'POST /v24.0/7 {"components":[]}',
      'DELETE /v24.0/100000000000001/message_templates?hsm_id=7&name=order_ready ',
    ]);
  });

  it('have an unknown outcome when the response reports no success', async () => {
    const client = await upstream(recording({ success: false }));
    expect(await failureOf(client.deleteTemplate({ ...call, name: 'order_ready', templateId: '7' }))).toMatchObject({
      kind: 'unknown-outcome',
    });
  });

  it('reject an existing template with its subcode', async () => {
    const error = {
      message: 'Invalid parameter',
      code: 100,
      error_subcode: 2388024,
      error_user_msg: 'There is already English content for this template.',
    };
    const client = await upstream(answering(400, { error }));
    expect(await failureOf(client.createTemplate({ ...call, template }))).toMatchObject({
      kind: 'rejected',
      code: 100,
      subcode: 2388024,
      details: error.error_user_msg,
    });
  });
});

describe('uploadMedia', () => {
  const call = { phoneNumberId: '200000000000002', accessToken: 'secret-token', timeoutMs: 5_000 };
  async function* chunks(count: number): AsyncGenerator<Buffer> {
    for (let index = 0; index < count; index += 1) yield Buffer.alloc(1_000, index);
  }

  it('streams the file with its length and type and returns its id', async () => {
    const seen: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
    const client = await upstream((request, response) => {
      const parts: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => parts.push(chunk))
        .on('end', () => {
          seen.push({ headers: request.headers, body: Buffer.concat(parts) });
          answering(200, { id: '1037543291543636' })(request, response);
        });
    });
    const file = { mimeType: 'image/png', filename: 'a"b\r\n.png', bytes: 3_000, content: chunks(3) };
    expect(await client.uploadMedia({ ...call, file })).toBe('1037543291543636');
    const { headers, body } = seen[0]!;
    expect(headers).toMatchObject({ 'content-length': String(body.length), authorization: 'Bearer secret-token' });
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': String(headers['content-type']) },
    }).formData();
    expect([form.get('messaging_product'), form.get('type')]).toEqual(['whatsapp', 'image/png']);
    const received = form.get('file') as File;
    expect([received.name, received.type, received.size]).toEqual(['a_b__.png', 'image/png', 3_000]);
  });

  it('is rejected with the platform’s reason', async () => {
    const client = await upstream((request, response) => {
      request.resume().on('end', () =>
        answering(400, {
          error: { message: '(#100) Param file must be a file with one of the following types', code: 100 },
        })(request, response),
      );
    });
    const file = { mimeType: 'image/gif', filename: 'a', bytes: 1_000, content: chunks(1) };
    expect(await failureOf(client.uploadMedia({ ...call, file }))).toMatchObject({ kind: 'rejected', code: 100 });
  });

  it.each([
    ['fewer bytes than declared', 5_000],
    ['more bytes than declared', 500],
  ])('fails when the file has %s', async (_title, bytes) => {
    const client = await upstream(
      (request, response) =>
        void request
          .on('error', () => undefined)
          .resume()
          .on('end', () => answering(200, { id: '1' })(request, response)),
    );
    await failureOf(
      client.uploadMedia({ ...call, file: { mimeType: 'image/png', filename: 'a', bytes, content: chunks(2) } }),
    );
  });

  it('stops reading the file when the upload fails', async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        isEnded = true;
      }
    }
    const client = await upstream(() => undefined);
    const file = { mimeType: 'image/png', filename: 'a', bytes: 1e9, content: endless() };
    await failureOf(client.uploadMedia({ ...call, timeoutMs: 200, file }));
    await eventually(() => expect(isEnded).toBe(true));
  });
});
