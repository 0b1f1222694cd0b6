// @ts-check
import { createHash } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { withClient } from '../infra/postgres-login.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { say, step } from '../lib/progress.mjs';
import { mustRun, run } from '../lib/run.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { faultCommand } from './command.mjs';
import { beforeDump, sentAgain, withoutUnheld } from './compare-restore.mjs';
import { contractsOnce } from './contracts.mjs';
import { control } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { compareLoad, isGood, startMixedLoad } from './mixed-load.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */
/** @typedef {import('./compare-restore.mjs').Open} Open */

const WORK_TIMEOUT_MS = 120_000;
const DUMP_TIMEOUT_MS = 300_000;
/** Longer than a settlement waits for a callback, so that what is still to be sent again has been. */
const STILL_MS = 8_000;
/** Both in the order in which they stop taking messages: what is sent to them stays in the broker. */
const CONSUMERS = ['webhooks', 'jobs', 'messaging'];
/** So many messages must be in the broker when it is lost: a run with fewer has proved nothing. */
const LEAST_HELD = 20;

/**
 * Proves promise 36 of ADR 41, as docs/operations/backup-restore.md goes about it. First the broker alone is lost:
 * nothing that was accepted may be missing. Then everything is lost but a dump: nothing that was accepted before it may
 * be missing, and what was accepted after it is named. Options: how many answers the load gets before each loss.
 */
export const restore = faultCommand({
  about:
    'loses the broker, and then everything but a dump, with messages, jobs, codes and webhooks under way; compares what was accepted with what is there after the restore',
  takes: { long: '5 minutes', short: '2 minutes' },
  long: { answers: 600 },
  short: { answers: 150 },
  postgresPrograms: ['pg_dump', 'pg_dumpall', 'pg_restore', 'psql'],
  async run(installation, { answers }) {
    const isKeptWithoutBroker = await loseBroker(installation, answers);
    return (await loseEverything(installation, answers)) && isKeptWithoutBroker;
  },
});

/** The database stays, the broker comes back empty. */
async function loseBroker(/** @type {Installation} */ installation, /** @type {number} */ answers) {
  const load = await step('account, windows, endpoint', () => startMixedLoad(installation, 'restore-broker'));
  try {
    await step(`${answers} answers`, () => untilAnswered(load, answers));
    const held = await step('everything ends while the broker holds messages', () => endAll(installation, load));
    await step('an empty broker, and a start', async () => {
      await installation.emptyBroker();
      await startAgain(installation);
    });
    const compared = await step('everything settled', () => compareLoad(installation, load));
    const { accepted, lost, doubled, unexpected, again } = compared;
    say('\nthe broker was lost');
    figures({
      ...{ accepted, 'held by the broker': held, lost: lost.length, doubled: doubled.length },
      ...{ unexpected: unexpected.length, 'webhooks again': again },
    });
    problems({ lost, doubled, unexpected });
    return verdict(
      held >= LEAST_HELD && accepted > 0 && lost.length + doubled.length + unexpected.length === 0,
      'with its database an installation loses nothing that it accepted, whatever the broker held',
    );
  } finally {
    await load.stop();
    load.close();
  }
}

/** Only a dump, the files and the encryption key are left. */
async function loseEverything(/** @type {Installation} */ installation, /** @type {number} */ answers) {
  const load = await step('account, windows, endpoint', () => startMixedLoad(installation, 'restore-dump'));
  const backup = join(installation.probeFolder, 'backup');
  makeFolder(backup);
  try {
    const file = await step('a file from a customer', () => receiveFile(installation, load));
    await step(`${answers} answers`, () => untilAnswered(load, answers));
    await installation.halt(['webhooks']);
    await untilAnswered(load, 20);
    const dumpedAt = Date.now();
    await step('dump, while it runs', () => dump(installation, backup));
    await step('20 answers after it', () => untilAnswered(load, 20));
    const held = await step('everything ends while the broker holds messages', () => endAll(installation, load));
    rmSync(installation.blobFolder, { recursive: true });
    await step('a new server with the dump, and the files', () => restoreDump(installation, backup));
    const open = await readOpen(installation, load);
    await step('an empty broker, and a start', async () => {
      await installation.emptyBroker();
      await startAgain(installation);
    });
    const { kept, after } = beforeDump(load.answers, dumpedAt);
    const isSettled = staysSo(() => nothingOpen(installation, load), STILL_MS);
    const compared = await step('everything settled', () =>
      compareLoad(installation, { ...load, answers: kept }, { isSettled }),
    );
    const { allowed, doubled } = sentAgain(compared.doubled, open);
    const isReadable = await readsFile(installation, load, file);
    const { accepted, again } = compared;
    const { lost, unexpected } = withoutUnheld(compared, kept);
    say('\nall but a dump was lost');
    figures({
      ...{ 'accepted before it': accepted, 'accepted after it': after.filter(isGood).length },
      ...{ 'held by the broker': held, lost: lost.length, doubled: doubled.length, unexpected: unexpected.length },
      ...{
        'sent again, open in the dump': allowed.length,
        'webhooks again': again,
        'file readable': String(isReadable),
      },
    });
    problems({ lost, doubled, unexpected });
    return verdict(
      isReadable && held >= LEAST_HELD && accepted > 0 && lost.length + doubled.length + unexpected.length === 0,
      'a dump, the files and the key bring back all that was accepted before the dump',
    );
  } finally {
    await load.stop();
    load.close();
  }
}

