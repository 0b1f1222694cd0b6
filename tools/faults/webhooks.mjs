// @ts-check
import { createCipheriv, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withClient } from '../infra/postgres-login.mjs';
import { ROOT } from '../lib/home.mjs';
import { log, step } from '../lib/progress.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { eventually } from '../lib/wait.mjs';
import { compareDeliveries } from './compare-deliveries.mjs';
import { startInstallation } from './installation.mjs';
import { randomFrom } from './random.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./compare-deliveries.mjs').Hit} Hit */

const PROGRAMS = ['webhooks'];
const ENDPOINTS = 10;
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
    await step(`${events} events`, () => storeEvents(installation, accounts, events));
    const killed = await step(`${kills} kills of webhooks while they are delivered`, () => killOften(installation, receiver, { events, kills, seed }));
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

/** @returns {Promise<string[]>} the accounts, each with an endpoint of its own; made in the database: no other service takes part */
async function addEndpoints(/** @type {Installation} */ { databaseUrl }, /** @type {string} */ url) {
  const accounts = Array.from({ length: ENDPOINTS }, (_, number) => `acc_${number}`);
  const secret = sealed(`whsec_${randomBytes(32).toString('base64')}`, ensureSecrets().encryptionKey);
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO webhooks.endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
       SELECT 'ep_' || n, account, $2 || '/' || n, $3, $3, 'faults' FROM unnest($1::text[]) WITH ORDINALITY AS input (account, n)`,
      [accounts, url, secret],
    ),
  );
  return accounts;
}

/** As the services seal what they keep: AES-256-GCM, `v1.` and nonce, tag, text in base64url. */
function sealed(/** @type {string} */ plain, /** @type {string} */ key) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

/** What messaging would report, straight into the service's tables: this run is about what happens after. */
async function storeEvents(/** @type {Installation} */ { databaseUrl }, /** @type {string[]} */ accounts, /** @type {number} */ events) {
  const { typeid } = await import(pathToFileURL(join(ROOT, 'node_modules/typeid-js/dist/index.js')).href);
  await withClient(databaseUrl, async (client) => {
    for (let from = 0; from < events; from += 500) {
      const rows = Array.from({ length: Math.min(500, events - from) }, (_, n) => ({ event: String(typeid('evt')), delivery: String(typeid('dlv')), account: accounts[(from + n) % accounts.length] }));
      await client.query(
        `WITH input AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS input (event, delivery, account)),
         stored AS (
           INSERT INTO webhooks.events (id, account_id, kind, body, occurred_at)
           SELECT event, account, 'message_status', convert_to('{"event":"message_status","eventId":"' || event || '"}', 'UTF8'), now() FROM input
         )
         INSERT INTO webhooks.pending_deliveries (id, account_id, endpoint_id, event_id)
         SELECT delivery, account, ep.id, event FROM input JOIN webhooks.endpoints ep ON ep.account_id = account`,
        [rows.map(({ event }) => event), rows.map(({ delivery }) => delivery), rows.map(({ account }) => account)],
      );
    }
  });
}

/**
 * @param {Installation} installation
 * @param {{ hits: Hit[] }} receiver
 * @param {{ events: number, kills: number, seed: number }} options
 * @returns {Promise<number>} how often it was killed
 */
async function killOften(installation, receiver, { events, kills, seed }) {
  const random = randomFrom(seed + 1);
  let killed = 0;
  for (; killed < kills; killed += 1) {
    await eventually('webhooks to be up', () => installation.isReady('webhooks'), { timeoutMs: 60_000, everyMs: 20 });
    const before = receiver.hits.length;
    // Spread over the run; a kill with nothing under way would prove nothing.
    const wanted = Math.min(before + Math.ceil((0.3 + random()) * (events / (kills + 1))), events - (kills - killed));
    await eventually('deliveries to go on', () => receiver.hits.length >= Math.max(wanted, before + 1), { timeoutMs: 120_000, everyMs: 2 });
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
