import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { type Receiver, startReceiver } from '@switchboard/testing';
import { Agent, request } from 'undici';
import { guardedConnector } from '../src/customer-http/guarded-connect';

const PUBLIC_ADDRESS = '203.0.112.1';
const PUBLIC_ADDRESS_6 = '2606:4700::1111';

describe('webhook proxy', () => {
  let receiver: Receiver;
  let proxy: Server;
  /** Heads of the received CONNECT requests. */
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let answer = 'HTTP/1.1 200 Connection established\r\n\r\n';

  beforeAll(async () => {
    receiver = await startReceiver();
    proxy = createServer((client) => {
      sockets.add(client.on('error', () => undefined));
      client.once('data', (head: Buffer) => {
        asked.push(head.toString());
        client.write(answer);
        if (!answer.includes(' 200 ')) return void client.end();
        // Connect to the receiver, whatever destination is requested.
        const inner = connect(Number(new URL(receiver.url).port), '127.0.0.1');
        sockets.add(inner.on('error', () => undefined));
        client.pipe(inner).pipe(client);
      });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });

  beforeEach(() => {
    asked.length = 0;
    answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await receiver.close();
  });

  const resolvingTo =
    (address: string): LookupFunction =>
    (_hostname, _options, callback) =>
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);

  async function reach(
    host: string,
    { lookup, login = '', timeoutMs = 2_000 }: { lookup?: LookupFunction; login?: string; timeoutMs?: number } = {},
  ): Promise<unknown> {
    const proxyUrl = `http://${login}127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const agent = new Agent({ connect: guardedConnector({ allowPrivate: false, timeoutMs, proxyUrl, lookup }) });
    try {
      return (await request(`http://${host}:8080/`, { dispatcher: agent, method: 'POST', body: 'x' })).statusCode;
    } catch (error) {
      return (error as { errorClass?: string }).errorClass ?? error;
    } finally {
      await agent.destroy();
    }
  }

  it('receives the checked address instead of the host name', async () => {
    expect(await reach('hook.example.com', { lookup: resolvingTo(PUBLIC_ADDRESS) })).toBe(200);
    expect(asked).toEqual([`CONNECT ${PUBLIC_ADDRESS}:8080 HTTP/1.1\r\nHost: ${PUBLIC_ADDRESS}:8080\r\n\r\n`]);
    expect(receiver.received.at(-1)).toMatchObject({ method: 'POST', body: Buffer.from('x') });
  });

  it('receives literal addresses unchanged, IPv6 in brackets', async () => {
    await reach(PUBLIC_ADDRESS);
    await reach(`[${PUBLIC_ADDRESS_6}]`);
    await reach('six.example.com', { lookup: resolvingTo(PUBLIC_ADDRESS_6) });
    expect(asked.map((head) => head.split(' ')[1])).toEqual([
      `${PUBLIC_ADDRESS}:8080`,
      `[${PUBLIC_ADDRESS_6}]:8080`,
      `[${PUBLIC_ADDRESS_6}]:8080`,
    ]);
  });

  it('is never contacted for an internal address in any format', async () => {
    for (const host of ['127.0.0.1', '0x7f.1', '[::1]', '10.0.0.8']) expect(await reach(host)).toBe('blocked');
    for (const address of ['127.0.0.1', '169.254.169.254', '::1'])
      expect(await reach('hook.example.com', { lookup: resolvingTo(address) })).toBe('blocked');
    expect(asked).toEqual([]);
  });

  it('receives the credentials from its URL', async () => {
    expect(await reach(PUBLIC_ADDRESS, { login: 'me:s%3Acret@' })).toBe(200);
    expect(asked[0]).toContain(`\r\nProxy-Authorization: Basic ${Buffer.from('me:s:cret').toString('base64')}\r\n`);
  });

  it.each([
    ['refuses', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['closes the connection', ''],
    ['sends an endless response', 'x'.repeat(9_000)],
  ])('reports a failed connection when it %s', async (_what, text) => {
    answer = text;
    expect(await reach(PUBLIC_ADDRESS)).toBe('connect');
  });

  it('is disconnected when it takes too long', async () => {
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(
      0,
      '127.0.0.1',
    );
    await once(silent, 'listening');
    const agent = new Agent({
      connect: guardedConnector({
        allowPrivate: false,
        timeoutMs: 200,
        proxyUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      }),
    });
    await expect(request(`http://${PUBLIC_ADDRESS}/`, { dispatcher: agent })).rejects.toMatchObject({
      errorClass: 'timeout',
    });
    await agent.destroy();
    silent.close();
  });
});
