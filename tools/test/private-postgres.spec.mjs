// @ts-check
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureOwnDatabase, dropOwnDatabase, tryPostgres, withClient } from '../infra/postgres-login.mjs';
import { startPrivatePostgres, stopPrivatePostgres } from '../infra/postgres-private.mjs';
import { unprivileged } from '../infra/as-nobody.mjs';
import { stampOf } from '../lib/processes.mjs';
import { anyFreePort } from '../lib/ports.mjs';

const dir = mkdtempSync(join(tmpdir(), 'switchboard-postgres-'));
/** @type {import('../infra/postgres-private.mjs').PrivatePostgres} */
let server;

beforeAll(async () => {
  server = await startPrivatePostgres({ dir, port: await anyFreePort() });
});
afterAll(async () => {
  await stopPrivatePostgres(dir);
  rmSync(dir, { recursive: true, force: true });
});

test('keeps its data after a kill -9', async () => {
  await withClient(server.url, (client) => client.query('CREATE TABLE kept AS SELECT 42 AS value'));
  await server.kill9();
  expect((await tryPostgres(server.url)).ok).toBe(false);
  await server.start();
  const { rows } = await withClient(server.url, (client) => client.query('SELECT value FROM kept'));
  expect(rows).toEqual([{ value: 42 }]);
});

test('ignores a pid file with the id of another process', async () => {
  await server.stop();
  const foreign = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const { place } = await unprivileged();
  writeFileSync(join(place(dir), 'data/postmaster.pid'), `${foreign.pid}\n`);
  await server.start();
  expect((await tryPostgres(server.url)).ok).toBe(true);
  expect(stampOf(Number(foreign.pid))).toBeDefined();
  foreign.kill();
});

test('never uses or drops the database of another installation', async () => {
  await withClient(server.url, (client) => client.query('CREATE DATABASE switchboard'));
  const own = await ensureOwnDatabase(server.url, 'aaaa1111');
  expect(new URL(own).pathname).toBe('/switchboard_aaaa1111');
  expect(await ensureOwnDatabase(server.url, 'aaaa1111')).toBe(own);
  await dropOwnDatabase(own, 'aaaa1111');
  await dropOwnDatabase(own.replace('_aaaa1111', ''), 'aaaa1111');
  const { rows } = await withClient(server.url, (client) =>
    client.query("SELECT datname FROM pg_database WHERE datname LIKE 'switchboard%'"),
  );
  expect(rows).toEqual([{ datname: 'switchboard' }]);
});

test('rejects a login that may not create databases and roles', async () => {
  await withClient(server.url, (client) => client.query("CREATE ROLE poor LOGIN PASSWORD 'poor'"));
  const url = new URL(server.url);
  url.username = url.password = 'poor';
  expect(await tryPostgres(url.href)).toEqual({ ok: false, why: expect.stringContaining('CREATEDB') });
});
