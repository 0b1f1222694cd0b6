import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { eventually } from '@switchboard/testing';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { createUpstreamClient, type UpstreamClient } from './client';

const open: { client: UpstreamClient; server?: Server }[] = [];

async function upstream(listener: RequestListener, timeoutMs = 2_000): Promise<UpstreamClient> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return clientOf((server.address() as AddressInfo).port, { server, timeoutMs });
}

function clientOf(port: number, { server, timeoutMs = 2_000 }: { server?: Server; timeoutMs?: number } = {}) {
  const client = createUpstreamClient({ baseUrl: `http://127.0.0.1:${port}`, apiVersion: 'v24.0', timeoutMs });
  open.push({ client, server });
  return client;
}

async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

afterEach(async () => {
  for (const { client, server } of open.splice(0)) {
    server?.closeAllConnections();
    server?.close();
    await client.close();
  }
});

describe('calls that no message waits for', () => {
  it('do not delay sends when they are slow', async () => {
    const held: ServerResponse[] = [];
    const client = await upstream((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"status":"read"')) held.push(response);
        else response.end(JSON.stringify({ messages: [{ id: 'wamid.1' }] }));
      });
      if (request.method === 'GET') held.push(response);
    });
    const ofNumber = { phoneNumberId: '200000000000002', accessToken: 'secret-token', timeoutMs: 1_500 };
    // Exceeds the number of connections for sends.
    const slow = Array.from({ length: 200 }, (_, turn) =>
      [
        () => client.getNumber(ofNumber),
        () => client.debugToken(ofNumber),
        () => client.markRead({ ...ofNumber, messageId: 'wamid.IN', typing: true }),
      ][turn % 3]!().catch(() => undefined),
    );
    await eventually(() => expect(held.length).toBeGreaterThan(0));
    const body = {
      to: '15550002222',
      type: 'text',
      text: { body: 'Hello' },
      biz_opaque_callback_data: 'msg_01',
    } as const;
    await expect(client.sendMessage({ ...ofNumber, timeoutMs: 1_000, body })).resolves.toMatchObject({
      messageId: 'wamid.1',
    });
    await Promise.all(slow);
  });
});

describe('the token in the query of debug_token', () => {
  const TOKEN = 'EAAGm0PX4ZCps|BA secret/token';
  const look = (client: UpstreamClient) => client.debugToken({ accessToken: TOKEN });
  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => {
        throw new Error('a failure was expected');
      },
      (reason: unknown) => reason,
    );
  const answering =
    (status: number, answer: object | string): RequestListener =>
    (_request, response) =>
      void response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const shown = (error: unknown): string => `${inspect(error, { depth: 10 })} ${JSON.stringify(error)}`;
  const error = { code: 190, type: 'OAuthException', fbtrace_id: 'A' };

  it.each<[string, number, object | string]>([
    ['quotes it', 400, { error: { ...error, message: `Malformed access token ${TOKEN}` } }],
    ['quotes its query', 400, { error: { ...error, message: `Bad input_token=${encodeURIComponent(TOKEN)}` } }],
    ['is the page of a proxy', 502, `<p>/debug_token?input_token=${encodeURIComponent(TOKEN)}</p>`],
    ['has another shape', 200, { path: `/debug_token?input_token=${encodeURIComponent(TOKEN)}` }],
  ])('does not appear in an error when the response %s', async (_what, status, answer) => {
    const failure = shown(await failureOf(look(await upstream(answering(status, answer)))));
    expect(failure).not.toContain(TOKEN);
    expect(failure).not.toContain(encodeURIComponent(TOKEN));
  });

  it('does not appear in an error when there is no response', async () => {
    const hanging = await upstream(() => undefined, 150);
    const cut = await upstream((request) => void request.socket.destroy());
    const nobody = clientOf(await closedPort());
    for (const client of [hanging, cut, nobody])
      expect(shown(await failureOf(look(client)))).not.toMatch(/EAAGm0PX4ZCps|input_token/);
  });
});
