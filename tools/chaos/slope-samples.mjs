// @ts-check
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { withClient } from '../infra/postgres-login.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { eventually } from '../lib/wait.mjs';
import { contractsOnce } from './contracts.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./slope-estimate.mjs').Sample} Sample */
/** @typedef {{ data: number, code: number, external: number, rss: number, handles: number }} Memory */

const OUTBOXES = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'];

/**
 * Lists the existing queues of all contracts, with their dead-letter queues.
 * @returns {Promise<string[]>}
 */
export async function listQueues(/** @type {Installation} */ installation) {
  const { queues, deadLetters } = await namesOfQueues();
  return thoseThere(installation, [...queues, ...deadLetters]);
}

/** Lists the existing dead-letter queues. @returns {Promise<string[]>} */
export async function listDeadLetterQueues(/** @type {Installation} */ installation) {
  return thoseThere(installation, (await namesOfQueues()).deadLetters);
}

async function namesOfQueues() {
  const { SERVICES, contractsHandledBy, deadLetterQueueOf, queueOf } = await contractsOnce();
  const queues = SERVICES.flatMap((service) =>
    contractsHandledBy(service).map((contract) => queueOf(contract, service)),
  );
  return { queues, deadLetters: queues.map(deadLetterQueueOf) };
}

async function thoseThere(/** @type {Installation} */ { broker }, /** @type {string[]} */ names) {
  const model = await connect(broker.url);
  const found = [];
  for (const name of new Set(names)) if (await exists(model, name)) found.push(name);
  await model.close();
  return found;
}

/** Uses a separate channel, because checking a missing queue closes it. */
async function exists(/** @type {import('amqplib').ChannelModel} */ model, /** @type {string} */ queue) {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // The check below also rejects.
  return channel.checkQueue(queue).then(
    () => channel.close().then(() => true),
    () => false,
  );
}

/**
 * Samples everything that could grow under load.
 * @param {Installation} installation
 * @param {string[]} queues
 * @returns {Promise<Record<string, number>>} values by series
 */
export async function takeSample(installation, queues) {
  const services = installation.programs.filter((program) => program !== 'simulator');
  const memory = await Promise.all(
    services.map(async (service) => seriesOf(service, await memoryOf(installation, service))),
  );
  return Object.assign({}, ...memory, {
    'messages in queues': await countMessages(installation, queues),
    ...(await countInDatabase(installation)),
  });
}

function seriesOf(
  /** @type {string} */ service,
  /** @type {Memory & { files: number }} */ { data, code, external, rss, handles, files },
) {
  return {
    [`${service} heap`]: data,
    [`${service} code`]: code,
    [`${service} external`]: external,
    [`${service} rss`]: rss,
    [`${service} handles`]: handles,
    [`${service} files`]: files,
  };
}

/** @returns {Promise<Memory & { files: number }>} usage after a garbage collection */
async function memoryOf(/** @type {Installation} */ { pids, probeFolder }, /** @type {string} */ service) {
  const pid = pids()[service] ?? 0;
  const file = join(probeFolder, `${pid}.json`);
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const text = await eventually(`${service} to show its memory`, () => unlessGone(() => readFileSync(file, 'utf8')), {
    timeoutMs: 30_000,
  });
  return { .../** @type {Memory} */ (JSON.parse(text)), files: readdirSync(`/proc/${pid}/fd`).length };
}

/** Counts the ready messages in queues, excluding unacknowledged ones. @returns {Promise<number>} */
export async function countMessages(/** @type {Installation} */ { broker }, /** @type {string[]} */ queues) {
  const model = await connect(broker.url);
  const channel = await model.createChannel();
  let count = 0;
  for (const queue of queues) count += (await channel.checkQueue(queue)).messageCount;
  await model.close();
  return count;
}

async function countInDatabase(/** @type {Installation} */ { databaseUrl }) {
  return withClient(databaseUrl, async (client) => {
    const sessions = await client.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    const { rows } = await client.query(
      "SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'outbox' AND schemaname = ANY($1)",
      [OUTBOXES],
    );
    const sums = rows.map(({ schema }) => `(SELECT count(*) FROM ${schema}.outbox)`).join(' + ');
    const outboxes = await client.query(`SELECT (${sums})::int AS count`);
    return { 'database sessions': sessions.rows[0].count, 'rows in outboxes': outboxes.rows[0].count };
  });
}
