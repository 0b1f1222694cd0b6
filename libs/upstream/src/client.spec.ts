import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { once } from 'node:events';
import { fixture } from '../test/fixtures/fixtures';
import { createUpstreamClient, type UpstreamClient } from './client';
import type { UpstreamSendBody } from './types';
import { UpstreamError } from './upstream-error';

const body: UpstreamSendBody = { to: '15550002222', type: 'text', text: { body: 'Hello' }, biz_opaque_callback_data: 'msg_01' };
const answers = fixture<Record<'send' | 'templates' | 'number', object>>('answers');
const open: { client: UpstreamClient; server: Server }[] = [];

async function upstream(listener: RequestListener, timeoutMs = 2_000, connections?: number): Promise<UpstreamClient> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = clientOf((server.address() as AddressInfo).port, timeoutMs, connections);
  open.push({ client, server });
  return client;
}

function clientOf(port: number, timeoutMs = 2_000, connections?: number): UpstreamClient {
  return createUpstreamClient({ baseUrl: `http://127.0.0.1:${port}`, apiVersion: 'v24.0', timeoutMs, connections });
}

const answering = (status: number, answer: object | string): RequestListener => (_request, response) => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
};

const send = (client: UpstreamClient, signal?: AbortSignal) =>
  client.sendMessage({ phoneNumberId: '200000000000002', accessToken: 'secret-token', body, signal });

