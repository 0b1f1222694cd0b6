import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type LookupFunction, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { eventually, type Receiver, type Responder, startReceiver } from '@switchboard/testing';
import { InterruptedError } from '../src/customer-http/call-error';
import { CustomerHttp } from '../src/customer-http/customer-http';

/** Starts a server that never accepts connections. Once its backlog is full, new connections get no response. */
const FULL_SERVER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, backlog: 1 });
  parentPort.postMessage(server.address().port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;

describe('CustomerHttp', () => {
  const http = new CustomerHttp({ allowPrivate: true });
  let receiver: Receiver;
  const post = (respond?: Responder) => {
    if (respond) receiver.respondWith(respond);
    return http.call({ method: 'POST', url: `${receiver.url}/hook`, headers: {}, body: Buffer.from('{}') });
  };

  beforeAll(async () => {
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await http.onApplicationShutdown();
    await receiver.close();
  });

  it('succeeds with status 200 only', async () => {
    for (const status of [200, 201, 202, 204, 301, 304, 400, 404, 410, 429, 500, 503]) {
      const outcome = await post((_request, response) => response.writeHead(status).end());
      expect([outcome.statusCode, outcome.errorClass]).toEqual([status, status === 200 ? null : 'status']);
    }
  });

  it('does not follow redirects', async () => {
    const elsewhere = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const outcome = await post((_request, response) => response.writeHead(status, { location: elsewhere.url }).end());
      expect(outcome).toMatchObject({
        errorClass: 'status',
        statusCode: status,
        reason: `the endpoint answered ${status} with the Location ${elsewhere.url}: redirects are not followed`,
      });
    }
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it("reports a redirect's Location without its query", async () => {
    const location = `https://example.com/${'a'.repeat(300)}?hub.verify_token=secret`;
    const { reason } = await post((_request, response) => response.writeHead(302, { location }).end());
    expect(reason).toMatch(
      /^the endpoint answered 302 with the Location https:\/\/example\.com\/a{180}…\?…: redirects/,
    );
    const { reason: none } = await post((_request, response) => response.writeHead(302).end());
    expect(none).toBe('the endpoint answered 302');
  });

  it.each([
    ['in one piece', ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok']],
    [
      'with a header, before another interim response',
      [
        'HTTP/1.1 100 Continue\r\nx-a: HTTP/1.1 100\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 C\r\n\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      ],
    ],
    ['byte by byte', [...'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok']],
    ['as the body of the response', ['HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\nHTTP/1.1 100 \n']],
  ])('accepts an unsolicited 100 Continue: %s', async (_how, pieces) => {
    const server = createServer((socket) => {
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('data', (data) => {
        if (data.includes('{}')) void writeInTurn(socket, pieces);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const call = () =>
      http.call({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: Buffer.from('{}') });
    // Twice on one connection.
    for (const outcome of [await call(), await call()]) {
      expect(outcome).toMatchObject({ errorClass: null, statusCode: 200 });
      expect(outcome.answer.toString()).toMatch(/^(ok|HTTP\/1\.1 100 \n)$/);
    }
    server.close();
  });

  it('uses the final response and ignores interim ones', async () => {
    const outcome = await post((_request, response) => {
      response.writeContinue();
      response.writeHead(500).end();
    });
    expect([outcome.statusCode, outcome.errorClass]).toEqual([500, 'status']);
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('expect');
  });

  it('reads 16 KiB of an endless response and closes the connection', async () => {
    let closed = false;
    const outcome = await post((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(Buffer.alloc(8192, 'x')), 5);
      response.on('close', () => {
        closed = true;
        clearInterval(timer);
      });
    });
    expect(outcome).toMatchObject({ errorClass: null, statusCode: 200 });
    expect(outcome.answer).toHaveLength(16_384);
    await eventually(() => expect(closed).toBe(true));
  });

  it('times out a lookup or a connection attempt after ten seconds', async () => {
    const rules = { allowPrivate: true, lookup: () => undefined };
    const unresolved = new CustomerHttp(rules);
    // Each step alone is in time, but the ten seconds cover all of them.
    const answersLate: LookupFunction = (_hostname, _options, callback) => {
      setTimeout(() => callback(null, [{ address: '127.0.0.1', family: 4 }]), 3_000);
    };
    const lateRules = { allowPrivate: true, lookup: answersLate };
    const resolvedLate = new CustomerHttp(lateRules);
    const full = new Worker(FULL_SERVER, { eval: true });
    const [port] = (await once(full, 'message')) as [number];
    const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')));
    const request = { method: 'POST' as const, headers: {}, body: Buffer.from('{}') };
    for (const { errorClass, durationMs } of await Promise.all([
      unresolved.call({ ...request, url: 'http://hook.example.com/' }),
      resolvedLate.call({ ...request, url: `http://hook.example.com:${port}/` }),
      http.call({ ...request, url: `http://127.0.0.1:${port}/` }),
    ])) {
      expect(errorClass).toBe('timeout');
      expect(durationMs).toBeGreaterThanOrEqual(9_990);
      // With a limit per step, the late lookup would add three seconds. A busy machine adds less.
      expect(durationMs).toBeLessThan(12_900);
    }
    expect(waiting.at(-1)?.connecting).toBe(true);
    for (const socket of waiting) socket.destroy();
    await Promise.all([unresolved.onApplicationShutdown(), resolvedLate.onApplicationShutdown(), full.terminate()]);
  }, 30_000);

  it('times out a silent, dripping or hanging server after ten seconds', async () => {
    const slow = [
      (await startSlowServer(() => undefined)).call(),
      (await startSlowServer(() => undefined)).call('https'),
      ...[
        (socket: Socket) => drip(socket, '', 'HTTP/1.1 200 OK\r\nx-slow: '.padEnd(4000, 'x')),
        (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n', 'x'.repeat(4000)),
      ].map(async (behave) => (await startSlowServer(behave)).call()),
    ];
    for (const { outcome, closedAfterMs } of await Promise.all(slow)) {
      expect(outcome.errorClass).toBe('timeout');
      for (const elapsedMs of [outcome.durationMs, closedAfterMs]) {
        expect(elapsedMs).toBeGreaterThanOrEqual(9_990);
        expect(elapsedMs).toBeLessThan(15_000);
      }
    }
  }, 30_000);

  /** Starts a TCP server with the given behaviour and calls it. */
  async function startSlowServer(behave: (socket: Socket) => void) {
    const server = createServer((socket) => behave(socket.on('error', () => undefined).resume())).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      call: async (protocol: 'http' | 'https' = 'http') => {
        const startedAt = performance.now();
        const closed = once(server, 'connection')
          .then(([socket]) => closeOf(socket as Socket))
          .then(() => performance.now() - startedAt);
        const outcome = await http.call({
          method: 'POST',
          url: `${protocol}://127.0.0.1:${port}/`,
          headers: {},
          body: Buffer.from('{}'),
        });
        const closedAfterMs = await closed;
        server.close();
        return { outcome, closedAfterMs };
      },
    };
  }

  it('reports a failed connection, lookup, TLS handshake or response', async () => {
    const call = (url: string) => http.call({ method: 'POST', url, headers: {}, body: Buffer.from('{}') });
    expect(await call('http://127.0.0.1:1/')).toMatchObject({ errorClass: 'connect', statusCode: null });
    expect(await call('http://no-such-host.invalid/')).toMatchObject({ errorClass: 'dns', statusCode: null });
    expect(await call(`${receiver.url.replace('http', 'https')}/`)).toMatchObject({
      errorClass: 'tls',
      statusCode: null,
    });
    expect(await post((_request, response) => response.socket?.destroy())).toMatchObject({
      errorClass: 'reset',
      statusCode: null,
    });
    expect(await post((_request, response) => response.socket?.resetAndDestroy())).toMatchObject({
      errorClass: 'reset',
      statusCode: null,
    });
    const broken = await post((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.socket?.destroy());
    });
    expect(broken).toMatchObject({ errorClass: 'body', statusCode: 200, answer: Buffer.from('half') });
    expect(await post((_request, response) => response.socket?.end('this is not HTTP\r\n\r\n'))).toMatchObject({
      errorClass: 'body',
    });
  });

  it('stops immediately when interrupted', async () => {
    const other = new CustomerHttp({ allowPrivate: true });
    const before = receiver.received.length;
    receiver.respondWith(() => undefined);
    const call = other.call({ method: 'POST', url: receiver.url, headers: {}, body: Buffer.from('{}') });
    const ended = expect(call).rejects.toThrow(InterruptedError);
    await eventually(() => expect(receiver.received.length).toBe(before + 1));
    other.interruptAll();
    await ended;
    await other.onApplicationShutdown();
  });
});

/** Writes each piece after the previous one has been flushed. */
async function writeInTurn(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, () => setImmediate(resolve)));
}

/** Sends the beginning immediately and the rest at one character every 200 ms. */
function drip(socket: Socket, beginning: string, rest: string): void {
  socket.write(beginning);
  let sent = 0;
  const timer = setInterval(() => socket.write(rest.charAt(sent++)), 200);
  socket.once('close', () => clearInterval(timer));
}

/** Resolves when the connection closes, including by a reset. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