async function untilAnswered(/** @type {MixedLoad} */ { answers }, /** @type {number} */ count) {
  const enough = answers.filter(isGood).length + count;
  await eventually(`${count} good answers`, () => answers.filter(isGood).length >= enough, {
    timeoutMs: WORK_TIMEOUT_MS,
    everyMs: 20,
  });
}

/**
 * Kills everything, those first who take messages, so that the broker holds some.
 * @returns {Promise<number>} how many messages it held at the end
 */
async function endAll(/** @type {Installation} */ installation, /** @type {MixedLoad} */ load) {
  await installation.halt(['webhooks']);
  await untilAnswered(load, 20);
  await installation.halt(['jobs']);
  await untilAnswered(load, 10);
  await installation.halt(['messaging']);
  // Callbacks of what was sent last go on until here.
  await eventually('the broker to hold messages', async () => (await heldBy(installation)) >= LEAST_HELD, {
    timeoutMs: 20_000,
  });
  await load.stop();
  const held = await heldBy(installation);
  await installation.halt(SERVICES.filter((service) => !CONSUMERS.includes(service)));
  return held;
}

/** How many tasks and events wait in the broker's queues. */
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

/** What the broker held is published again, before any service runs. */
async function startAgain(/** @type {Installation} */ installation) {
  await installation.onEachSchema('migrate', '--republish');
  installation.launch(SERVICES);
  await untilReady(installation, [...SERVICES]);
}

/** Roles, database and files, in this order: a file that the dump names is older than its copy. */
async function dump(/** @type {Installation} */ { database, databaseUrl, blobFolder }, /** @type {string} */ folder) {
  const call = (/** @type {string} */ program, /** @type {string[]} */ ...args) =>
    mustRun(join(database.programs, program), args, { cwd: folder, timeoutMs: DUMP_TIMEOUT_MS });
  await call('pg_dumpall', '--roles-only', '--no-role-passwords', '--file=roles.sql', `--dbname=${database.url}`);
  await call('pg_dump', '--format=custom', '--file=switchboard.dump', `--dbname=${databaseUrl}`);
  cpSync(blobFolder, join(folder, 'blobs'), { recursive: true });
}

async function restoreDump(
  /** @type {Installation} */ { database, blobFolder, onEachSchema },
  /** @type {string} */ folder,
) {
  await database.startEmpty();
  const call = (/** @type {string} */ program) => join(database.programs, program);
  const options = { cwd: folder, timeoutMs: DUMP_TIMEOUT_MS };
  // The role that made the server is there already: psql says so and goes on.
  await run(call('psql'), ['--quiet', '--file=roles.sql', database.url], options);
  const args = ['--create', '--exit-on-error', `--dbname=${database.url}`, 'switchboard.dump'];
  await mustRun(call('pg_restore'), args, options);
  await onEachSchema('migrate');
  cpSync(join(folder, 'blobs'), blobFolder, { recursive: true });
}

/**
 * What the dump holds as not sent, or without a known outcome: only that may be sent again.
 * @returns {Promise<Open>}
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
 * Whether nothing is under way any more. A message may stay as far as the dump knows it: its later statuses came to the
 * lost installation.
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
 * Whether something has held for a while, look after look.
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

/** A picture from a customer, which the service keeps in a file. */
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

/** @returns {Promise<boolean>} whether the file is what it was */
async function readsFile(
  /** @type {Installation} */ installation,
  /** @type {MixedLoad} */ { customer },
  /** @type {{ id: string, sha256: string | undefined }} */ { id, sha256 },
) {
  const isThere = existsSync(installation.blobFolder) && sha256 !== undefined;
  return isThere && (await readFile(installation, customer, id)) === sha256;
}

/** @returns {Promise<string | undefined>} what the content of a file amounts to; nothing when it cannot be read */
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
