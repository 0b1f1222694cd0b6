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

test('a port someone listens on is not free, and the listener can be named', async () => {
  const port = await anyFreePort();
  expect(await isFree(port)).toBe(true);
  await occupy(port);
  expect(await isFree(port)).toBe(false);
  expect(listenerOn(port)).toContain(`process ${process.pid}`);
});

test('the same installation gets the same block of ports, and the next one when a port in it is taken', async () => {
  const base = await freeBlock('/somewhere/checkout', 5);
  expect(await freeBlock('/somewhere/checkout', 5)).toBe(base);
  await occupy(base + 3);
  const next = await freeBlock('/somewhere/checkout', 5);
  expect(next).not.toBe(base);
  expect(next).toBeGreaterThanOrEqual(21_000);
  expect(next).toBeLessThan(32_000);
});

test('a public port that is taken is an error that names the variable and the one who has it', async () => {
  const port = await anyFreePort();
  await occupy(port);
  await expect(publicPorts({ GATEWAY_PORT: String(port), SIMULATOR_PORT: '0' })).rejects.toThrow(
    new RegExp(`port ${port}, wanted for the API, is taken by process ${process.pid} .*GATEWAY_PORT=`),
  );
});

test('what is not a port is refused', async () => {
  await expect(publicPorts({ GATEWAY_PORT: 'abc' })).rejects.toThrow('GATEWAY_PORT=abc is not a port');
});

test('the API and the simulator cannot have the same port', async () => {
  const port = String(await anyFreePort());
  await expect(publicPorts({ GATEWAY_PORT: port, SIMULATOR_PORT: port })).rejects.toThrow(
    `GATEWAY_PORT and SIMULATOR_PORT are both ${port}: choose two ports`,
  );
});

test('a port that no browser and no fetch would call is refused at once, not waited for', async () => {
  await expect(publicPorts({ GATEWAY_PORT: '0', SIMULATOR_PORT: '4190' })).rejects.toThrow(
    /port 4190, wanted for the simulator, is one that browsers and Node refuse to call.*SIMULATOR_PORT=/,
  );
});

test('management ports give way to the public ones and to strangers', async () => {
  const publics = await publicPorts({ GATEWAY_PORT: '0', SIMULATOR_PORT: '0' });
  const first = Math.min(...Object.values(await managementPorts(publics)));
  await occupy(first + 1);
  const all = Object.values({ ...publics, ...(await managementPorts(publics)) });
  expect(new Set(all).size).toBe(8);
  expect(all).not.toContain(first + 1);
  expect(await Promise.all(all.map(isFree))).not.toContain(false);
});

test('a stranger who answers on a port is not taken for the process that was to listen there', async () => {
  const port = await anyFreePort();
  await occupy(port);
  expect(isListening(process.pid, port)).toBe(true);
  expect(isListening(1, port)).toBe(false);
});
