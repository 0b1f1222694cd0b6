// @ts-check
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Implements the protocol of Erlang's port mapper daemon (EPMD), as described in Erlang's "Distribution Protocol".
const ALIVE = 120;
const ALIVE_RESPONSE = 118;
const PORT_PLEASE = 122;
const PORT_RESPONSE = 119;
const NAMES = 110;

const NORMAL_NODE = 77;
const TCP_IPV4 = 0;
const HIGHEST_VERSION = 6;
const LOWEST_VERSION = 5;

/**
 * @typedef {object} PortMapper
 * @property {(name: string) => number | undefined} registered port of a node that registered here
 * @property {() => Promise<void>} close
 */

/**
 * Starts a port mapper for one Erlang node. It reports chosen ports for the other nodes, so that connections between
 * nodes pass through proxies.
 * @param {{ port: number, portOf: (name: string) => number | undefined }} options `portOf`: distribution port of a
 * node, by its name before the `@`
 * @returns {Promise<PortMapper>}
 */
export async function startPortMapper({ port, portOf }) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  /** @type {Map<import('node:net').Socket, { name: string, port: number }>} */
  const registered = new Map();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => (sockets.delete(socket), registered.delete(socket)));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const request = received.subarray(2, 2 + received.readUInt16BE(0));
      received = Buffer.alloc(0);
      if (request[0] === ALIVE) {
        registered.set(socket, readAlive(request));
        socket.write(aliveResponse()); // the node keeps this connection open while it is running
      } else if (request[0] === PORT_PLEASE) socket.end(portResponse(request.toString('utf8', 1), portOf));
      else if (request[0] === NAMES) socket.end(namesResponse(port, [...registered.values()]));
      else socket.destroy();
    });
  });
  await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    registered: (name) => [...registered.values()].find((node) => node.name === name)?.port,
    async close() {
      const closed = new Promise((/** @type {(value?: unknown) => void} */ resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function readAlive(/** @type {Buffer} */ request) {
  const length = request.readUInt16BE(9);
  return { port: request.readUInt16BE(1), name: request.toString('utf8', 11, 11 + length) };
}

function aliveResponse() {
  const response = Buffer.alloc(6);
  response[0] = ALIVE_RESPONSE;
  response.writeUInt32BE(randomInt(4, 2 ** 31), 2); // creation number, which distinguishes restarts of a node
  return response;
}

function portResponse(/** @type {string} */ name, /** @type {(name: string) => number | undefined} */ portOf) {
  const port = portOf(name);
  if (port === undefined) return Buffer.from([PORT_RESPONSE, 1]);
  const encoded = Buffer.from(name);
  const response = Buffer.alloc(14 + encoded.length);
  response[0] = PORT_RESPONSE;
  response.writeUInt16BE(port, 2);
  response[4] = NORMAL_NODE;
  response[5] = TCP_IPV4;
  response.writeUInt16BE(HIGHEST_VERSION, 6);
  response.writeUInt16BE(LOWEST_VERSION, 8);
  response.writeUInt16BE(encoded.length, 10);
  encoded.copy(response, 12); // followed by two zero bytes: no extra data
  return response;
}

function namesResponse(/** @type {number} */ port, /** @type {{ name: string, port: number }[]} */ nodes) {
  const response = Buffer.alloc(4);
  response.writeUInt32BE(port);
  return Buffer.concat([
    response,
    Buffer.from(nodes.map((node) => `name ${node.name} at port ${node.port}\n`).join('')),
  ]);
}
