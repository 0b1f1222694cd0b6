// @ts-check
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import pg from 'pg';
import { testsUrl } from './infra/broker-logins.mjs';
import { ensureInfra } from './infra/index.mjs';
import { tryRabbitmq } from './infra/rabbitmq-login.mjs';

/**
 * Prepares integration tests: a PostgreSQL admin login and a broker (unless the environment names them), a directory for broker namespaces
 * that test files reuse, and a prefix for database names. The servers keep running for the next run until `npm stop`.
 */
export async function setup() {
  process.env['TEST_DATABASES'] ??= `sb_test_${randomBytes(4).toString('hex')}_`;
  process.env['TEST_NAMESPACES'] ??= mkdtempSync(join(tmpdir(), 'switchboard-namespaces-'));
  if (!process.env['TEST_DATABASE_URL'] || !process.env['TEST_RABBITMQ_URL']) {
    const infra = await ensureInfra({ log: (text) => process.stderr.write(`${text}\n`) });
    process.env['TEST_DATABASE_URL'] ??= infra.databaseUrl;
    process.env['TEST_RABBITMQ_URL'] ??= infra.rabbitmqUrl;
  }
  const services = testsUrl(process.env['TEST_RABBITMQ_URL']);
  if ((await tryRabbitmq(services)).ok) process.env['TEST_RABBITMQ_SERVICES_URL'] ??= services;
}

/** Deletes the reusable databases and namespaces of the test files. */
export async function teardown() {
  await Promise.all([dropDatabases(), deleteNamespaces()]);
}

async function dropDatabases() {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] ?? '' });
  await client.connect();
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
    process.env['TEST_DATABASES'] ?? '-',
  ]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}

async function deleteNamespaces() {
  const folder = process.env['TEST_NAMESPACES'] ?? '';
  const url = process.env['TEST_RABBITMQ_URL'] ?? '';
  if (!existsSync(folder)) return;
  const free = readdirSync(folder)
    .filter((name) => !name.startsWith('taken-'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  rmSync(folder, { recursive: true });
  if (free.length === 0) return;
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const { queues, exchanges } of free) {
    await Promise.all(queues.map((/** @type {string} */ queue) => channel.deleteQueue(queue)));
    await Promise.all(exchanges.map((/** @type {string} */ exchange) => channel.deleteExchange(exchange)));
  }
  await connection.close();
}
