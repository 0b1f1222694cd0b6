// @ts-check
import { createServer } from 'node:http';
import { withClient } from '../infra/postgres-login.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { gapsBetween, judgeGaps } from './compare-schedule.mjs';
import { startInstallation } from './installation.mjs';
import { addEndpoints, storeEvents } from './webhooks-events.mjs';

/** @typedef {import('./compare-schedule.mjs').Attempt} Attempt */

const ENVIRONMENT = { WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'info' };
/** All four delays with what each may be late, and some more. */
const WHOLE_MS = 45 * 60_000;

/**
 * The retry schedule in real time, all five attempts (promise 6): about 36 minutes in which next to nothing happens. Every attempt is
 * refused; the receiver's own clock decides whether each came in its time.
 * @param {{ events?: number }} options
 * @returns {Promise<boolean>} whether it was kept
 */
export async function runSchedule({ events = 100 }) {
  const installation = await startInstallation({ name: 'schedule', programs: ['webhooks'], environment: ENVIRONMENT });
  const receiver = await startRefusing();
  try {
    await storeEvents(installation, await addEndpoints(installation, receiver.url), events);
    await step(`five attempts each at ${events} events, in real time`, () =>
      eventually('every delivery to be dropped', async () => (await countDropped(installation.databaseUrl)) === events, { timeoutMs: WHOLE_MS, everyMs: 1_000 }),
    );
    return report(receiver.attempts, events);
  } finally {
    receiver.close();
    await step('stop', () => installation.stop());
  }
}

/** A customer's server that refuses everything and notes when each request came and when it was answered. */
async function startRefusing() {
  /** @type {Attempt[]} */
  const attempts = [];
  const server = createServer((request, response) => {
    const cameAt = performance.now();
    request.resume().on('end', () => {
      const [eventId, attempt] = [String(request.headers['x-service-event-id']), Number(request.headers['x-service-attempt'])];
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

async function countDropped(/** @type {string} */ databaseUrl) {
  const sql = `SELECT count(*)::int AS count FROM webhooks.deliveries WHERE state = 'dropped' AND attempts_made = 5`;
  const { rows } = await withClient(databaseUrl, (client) => client.query(sql));
  return rows[0].count;
}

/** @returns {boolean} whether all attempts there should be came, and each in its time */
function report(/** @type {Attempt[]} */ attempts, /** @type {number} */ events) {
  const steps = judgeGaps(gapsBetween(attempts));
  for (const { delaySeconds, count, early, late, latestSeconds, earliestSeconds } of steps) {
    const span = `${earliestSeconds.toFixed(3)} to ${latestSeconds.toFixed(3)} s after the answer`;
    process.stdout.write(`${String(delaySeconds).padStart(5)} s: ${count} retries, ${span}; early ${early}, late ${late}\n`);
  }
  const kept = attempts.length === 5 * events && steps.every(({ count, early, late }) => count === events && early === 0 && late === 0);
  process.stdout.write(`${attempts.length} requests for ${events} events\n${kept ? 'kept: five attempts each, in their time, then dropped' : 'NOT kept'}\n`);
  return kept;
}
