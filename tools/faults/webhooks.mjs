// @ts-check
import { createServer } from 'node:http';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { compareDeliveries } from './compare-deliveries.mjs';
import { startInstallation } from './installation.mjs';
import { randomFrom } from './random.mjs';
import { addEndpoints, ENDPOINTS, storeEvents } from './webhooks-events.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./compare-deliveries.mjs').Hit} Hit */

const PROGRAMS = ['webhooks'];
const ENVIRONMENT = { WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'info' };
/** Every answer takes so long, so that each kill meets requests under way. */
const ANSWER_MS = 20;
/** Of answers, that are failures: retries are part of the run. */
const FAILING_SHARE = 0.03;
const SETTLE_TIMEOUT_MS = 240_000;

/**
 * Kills the dispatcher again and again while events are delivered. Proves promise 9: every request that a receiver saw is on record,
 * and every event is delivered all the same.
 * @param {{ events?: number, kills?: number, seed?: number }} options
 * @returns {Promise<boolean>} whether it was kept
 */
export async function runWebhookFaults({ events = 5_000, kills = 50, seed = Date.now() % 2 ** 31 }) {
  const installation = await startInstallation({ name: 'webhooks', programs: PROGRAMS, environment: ENVIRONMENT });
  const receiver = await startReceiver(seed);
  try {
    const accounts = await step(`${ENDPOINTS} endpoints`, () => addEndpoints(installation, receiver.url));
    const killed = await step(`${events} events and ${kills} kills of webhooks while they are delivered`, () => killOften(installation, receiver, { accounts, events, kills, seed }));
    await step('everything settled', () => waitUntilSettled(installation));
    const facts = await readFacts(installation);
    return report(compareDeliveries({ hits: receiver.hits, ...facts }), { events, killed, kills, seed, logFolder: installation.logFolder });
  } finally {
    receiver.close();
    await step('stop', () => installation.stop());
  }
}

/** A customer's server that writes down every request it sees before it answers. */
async function startReceiver(/** @type {number} */ seed) {
  const random = randomFrom(seed);
  /** @type {Hit[]} */
  const hits = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      hits.push({ eventId: String(request.headers['x-service-event-id']), attempt: Number(request.headers['x-service-attempt']), path: request.url ?? '' });
      const status = random() < FAILING_SHARE ? 500 : 200;
      setTimeout(() => response.writeHead(status).end(), ANSWER_MS);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, hits, close };
}

/**
 * Each kill has events of its own, stored once the dispatcher is up again: however fast the machine, a kill meets requests under way.
 * @param {Installation} installation
 * @param {{ hits: Hit[] }} receiver
 * @param {{ accounts: string[], events: number, kills: number, seed: number }} options
 * @returns {Promise<number>} how often it was killed
 */
async function killOften(installation, receiver, { accounts, events, kills, seed }) {
  const random = randomFrom(seed + 1);
  let killed = 0;
  for (let stored = 0; killed < kills; killed += 1) {
    await eventually('webhooks to be up', () => installation.isReady('webhooks'), { timeoutMs: 60_000, everyMs: 20 });
    const share = Math.round((events * (killed + 1)) / kills) - stored;
    const before = receiver.hits.length;
    await storeEvents(installation, accounts, share);
    stored += share;
    const wanted = before + 0.7 * random() * share;
    await eventually('deliveries to go on', () => receiver.hits.length > wanted, { timeoutMs: 120_000, everyMs: 2 });
    await installation.kill9('webhooks');
  }
  return killed;
}

async function waitUntilSettled(/** @type {Installation} */ { databaseUrl }) {
  const waiting = async () => {
    const { rows } = await withClient(databaseUrl, async (client) => {
      // The long delays are the schedule's matter, not this run's.
      await client.query('UPDATE webhooks.pending_deliveries SET next_attempt_at = now() WHERE claimed_until IS NULL AND next_attempt_at > now()');
      return client.query('SELECT count(*)::int AS count FROM webhooks.pending_deliveries');
    });
    return rows[0].count === 0;
  };
  await eventually('every delivery to end', waiting, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 500 }).catch(() => log('not everything was settled in time'));
}

async function readFacts(/** @type {Installation} */ { databaseUrl }) {
  return withClient(databaseUrl, async (client) => {
    const attempts = await client.query(
      `SELECT log.event_id AS "eventId", a.attempt, a.finished_at IS NOT NULL AS "isFinished" FROM webhooks.attempts a JOIN webhooks.delivery_log log ON log.id = a.delivery_id
       UNION ALL SELECT event_id, attempts_made, false FROM webhooks.pending_deliveries WHERE claimed_until IS NOT NULL`,
    );
    const deliveries = await client.query('SELECT event_id AS "eventId", state FROM webhooks.delivery_log');
    return { attempts: attempts.rows, deliveries: deliveries.rows };
  });
}

/**
 * @param {ReturnType<typeof compareDeliveries>} result
 * @param {{ events: number, killed: number, kills: number, seed: number, logFolder: string }} run
 */
function report({ unrecorded, undelivered, ...counts }, { events, killed, kills, seed, logFolder }) {
  const figures = {
    ...{ events, hits: counts.hits, 'attempt rows': counts.attempts, 'cut by a kill': counts.unfinished },
    ...{ 'hits without a row': unrecorded.length, 'not delivered': undelivered.length, kills: killed, seed },
  };
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  for (const [name, list] of Object.entries({ unrecorded, undelivered })) for (const item of list.slice(0, 10)) process.stdout.write(`  ${name}: ${item}\n`);
  // A run in which no kill hit a request under way proves nothing.
  const proves = counts.unfinished > 0;
  if (!proves) process.stdout.write('no kill hit a request under way\n');
  const kept = proves && unrecorded.length === 0 && undelivered.length === 0 && counts.deliveries === events && killed === kills;
  process.stdout.write(kept ? 'kept: every request is on record, every event was delivered\n' : `NOT kept; logs are in ${logFolder}\n`);
  return kept;
}
