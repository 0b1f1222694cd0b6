// @ts-check
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';

/** Removes from the broker what test files handed on to each other, when none is left to take it. */
export default async function tearDown() {
  const folder = process.env['TEST_NAMESPACES'] ?? '';
  const url = process.env['TEST_RABBITMQ_URL'] ?? '';
  const free = readdirSync(folder).filter((name) => !name.startsWith('taken-'));
  if (free.length > 0) {
    const connection = await connect(url);
    const channel = await connection.createChannel();
    for (const name of free) {
      const { queues, exchanges } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      await Promise.all(queues.map((/** @type {string} */ queue) => channel.deleteQueue(queue)));
      await Promise.all(exchanges.map((/** @type {string} */ exchange) => channel.deleteExchange(exchange)));
    }
    await connection.close();
  }
  rmSync(folder, { recursive: true, force: true });
}
