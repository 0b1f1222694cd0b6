// @ts-check
import { createServer } from 'node:net';
import { firstThatWorks, forcedKind, orderOfWays, sizeOf } from '../infra/choose.mjs';
import { findPostgres } from '../infra/postgres.mjs';
import { tryDefaultPostgres, tryPostgres } from '../infra/postgres-login.mjs';
import { tryRabbitmq } from '../infra/rabbitmq-login.mjs';

/** @type {import('node:net').Server[]} */
const servers = [];

/** Starts a server that responds to each connection with a text, or never responds. */
function impostor(/** @type {string} */ answer) {
  return new Promise((/** @type {(port: number) => void} */ resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      if (answer) socket.once('data', () => socket.end(answer));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

afterAll(() => servers.forEach((server) => server.close()));

test('tries default ports before Docker and private servers', () => {
  expect(orderOfWays({ isGiven: false })).toEqual(['ports', 'docker', 'local']);
});

test('uses a given URL without a fallback', () => {
  expect(orderOfWays({ isGiven: true, earlier: 'local' })).toEqual(['given']);
});

test('ignores DATABASE_URL, which may belong to another program', async () => {
  const { SWITCHBOARD_INFRA, SWITCHBOARD_DATABASE_URL, DATABASE_URL } = process.env;
  /** @type {string[]} */
  const lines = [];
  try {
    Object.assign(process.env, { SWITCHBOARD_INFRA: 'given', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    delete process.env['SWITCHBOARD_DATABASE_URL'];
    await expect(findPostgres(undefined, (line) => lines.push(line))).rejects.toThrow(
      'given: SWITCHBOARD_DATABASE_URL is not set',
    );
    expect(lines).toEqual([expect.stringContaining('DATABASE_URL is not read here')]);
  } finally {
    for (const [name, value] of Object.entries({ SWITCHBOARD_INFRA, SWITCHBOARD_DATABASE_URL, DATABASE_URL }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test('prefers the server with existing data to a default port', () => {
  expect(orderOfWays({ isGiven: false, earlier: 'local' })).toEqual(['local', 'ports', 'docker']);
  expect(orderOfWays({ isGiven: false, earlier: 'docker' })).toEqual(['docker', 'ports', 'local']);
});

test('starts clusters only as private servers', () => {
  expect(orderOfWays({ isGiven: false, isOwn: true })).toEqual(['local']);
  expect(() => orderOfWays({ isGiven: true, isOwn: true })).toThrow('unset the address');
  expect(() => orderOfWays({ forced: 'docker', isGiven: false, isOwn: true })).toThrow('SWITCHBOARD_INFRA');
});

test('keeps the number of servers until the data is removed', () => {
  expect(sizeOf('RabbitMQ', undefined, undefined)).toBe(1);
  expect(sizeOf('RabbitMQ', 3, undefined)).toBe(3);
  expect(sizeOf('RabbitMQ', undefined, { kind: 'local', size: 3 })).toBe(3);
  expect(sizeOf('RabbitMQ', 3, { kind: 'local', size: 3 })).toBe(3);
  expect(() => sizeOf('RabbitMQ', 3, { kind: 'local', size: 1 })).toThrow('npm run reset');
  expect(() => sizeOf('RabbitMQ', 1, { kind: 'local', size: 3 })).toThrow('npm run reset');
});

test('obeys SWITCHBOARD_INFRA and rejects invalid values', () => {
  expect(orderOfWays({ forced: forcedKind('docker'), isGiven: true, earlier: 'local' })).toEqual(['docker']);
  expect(forcedKind('')).toBeUndefined();
  expect(() => forcedKind('podman')).toThrow('must be one of given, ports, docker, local');
});

test('uses the first option that works and otherwise reports all failures', async () => {
  const no = (/** @type {string} */ why) => async () => ({ ok: /** @type {const} */ (false), why });
  const yes = async () => ({ ok: /** @type {const} */ (true), found: { url: 'postgres://found' } });
  const ways = { given: no('not set'), ports: no('refused'), docker: yes, local: no('never asked') };
  expect(await firstThatWorks('PostgreSQL', ['ports', 'docker', 'local'], ways, '')).toEqual({
    kind: 'docker',
    url: 'postgres://found',
  });
  await expect(firstThatWorks('PostgreSQL', ['ports', 'local'], ways, 'Ways out: …')).rejects.toThrow(
    'no PostgreSQL that we can use:\n  ports: refused\n  local: never asked\nWays out: …',
  );
});

test('rejects a web server as PostgreSQL and RabbitMQ', async () => {
  const port = await impostor('HTTP/1.1 400 Bad Request\r\n\r\n');
  expect((await tryDefaultPostgres(port)).ok).toBe(false);
  expect((await tryRabbitmq(`amqp://guest:guest@127.0.0.1:${port}`)).ok).toBe(false);
});

test('times out on a server that never responds', async () => {
  const port = await impostor('');
  const begin = Date.now();
  const answers = await Promise.all([tryDefaultPostgres(port), tryRabbitmq(`amqp://guest:guest@127.0.0.1:${port}`)]);
  expect(answers.map(({ ok }) => ok)).toEqual([false, false]);
  expect(Date.now() - begin).toBeLessThan(8000);
});

test('reports a port without a listener', async () => {
  expect(await tryPostgres('postgres://postgres@127.0.0.1:1/postgres')).toEqual({
    ok: false,
    why: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await tryRabbitmq('amqp://guest:guest@127.0.0.1:1')).toEqual({
    ok: false,
    why: expect.stringContaining('ECONNREFUSED'),
  });
});
