// @ts-check
import { createHash } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { withClient } from '../infra/postgres-login.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { say, step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { dividedAt, isUnheldStatus, sentAgain, stillThere, withoutUnheld } from './compare-restore.mjs';
import { contractsOnce } from './contracts.mjs';
import { control } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { compareLoad, isGood, startMixedLoad } from './mixed-load.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */
/** @typedef {import('./compare-restore.mjs').Known} Known */

/**
 * @typedef {object} Backup a method of database backup and restore
 * @property {string} name account name for the load
 * @property {string} loss heading of the results
 * @property {string} promise
 * @property {boolean} isExact true when the restored database must hold nothing accepted after the recovery point
 * @property {() => Promise<void>} [prepare] runs under load, between the two halves of the responses
 * @property {() => Promise<number>} backUp runs under load; returns the recovery point in milliseconds
 * @property {() => Promise<void>} [beforeLoss] runs when all services are stopped
 * @property {(moment: number) => Promise<void>} restore replaces the database server's data
 * @property {() => Promise<{ figures: Record<string, string | number>, unexpected: string[] }>} [check] runs when the
 * services work again
 */

const WORK_TIMEOUT_MS = 120_000;
/**
 * Time without open work after which all repeated sends have been made. Longer than the reconciliation waits for a
 * callback.
 */
const STILL_MS = 8_000;
/** Order in which consumers stop, so that messages for them remain in the broker. */
const CONSUMERS = ['webhooks', 'jobs', 'messaging'];
/** Minimum number of messages in the broker when it is lost. A run with fewer proves nothing. */
export const LEAST_HELD = 20;

/**
 * Loses the database and the broker under load, restores the backup, and compares accepted work with the restored
 * state.
 */
export async function loseEverything(
  /** @type {Installation} */ installation,
  /** @type {number} */ answers,
  /** @type {Backup} */ backup,
) {
  const load = await step('account, windows, endpoint', () => startMixedLoad(installation, backup.name));
  const blobs = join(installation.probeFolder, backup.name);
  makeFolder(blobs);
  try {
    const file = await step('a file from a customer', () => receiveFile(installation, load));
    if (backup.prepare) {
      await step(`${answers} answers`, () => untilAnswered(load, answers));
      await backup.prepare();
    }
    await step(`${answers} answers`, () => untilAnswered(load, answers));
    await installation.halt(['webhooks']);
    await untilAnswered(load, 20);
    const moment = await backup.backUp();
    // Copy files after the database, so that the copy includes every file that the backup references.
    cpSync(installation.blobFolder, blobs, { recursive: true });
    await step('20 answers after it', () => untilAnswered(load, 20));
    const held = await step('everything ends while the broker holds messages', () => endAll(installation, load));
    await backup.beforeLoss?.();
    rmSync(installation.blobFolder, { recursive: true });
    await backup.restore(moment);
    await installation.onEachSchema('migrate');
    cpSync(blobs, installation.blobFolder, { recursive: true });
    const open = await readOpen(installation, load);
    const { before, underWay, after } = dividedAt(load.answers, moment);
    const known = await readKnown(installation, load);
    await step('an empty broker, and a start', async () => {
      await installation.emptyBroker();
      await startAgain(installation);
    });
    const isSettled = staysSo(() => nothingOpen(installation, load), STILL_MS);
    const compared = await step('everything settled', () =>
      compareLoad(installation, { ...load, answers: before }, { isSettled, mayMiss: isUnheldStatus }),
    );
    const { allowed, doubled } = sentAgain(compared.doubled, open);
    const isReadable = await readsFile(installation, load, file);
    const checked = await backup.check?.();
    const { accepted, again } = compared;
    const { lost, unexpected } = withoutUnheld(compared, before);
    const fromLater = backup.isExact ? stillThere(after, known) : [];
    unexpected.push(...(checked?.unexpected ?? []));
    say(`\n${backup.loss}`);
    figures({
      'accepted before it': accepted,
      'under way': underWay.length,
      'accepted after it': after.filter(isGood).length,
      'held by the broker': held,
      lost: lost.length,
      doubled: doubled.length,
      unexpected: unexpected.length,
      ...(backup.isExact && { 'there from after it': fromLater.length }),
      'sent again, open': allowed.length,
      'webhooks again': again,
      'file readable': String(isReadable),
      ...checked?.figures,
    });
    problems({ lost, doubled, unexpected, 'there from after it': fromLater });
    const faults = lost.length + doubled.length + unexpected.length + fromLater.length;
    const isProof = held >= LEAST_HELD && accepted > 0 && after.some(isGood);
    return verdict(isReadable && isProof && faults === 0, backup.promise);
  } finally {
    await load.stop();
    load.close();
  }
}

/** Waits for `count` more successful responses. */
export async function untilAnswered(/** @type {MixedLoad} */ { answers }, /** @type {number} */ count) {
  const enough = answers.filter(isGood).length + count;
  await eventually(`${count} good answers`, () => answers.filter(isGood).length >= enough, {
    timeoutMs: WORK_TIMEOUT_MS,
    everyMs: 20,
  });
}

/**
 * Kills all services, consumers first, so that messages remain in the broker.
 * @returns {Promise<number>} number of messages in the broker at the end
 */
