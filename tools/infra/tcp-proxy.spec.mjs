// @ts-check
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { anyFreePort } from '../lib/ports.mjs';
import { eventually } from '../lib/wait.mjs';
import { startTcpProxy } from './tcp-proxy.mjs';

/** @typedef {import('node:net').Socket} Socket */

/** @type {{ close(): unknown }[]} */
let opened = [];
afterEach(async () => {
  await Promise.all(opened.map((part) => part.close()));
  opened = [];
});

test('distributes connections over the backends round-robin', async () => {
  const backends = [await greeter('a'), await greeter('b'), await greeter('c')];
  const proxy = await proxyTo(backends);
  const greetings = [];
  for (let count = 0; count < 6; count += 1) greetings.push(await greetingOf(dial(proxy.port)));
  expect(greetings).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('tries the next backend when one does not accept', async () => {
  const proxy = await proxyTo([{ port: await anyFreePort() }, await greeter('b')]);
  expect(await greetingOf(dial(proxy.port))).toBe('b');
  expect(await greetingOf(dial(proxy.port))).toBe('b');
});

test('resets the client when no backend accepts', async () => {
  const proxy = await proxyTo([{ port: await anyFreePort() }, { port: await anyFreePort() }]);
  await expect(greetingOf(dial(proxy.port))).rejects.toThrow(/ECONNRESET/);
});

test('resets the client when there are no backends', async () => {
  const proxy = await proxyTo([]);
  await expect(greetingOf(dial(proxy.port))).rejects.toThrow(/ECONNRESET/);
});

test('uses changed backends only for new connections', async () => {
  const old = await echo();
  const proxy = await proxyTo([old]);
  const client = dial(proxy.port);
  expect(await answerTo(client, 'one')).toBe('one');
  proxy.setBackends([await greeter('new')]);
  expect(await greetingOf(dial(proxy.port))).toBe('new');
  expect(await answerTo(client, 'two')).toBe('two');
});

test('forwards a half-close and still delivers the response', async () => {
  const backend = await listen((socket) => {
    let received = '';
    socket.on('data', (chunk) => (received += chunk)).once('end', () => socket.end(`got ${received}`));
  });
  const proxy = await proxyTo([backend]);
  const client = dial(proxy.port);
  client.end('everything');
  expect(await greetingOf(client)).toBe('got everything');
});

test('closes the client when its backend closes', async () => {
  const backend = await echo();
  const proxy = await proxyTo([backend]);
  const client = dial(proxy.port);
  await answerTo(client, 'here');
  const ended = once(client, 'end');
  for (const socket of backend.sockets) socket.end();
  await ended;
});

test.each([
  ['client', 'backend'],
  ['backend', 'client'],
])('resets the other side when the %s resets', async (from) => {
  const backend = await echo();
  const proxy = await proxyTo([backend]);
  const client = dial(proxy.port);
  await answerTo(client, 'here');
  const [served] = [...backend.sockets];
  const [first, other] = from === 'client' ? [client, served] : [served, client];
  const failed = once(/** @type {Socket} */ (other), 'error');
  first?.on('error', () => undefined).resetAndDestroy();
  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
});

describe('a frozen proxy', () => {
  test('delivers data in order after the thaw', async () => {
    const backend = await echo();
    const proxy = await proxyTo([backend]);
    const client = dial(proxy.port);
    await answerTo(client, 'before');
    let received = '';
    client.on('data', (chunk) => (received += chunk));
    proxy.freeze();
    client.write('1');
    for (const socket of backend.sockets) socket.write('from the backend');
    client.write('2');
    const unfrozen = await proxyTo([await echo()]);
    await answerTo(dial(unfrozen.port), 'a whole trip through another proxy');
    expect(received).toBe('');
    proxy.thaw();
    await eventually('all to arrive', () => received === 'from the backend12', { timeoutMs: 5000 });
  });

  test('connects new clients only after the thaw', async () => {
    const backend = await greeter('hello');
    const proxy = await proxyTo([backend]);
    proxy.freeze();
    const client = dial(proxy.port);
    await once(client, 'connect');
    expect(await greetingOf(dial((await proxyTo([backend])).port))).toBe('hello');
    expect(client.bytesRead).toBe(0);
    proxy.thaw();
    expect(await greetingOf(client)).toBe('hello');
  });

  test('hides a dead side until the thaw', async () => {
    const backend = await echo();
    const proxy = await proxyTo([backend]);
    const client = dial(proxy.port);
    await answerTo(client, 'here');
    proxy.freeze();
    const failed = once(client, 'error');
    const [served] = [...backend.sockets];
    served?.on('error', () => undefined).resetAndDestroy();
    await answerTo(dial((await proxyTo([await echo()])).port), 'a whole trip through another proxy');
    expect(client.destroyed).toBe(false);
    proxy.thaw();
    client.write('into the void');
    await failed;
  });
});

test('ends all connections on close', async () => {
  const proxy = await proxyTo([await echo()]);
  const client = dial(proxy.port);
  await answerTo(client, 'here');
  const failed = once(client, 'error');
  await proxy.close();
  await failed;
});

/** @param {import('./tcp-proxy.mjs').Backend[]} backends */
async function proxyTo(backends) {
  const proxy = await startTcpProxy({ backends });
  opened.push(proxy);
  return proxy;
}

async function listen(/** @type {(socket: Socket) => void} */ serve) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { port: /** @type {import('node:net').AddressInfo} */ (server.address()).port, sockets };
}

const greeter = (/** @type {string} */ text) => listen((socket) => socket.end(text));
const echo = () => listen((socket) => void socket.pipe(socket));

function dial(/** @type {number} */ port) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  opened.push({ close: () => socket.destroy() });
  return socket;
}

async function greetingOf(/** @type {Socket} */ socket) {
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  await once(socket, 'end');
  return received;
}

async function answerTo(/** @type {Socket} */ socket, /** @type {string} */ text) {
  socket.write(text);
  const [chunk] = await once(socket, 'data');
  return String(chunk);
}
