// @ts-check
import { once } from 'node:events';
import { connect } from 'node:net';
import { anyFreePort } from '../lib/ports.mjs';
import { eventually } from '../lib/wait.mjs';
import { startPortMapper } from './port-mapper.mjs';

/** @type {Awaited<ReturnType<typeof startPortMapper>>} */
let mapper;
let port = 0;

beforeAll(async () => {
  port = await anyFreePort();
  mapper = await startPortMapper({ port, portOf: (name) => (name === 'other' ? 4711 : undefined) });
});
afterAll(() => mapper.close());

test('port mapper returns the chosen port and protocol versions of a node', async () => {
  const response = await ask(Buffer.from('zother'));
  expect([...response.subarray(0, 2)]).toEqual([119, 0]);
  expect(response.readUInt16BE(2)).toBe(4711);
  expect([response.readUInt16BE(6), response.readUInt16BE(8)]).toEqual([6, 5]);
  expect(response.toString('utf8', 12, 12 + response.readUInt16BE(10))).toBe('other');
  expect(response.readUInt16BE(response.length - 2)).toBe(0);
});

test('port mapper returns an error for an unknown node', async () => {
  expect([...(await ask(Buffer.from('zstranger')))]).toEqual([119, 1]);
});

test('port mapper lists a node while its connection is open', async () => {
  const node = connect(port, '127.0.0.1');
  node.write(framed(Buffer.from([120, 0x12, 0x67, 77, 0, 0, 6, 0, 5, 0, 2, 0x6d, 0x65, 0, 0])));
  const [registered] = await once(node, 'data');
  expect([...registered.subarray(0, 2)]).toEqual([118, 0]);
  expect((await ask(Buffer.from('n'))).toString('utf8', 4)).toBe('name me at port 4711\n');
  expect(mapper.registered('me')).toBe(4711);
  node.destroy();
  const isUnlisted = async () => (await ask(Buffer.from('n'))).toString('utf8', 4) === '';
  await eventually('the node to be unlisted', isUnlisted, { timeoutMs: 10_000, everyMs: 20 });
});

test('port mapper reads a request that arrives in pieces', async () => {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const request = framed(Buffer.from('zother'));
  await once(socket, 'connect');
  for (const byte of request) await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
  const [response] = await once(socket, 'data');
  expect(response.readUInt16BE(2)).toBe(4711);
});

function framed(/** @type {Buffer} */ request) {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(request.length);
  return Buffer.concat([length, request]);
}

async function ask(/** @type {Buffer} */ request) {
  const socket = connect(port, '127.0.0.1');
  socket.write(framed(request));
  let response = Buffer.alloc(0);
  socket.on('data', (chunk) => (response = Buffer.concat([response, chunk])));
  await once(socket, 'end');
  return response;
}