export async function endAll(/** @type {Installation} */ installation, /** @type {MixedLoad} */ load) {
  await installation.halt(['webhooks']);
  await untilAnswered(load, 20);
  await installation.halt(['jobs']);
  await untilAnswered(load, 10);
  await installation.halt(['messaging']);
  // Callbacks of the latest sends arrive during this wait.
  await eventually('the broker to hold messages', async () => (await heldBy(installation)) >= LEAST_HELD, {
    timeoutMs: 20_000,
  });
  await load.stop();
  const held = await heldBy(installation);
  await installation.halt(SERVICES.filter((service) => !CONSUMERS.includes(service)));
  return held;
}

/** Counts the tasks and events in the queues. */
async function heldBy(/** @type {Installation} */ { broker }) {
  const { EVENTS, TASKS, queueOf } = await contractsOnce();
  const queues = [
    ...EVENTS.flatMap((event) => event.consumers.map((consumer) => queueOf(event, consumer))),
    ...TASKS.map((task) => queueOf(task, task.owner)),
  ];
  const connection = await connect(broker.url);
  try {
    const channel = await connection.createChannel();
    const states = await Promise.all(queues.map((queue) => channel.checkQueue(queue)));
    return states.reduce((sum, { messageCount }) => sum + messageCount, 0);
  } finally {
    await connection.close();
  }
}

/** Republishes the messages lost with the broker, then starts the services. */
export async function startAgain(/** @type {Installation} */ installation) {
  await installation.onEachSchema('migrate', '--republish');
  installation.launch(SERVICES);
  await untilReady(installation, [...SERVICES]);
}

/**
 * Reads unsent work and work with an unknown outcome from the restored database. Only this work may be sent again.
 * @returns {Promise<Known>}
 */
async function readOpen(
  /** @type {Installation} */ { databaseUrl },
  /** @type {MixedLoad} */ { customer: { accountId } },
) {
  return withClient(databaseUrl, async (client) => {
    const read = async (/** @type {string} */ sql) => (await client.query(sql, [accountId])).rows.map(({ id }) => id);
    return {
      messages: await read(
        "SELECT id FROM messaging.messages WHERE account_id = $1 AND state IN ('sending', 'unknown')",
      ),
      phones: await read(
        `SELECT phone AS id FROM jobs.recipients WHERE account_id = $1 AND status IN ('pending', 'released', 'unknown')
         UNION SELECT phone FROM otp.sends WHERE account_id = $1 AND state = 'open'`,
      ),
    };
  });
}

/**
 * Reads the messages, codes and job recipients in the database.
 * @returns {Promise<Known>}
 */
async function readKnown(
  /** @type {Installation} */ { databaseUrl },
  /** @type {MixedLoad} */ { customer: { accountId } },
) {
  return withClient(databaseUrl, async (client) => {
    const read = async (/** @type {string} */ sql) => (await client.query(sql, [accountId])).rows.map(({ id }) => id);
    return {
      messages: await read("SELECT id FROM messaging.messages WHERE account_id = $1 AND direction = 'outbound'"),
      phones: await read(
        `SELECT phone AS id FROM jobs.recipients WHERE account_id = $1
         UNION SELECT phone FROM otp.sends WHERE account_id = $1`,
      ),
    };
  });
}

/**
 * Returns true when no work is in flight. A message may keep its status from the backup, because later statuses were
 * sent to the lost installation.
 */
async function nothingOpen(/** @type {Installation} */ installation, /** @type {MixedLoad} */ load) {
  const { messages, phones } = await readOpen(installation, load);
  const { rows } = await withClient(installation.databaseUrl, (client) =>
    client.query('SELECT count(*)::int AS count FROM webhooks.pending_deliveries WHERE account_id = $1', [
      load.customer.accountId,
    ]),
  );
  return messages.length + phones.length + rows[0].count + (await heldBy(installation)) === 0;
}

/**
 * Returns true once a condition has held for `ms` in every poll.
 * @param {() => Promise<boolean>} holds
 * @param {number} ms
 */
function staysSo(holds, ms) {
  let since = Infinity;
  return async () => {
    const now = Date.now();
    since = (await holds()) ? Math.min(since, now) : Infinity;
    return now - since >= ms;
  };
}

/** Receives an image from a contact, which the service stores as a file. */
async function receiveFile(/** @type {Installation} */ installation, /** @type {MixedLoad} */ { customer }) {
  const from = '919899999999';
  await control(installation, 'inbound', { from, to: customer.phoneNumber, type: 'image', image: {} });
  /** @type {string | undefined} */
  let id;
  const isThere = async () => {
    const { messages = [] } = await customer.call('GET', '/messages?direction=inbound&limit=100');
    id = messages.find((/** @type {{ image?: { id: string } }} */ { image }) => image !== undefined)?.image.id;
    return id !== undefined && (await readFile(installation, customer, id)) !== undefined;
  };
  await eventually('the file to be stored', isThere, { timeoutMs: 30_000 });
  return { id: String(id), sha256: await readFile(installation, customer, String(id)) };
}

/** @returns {Promise<boolean>} true when the file is unchanged */
async function readsFile(
  /** @type {Installation} */ installation,
  /** @type {MixedLoad} */ { customer },
  /** @type {{ id: string, sha256: string | undefined }} */ { id, sha256 },
) {
  const isThere = existsSync(installation.blobFolder) && sha256 !== undefined;
  return isThere && (await readFile(installation, customer, id)) === sha256;
}

/** @returns {Promise<string | undefined>} digest of a file; undefined when it cannot be read */
async function readFile(
  /** @type {Installation} */ { baseUrl },
  /** @type {import('./customers.mjs').Customer} */ { apiKey },
  /** @type {string} */ id,
) {
  const answer = await fetch(`${baseUrl}/media/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (!answer.ok) return undefined;
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}
