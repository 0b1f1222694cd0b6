// @ts-check
import { createServer } from 'node:http';
import { withClient } from '../infra/postgres-login.mjs';
import { say, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { gapsBetween, judgeGaps } from './compare-schedule.mjs';
import { verdict } from './report.mjs';
import { addEndpoints, storeEvents } from './webhooks-events.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./compare-schedule.mjs').Attempt} Attempt */

const RETRIES = 4;
/** Time for all four delays with their allowed lateness and a margin. */
const WHOLE_MS = 45 * 60_000;

/**
 * Proves guarantee 6 of ADR 41. The receiver rejects every attempt, and its own clock determines whether each attempt
 * was on time. The long form takes 36 minutes, mostly waiting. The short form tests the first retry in real time; the
 * service's retry-schedule test covers all four delays.
 */
export const schedule = chaosTest({
  about: "rejects every attempt of a webhook; compares the receiver's clock with the published schedule, in real time",
  takes: { long: '36 minutes', short: '7 s' },
  long: { events: 100, retries: RETRIES },
  short: { retries: 1 },
  async run(installation, { events, retries }) {
    const receiver = await startRefusing();
    try {
      const accounts = await addEndpoints(installation, receiver.url);
      await storeEvents(installation, accounts, events);
      await step(`${retries} retries of ${events} events, in real time`, () =>
        eventually('every attempt', async () => (await countDone(installation, { accounts, retries })) === events, {
          timeoutMs: WHOLE_MS,
          everyMs: 500,
        }),
      );
      await dropPending(installation, accounts);
      return report(receiver.attempts, { events, retries });
    } finally {
      receiver.close();
    }
  },
});

/** Starts a customer's server that rejects every request and records the times of the request and the response. */
async function startRefusing() {
  /** @type {Attempt[]} */
  const attempts = [];
  const server = createServer((request, response) => {
    const cameAt = performance.now();
    request.resume().on('end', () => {
      const [eventId, attempt] = [
        String(request.headers['x-service-event-id']),
        Number(request.headers['x-service-attempt']),
      ];
      response.writeHead(503).end(() => attempts.push({ eventId, attempt, cameAt, answeredAt: performance.now() }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, attempts, close };
}

/**
 * Counts the deliveries that had all the expected attempts, whether waiting for the next or dropped after the last.
 * @param {Installation} installation
 * @param {{ accounts: string[], retries: number }} options
 */
async function countDone({ databaseUrl }, { accounts, retries }) {
  const sql = `SELECT
      (SELECT count(*) FROM webhooks.deliveries WHERE account_id = ANY($1) AND attempts_made = $2
        AND state = 'dropped')::int
      + (SELECT count(*) FROM webhooks.pending_deliveries WHERE account_id = ANY($1) AND attempts_made = $2
        AND next_attempt_at > now())::int
      AS count`;
  const { rows } = await withClient(databaseUrl, (client) => client.query(sql, [accounts, retries + 1]));
  return rows[0].count;
}

/** Drops deliveries that a short run leaves pending, which would otherwise be retried during later tests. */
async function dropPending(/** @type {Installation} */ { databaseUrl }, /** @type {string[]} */ accounts) {
  await withClient(databaseUrl, (client) =>
    client.query('DELETE FROM webhooks.pending_deliveries WHERE account_id = ANY($1)', [accounts]),
  );
}

/**
 * @param {Attempt[]} attempts
 * @param {{ events: number, retries: number }} options
 * @returns {boolean} true when all expected attempts came, each on time
 */
function report(attempts, { events, retries }) {
  const steps = judgeGaps(gapsBetween(attempts)).slice(0, retries);
  for (const { delaySeconds, count, early, late, latestSeconds, earliestSeconds } of steps) {
    const span = `${earliestSeconds.toFixed(3)} to ${latestSeconds.toFixed(3)} s after the answer`;
    say(`${String(delaySeconds).padStart(5)} s: ${count} retries, ${span}; early ${early}, late ${late}`);
  }
  say(`${attempts.length} requests for ${events} events`);
  const isKept =
    attempts.length === (1 + retries) * events &&
    steps.every(({ count, early, late }) => count === events && early === 0 && late === 0);
  return verdict(
    isKept,
    retries === RETRIES ? 'five attempts each, in their time, then dropped' : 'each retry in its time',
  );
}
