// @ts-check
import { createServer } from 'node:net';
import { managementPorts, publicPorts } from '../lib/assign-ports.mjs';
import { anyFreePort, freeBlock, isFree, isListening, listenerOn } from '../lib/ports.mjs';

/** @type {import('node:net').Server[]} */
const servers = [];

/** @returns {Promise<void>} */
function occupy(/** @type {number} */ port) {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

afterAll(() => servers.forEach((server) => server.close()));

test('reports an occupied port and its listener', async () => {
  const port = await anyFreePort();
  expect(await isFree(port)).toBe(true);
  await occupy(port);
  expect(await isFree(port)).toBe(false);
  expect(listenerOn(port)).toContain(`process ${process.pid}`);
});

test("keeps an installation's port block unless a port is occupied", async () => {
  const base = await freeBlock('/somewhere/checkout', 5);
  expect(await freeBlock('/somewhere/checkout', 5)).toBe(base);
  await occupy(base + 3);
  const next = await freeBlock('/somewhere/checkout', 5);
  expect(next).not.toBe(base);
  expect(next).toBeGreaterThanOrEqual(21_000);
  expect(next).toBeLessThan(32_000);
});

test('names the variable and the process of an occupied public port', async () => {
  const port = await anyFreePort();
  await occupy(port);
  await expect(publicPorts({ GATEWAY_PORT: String(port), SIMULATOR_PORT: '0' })).rejects.toThrow(
    new RegExp(`port ${port}, wanted for the API, is taken by process ${process.pid} .*GATEWAY_PORT=`),
  );
});

test('rejects an invalid port', async () => {
  await expect(publicPorts({ GATEWAY_PORT: 'abc' })).rejects.toThrow('GATEWAY_PORT=abc is not a port');
});

test('rejects the same port for the API and the simulator', async () => {
  const port = String(await anyFreePort());
  await expect(publicPorts({ GATEWAY_PORT: port, SIMULATOR_PORT: port })).rejects.toThrow(
    `GATEWAY_PORT and SIMULATOR_PORT are both ${port}: choose two ports`,
  );
});

test('rejects a port that fetch blocks', async () => {
  await expect(publicPorts({ GATEWAY_PORT: '0', SIMULATOR_PORT: '4190' })).rejects.toThrow(
    /port 4190, wanted for the simulator, is one that browsers and Node refuse to call.*SIMULATOR_PORT=/,
  );
});

test('assigns management ports around public and occupied ones', async () => {
  const publics = await publicPorts({ GATEWAY_PORT: '0', SIMULATOR_PORT: '0' });
  const first = Math.min(...Object.values(await managementPorts(publics)));
  await occupy(first + 1);
  const all = Object.values({ ...publics, ...(await managementPorts(publics)) });
  expect(new Set(all).size).toBe(8);
  expect(all).not.toContain(first + 1);
  expect(await Promise.all(all.map(isFree))).not.toContain(false);
});

test('distinguishes the expected listener from another process', async () => {
  const port = await anyFreePort();
  await occupy(port);
  expect(isListening(process.pid, port)).toBe(true);
  expect(isListening(1, port)).toBe(false);
});
