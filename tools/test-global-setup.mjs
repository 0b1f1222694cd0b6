// @ts-check
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { ensureInfra } from './infra/index.mjs';

/**
 * Gives integration tests a PostgreSQL admin login and a broker, unless the caller set them, and a folder for the broker namespaces that they
 * hand on to each other. Each project of a run calls it, the first one does it. The servers keep running for the next run; `npm stop` ends them.
 */
export async function setup() {
  process.env['TEST_NAMESPACES'] ??= mkdtempSync(join(tmpdir(), 'switchboard-namespaces-'));
  if (process.env['TEST_DATABASE_URL'] && process.env['TEST_RABBITMQ_URL']) return;
  const infra = await ensureInfra({ log: (text) => process.stderr.write(`${text}\n`) });
  process.env['TEST_DATABASE_URL'] ??= infra.databaseUrl;
  process.env['TEST_RABBITMQ_URL'] ??= infra.rabbitmqUrl;
}

/** Removes from the broker what test files handed on to each other, when none is left to take it. */
export async function teardown() {
  const folder = process.env['TEST_NAMESPACES'] ?? '';
  const url = process.env['TEST_RABBITMQ_URL'] ?? '';
  if (!existsSync(folder)) return;
  const free = readdirSync(folder).filter((name) => !name.startsWith('taken-')).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
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