async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const error: unknown = await call.then(() => undefined, (reason: unknown) => reason);
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
  it('writes the plus that the recipient needs upstream and reads the wamid', async () => {
    const seen: { url?: string; authorization?: string; body: string }[] = [];
    const client = await upstream((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
        seen.push({ url: request.url, authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
        answering(200, answers.send)(request, response);
      });
    });
    const sent = await send(client);
    expect(sent).toEqual({ messageId: 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBJBMUIyQzNENEU1RjYwNzE4MjkA', waId: '15550002222' });
    expect(seen[0]).toMatchObject({ url: '/v24.0/200000000000002/messages', authorization: 'Bearer secret-token' });
    expect(JSON.parse(seen[0]!.body)).toEqual({ messaging_product: 'whatsapp', recipient_type: 'individual', ...body, to: '+15550002222' });
  });

  it.each(fixture<(UpstreamSendBody & { type: string })[]>('sends'))('writes a $type as the platform wants it', async (example) => {
    let written = '';
    const client = await upstream((request, response) => {
      request.on('data', (chunk: Buffer) => (written += chunk.toString())).on('end', () => answering(200, answers.send)(request, response));
    });
    const given = { ...example, to: example.to.slice(1) };
    await client.sendMessage({ phoneNumberId: '1', accessToken: 'secret-token', body: given });
    expect(JSON.parse(written)).toEqual(example);
  });

  it('keeps connections for calls in a row', async () => {
    const ports = new Set<number | undefined>();
    const client = await upstream((request, response) => {
      ports.add(request.socket.remotePort);
      answering(200, answers.send)(request, response);
    });
    for (let call = 0; call < 20; call += 1) await send(client);
    // The next call may start before the last answer has freed its connection.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

describe('a failed send', () => {
  it.each(fixture<{ error: { code: number } }[]>('errors'))('is rejected when envelope $error.code arrives', async (envelope) => {
    const error = await failureOf(send(await upstream(answering(400, envelope))));
    expect(error).toMatchObject({ kind: 'rejected', code: envelope.error.code, httpStatus: 400 });
  });

  it('is rejected with the details of the envelope, and retriable when upstream says so', async () => {
    const envelope = { error: { message: 'm', code: 131009, error_data: { details: 'bad value' }, is_transient: true } };
    expect(await failureOf(send(await upstream(answering(404, envelope))))).toMatchObject({
      kind: 'rejected', title: 'Parameter value is not valid', details: 'bad value', retriable: true, category: 'other', answer: 'INVALID_PARAMETER',
    });
  });

  it('is unavailable when the connection is refused', async () => {
    const client = clientOf(await closedPort());
    expect(await failureOf(send(client))).toMatchObject({ kind: 'unavailable', retriable: true, answer: 'UPSTREAM_ERROR' });
    await client.close();
  });

  it('is unavailable when the name does not exist', async () => {
    const client = createUpstreamClient({ baseUrl: 'http://no-such-host.invalid', apiVersion: 'v24.0', timeoutMs: 5_000 });
    expect((await failureOf(send(client))).kind).toBe('unavailable');
    await client.close();
  });

  it('is unavailable when the deadline passes in the queue, and is not sent later', async () => {
    let arrived = 0;
    const client = await upstream((_request, response) => {
      arrived += 1;
      setTimeout(() => response.end(JSON.stringify(answers.send)), 400);
    }, 2_000, 1);
    const first = send(client);
    const queued = await failureOf(send(client, AbortSignal.timeout(50)));
    expect(queued.kind).toBe('unavailable');
    await first;
    await send(client);
    expect(arrived).toBe(2);
  });

  it('is of unknown outcome when upstream hangs, at the deadline', async () => {
    const client = await upstream(() => undefined, 150);
    const start = performance.now();
    expect(await failureOf(send(client))).toMatchObject({ kind: 'unknown-outcome', retriable: false, answer: 'UPSTREAM_TIMEOUT' });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('is of unknown outcome when the caller gives up while upstream works', async () => {
    const cancel = new AbortController();
    const client = await upstream(() => cancel.abort());
    expect((await failureOf(send(client, cancel.signal))).kind).toBe('unknown-outcome');
  });

  it('is of unknown outcome when the connection is reset after the request was read', async () => {
    const client = await upstream((request) => request.on('end', () => request.socket.resetAndDestroy()).resume());
    expect((await failureOf(send(client))).kind).toBe('unknown-outcome');
  });

  it('is of unknown outcome when the answer breaks off', async () => {
    const client = await upstream((_request, response) => {
      response.writeHead(200, { 'content-length': '500' }).write('{"messages":', () => response.destroy());
    });
    expect((await failureOf(send(client))).kind).toBe('unknown-outcome');
  });

  it.each([
    [502, '<html>Bad Gateway</html>'],
    [502, '{"message":"no envelope"}'],
    [200, 'OK'],
    [200, '{"messages":[]}'],
    [200, 'null'],
  ])('is of unknown outcome after HTTP %i %s', async (status, text) => {
    expect(await failureOf(send(await upstream(answering(status, text))))).toMatchObject({ kind: 'unknown-outcome', httpStatus: status });
  });
});

describe('reading', () => {
  it('lists templates with the cursor of the next page only when there is one', async () => {
    const last = { ...answers.templates, paging: { cursors: { before: 'a', after: 'b' } } };
    const urls: (string | undefined)[] = [];
    const client = await upstream((request, response) => {
      urls.push(request.url);
      answering(200, request.url?.includes('after=') ? last : answers.templates)(request, response);
    });
    const call = { wabaId: '100000000000001', accessToken: 'secret-token' };
    const first = await client.listTemplates({ ...call, limit: 1 });
    expect(first).toMatchObject({ after: 'QVFIUb', templates: [{ name: 'order_update', language: 'en_US', status: 'APPROVED' }] });
    expect((await client.listTemplates({ ...call, after: first.after })).after).toBeUndefined();
    expect(urls[0]).toMatch(/^\/v24\.0\/100000000000001\/message_templates\?fields=.*&limit=1$/);
    expect(urls[1]).toContain('after=QVFIUb');
  });

  it('reads the number object', async () => {
    const client = await upstream(answering(200, answers.number));
    const number = await client.getNumber({ phoneNumberId: '200000000000002', accessToken: 'secret-token' });
    expect(number).toMatchObject({ id: '200000000000002', quality_rating: 'GREEN', display_phone_number: '+1 555-000-1111' });
  });
});
