// @ts-check
import { createServer } from 'node:http';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareDeliveries } from './compare-deliveries.mjs';
import { untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';
import { addEndpoints, storeEvents } from './webhooks-events.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./compare-deliveries.mjs').Hit} Hit */

/** Delay of each response, so that each kill hits requests in flight. */
const ANSWER_MS = 20;
/** Share of failing responses, so that a run includes retries. */
const FAILING_SHARE = 0.03;
const SETTLE_TIMEOUT_MS = 240_000;

/** Proves guarantee 9 of ADR 41: every request that a receiver got is recorded, and every event is delivered. */
export const webhooks = chaosTest({
  about:
    "kills the dispatcher while events are delivered; compares the receiver's requests, the recorded attempts and the events",
  takes: { long: '2 minutes', short: '15 s' },
  long: { events: 5_000, kills: 50 },
  short: { events: 500, kills: 5 },
  async run(installation, { events, kills, seed }) {
    const receiver = await startReceiver(seed);
    try {
      const accounts = await step('endpoints', () => addEndpoints(installation, receiver.url));
      const killed = await step(`${events} events and ${kills} kills of webhooks while they are delivered`, () =>
        killOften(installation, receiver, { accounts, events, kills, seed }),
      );
      await step('everything settled', () => waitUntilSettled(installation, accounts));
      return report(compareDeliveries({ hits: receiver.hits, ...(await readDeliveries(installation, accounts)) }), {
        events,
        killed,
        kills,
        seed,
      });
    } finally {
      receiver.close();
    }
  },
});

/** Starts a customer's server that records each request before it responds. */
async function startReceiver(/** @type {number} */ seed) {
  const random = randomFrom(seed);
  /** @type {Hit[]} */
  const hits = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      hits.push({
        eventId: String(request.headers['x-service-event-id']),
        attempt: Number(request.headers['x-service-attempt']),
        path: request.url ?? '',
      });
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
 * Stores separate events for each kill once the dispatcher is running, so that each kill hits requests in flight on any
 * machine.
 * @param {Installation} installation
 * @param {{ hits: Hit[] }} receiver
 * @param {{ accounts: string[], events: number, kills: number, seed: number }} options
 * @returns {Promise<number>} number of kills
 */
async function killOften(installation, receiver, { accounts, events, kills, seed }) {
  const random = randomFrom(seed + 1);
  let killed = 0;
  for (let stored = 0; killed < kills; killed += 1) {
    await untilReady(installation, ['webhooks']);
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

async function waitUntilSettled(/** @type {Installation} */ { databaseUrl }, /** @type {string[]} */ accounts) {
  const areEnded = async () => {
    const { rows } = await withClient(databaseUrl, async (client) => {
      // Skip the long delays, which the schedule test covers.
      const soon =
        'UPDATE webhooks.pending_deliveries SET next_attempt_at = now() WHERE account_id = ANY($1) AND claimed_until IS NULL AND next_attempt_at > now()';
      await client.query(soon, [accounts]);
      return client.query('SELECT count(*)::int AS count FROM webhooks.pending_deliveries WHERE account_id = ANY($1)', [
        accounts,
      ]);
    });
    return rows[0].count === 0;
  };
  await eventually('every delivery to end', areEnded, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 500 }).catch(() =>
    log('not everything was settled in time'),
  );
}

/** Reads the recorded attempts and delivery states for `compareDeliveries`. */
export async function readDeliveries(/** @type {Installation} */ { databaseUrl }, /** @type {string[]} */ accounts) {
  return withClient(databaseUrl, async (client) => {
    const attempts = await client.query(
      `SELECT log.event_id AS "eventId", a.attempt, a.finished_at IS NOT NULL AS "isFinished"
       FROM webhooks.attempts a JOIN webhooks.delivery_log log ON log.id = a.delivery_id WHERE log.account_id = ANY($1)
       UNION ALL SELECT event_id, attempts_made, false FROM webhooks.pending_deliveries
         WHERE claimed_until IS NOT NULL AND account_id = ANY($1)`,
      [accounts],
    );
    const deliveries = await client.query(
      'SELECT event_id AS "eventId", state FROM webhooks.delivery_log WHERE account_id = ANY($1)',
      [accounts],
    );
    return { attempts: attempts.rows, deliveries: deliveries.rows };
  });
}

/**
 * @param {ReturnType<typeof compareDeliveries>} result
 * @param {{ events: number, killed: number, kills: number, seed: number }} run
 */
function report({ unrecorded, undelivered, ...counts }, { events, killed, kills, seed }) {
  figures({
    events,
    hits: counts.hits,
    'attempt rows': counts.attempts,
    'cut by a kill': counts.unfinished,
    'hits without a row': unrecorded.length,
    'not delivered': undelivered.length,
    kills: killed,
    seed,
  });
  problems({ unrecorded, undelivered });
  // A run whose kills hit no request in flight proves nothing.
  const proves = counts.unfinished > 0;
  if (!proves) log('no kill hit a request under way');
  const isKept =
    proves && unrecorded.length === 0 && undelivered.length === 0 && counts.deliveries === events && killed === kills;
  return verdict(isKept, 'every request is on record, every event was delivered');
}
