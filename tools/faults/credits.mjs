// @ts-check
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'amqplib';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { startInstallation } from './installation.mjs';
import { randomFrom } from './random.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {'spent' | 'unused' | 'abandoned' | 'refused'} End what became of one attempt */

const RESERVE = 'gateway.reserve-credit.v1';
const SETTLE = 'gateway.settle-credit.v1';
const REFUND = 'gateway.refund-credit.v1';
const TASKS_EXCHANGE = 'sb.tasks';
const CONCURRENCY = 50;
const ANSWER_MS = 1_500;
/** Of those who reserve, so many die before they know an outcome. */
const ABANDONED = 0.1;
const UNUSED = 0.2;
const ABANDONED_HOLD_SECONDS = 5;
const HOLD_SECONDS = 600;

/**
 * Reserves one credit after the other from a balance that is too small for all, spends most, gives some back, leaves some behind,
 * and kills the gateway all the while. Proves promise 26: the balance is what was there less what was spent, and never below zero.
 * @param {{ sends?: number, kills?: number, seed?: number }} options `sends`: how many attempts
 * @returns {Promise<boolean>} whether it was kept
 */
export async function runCreditFaults({ sends: attempts = 3_000, kills = 20, seed = Date.now() % 2 ** 31 }) {
  const installation = await startInstallation({ name: 'credits', programs: ['gateway'], environment: { LOG_LEVEL: 'info' } });
  const random = randomFrom(seed);
  try {
    const start = Math.floor(attempts / 2);
    const { accountId } = await installation.ops('accounts', 'create', '--name', 'Spender', '--plan', 'starter');
    await installation.ops('credits', 'top-up', '--account', accountId, '--amount', String(start));
    const asker = await openAsker(installation.broker.url);
    const watch = watchBalance(installation, accountId);
    const state = { done: 0 };
    const killing = killOften(installation, state, { attempts, kills });
    const ends = await step(`${attempts} attempts on ${start} credits, ${kills} kills`, () => spendAll(asker, { accountId, attempts, random, state }));
    await killing;
    await step('everything settled', () => waitUntilSettled(installation, accountId));
    await asker.close();
    return report({ start, ends, ...(await watch.stop()), ...(await readFacts(installation, accountId)) }, { kills, seed });
  } finally {
    await step('stop', () => installation.stop());
  }
}

/** A service that asks and orders as ours do, over AMQP. */
async function openAsker(/** @type {string} */ url) {
  const model = await connect(url, { noDelay: true });
  const channel = await model.createConfirmChannel();
  /** @type {Map<string, (reply: { type?: string, body: any }) => void>} */
  const waiting = new Map();
  await channel.consume('amq.rabbitmq.reply-to', (message) => {
    const { correlationId, type } = message?.properties ?? {};
    if (message) waiting.get(String(correlationId))?.({ type, body: JSON.parse(message.content.toString()) });
  }, { noAck: true });
  return {
    /** @returns {Promise<{ type?: string, body: any } | undefined>} undefined when no answer came in time */
    async ask(/** @type {object} */ request) {
      const id = randomUUID();
      const answered = new Promise((/** @type {(reply: { type?: string, body: any }) => void} */ resolve) => waiting.set(id, resolve));
      const headers = { 'x-deadline': Date.now() + ANSWER_MS };
      channel.sendToQueue(RESERVE, Buffer.from(JSON.stringify(request)), { correlationId: id, messageId: id, replyTo: 'amq.rabbitmq.reply-to', expiration: ANSWER_MS, headers });
      const reply = await Promise.race([answered, delay(ANSWER_MS, undefined)]);
      waiting.delete(id);
      return reply;
    },
    /** Returns when the broker has it. @returns {Promise<void>} */
    order(/** @type {string} */ task, /** @type {object} */ body) {
      const properties = { messageId: randomUUID(), type: task, persistent: true, contentType: 'application/json' };
      return new Promise((resolve, reject) => {
        channel.publish(TASKS_EXCHANGE, task, Buffer.from(JSON.stringify(body)), properties, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => model.close(),
  };
}

/** @typedef {Awaited<ReturnType<typeof openAsker>>} Asker */

/**
 * @param {Asker} asker
 * @param {{ accountId: string, attempts: number, random: () => number, state: { done: number } }} options
 * @returns {Promise<Record<End, number>>}
 */
async function spendAll(asker, { accountId, attempts, random, state }) {
  const ends = { spent: 0, unused: 0, abandoned: 0, refused: 0 };
  let next = 0;
  const spender = async () => {
    while (next < attempts) {
      next += 1;
      ends[await spendOne(asker, accountId, random)] += 1;
      state.done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, spender));
  return ends;
}

/** @returns {Promise<End>} */
async function spendOne(/** @type {Asker} */ asker, /** @type {string} */ accountId, /** @type {() => number} */ random) {
  const reservationId = `res_${randomUUID()}`;
  const fate = random();
  const holdSeconds = fate < ABANDONED ? ABANDONED_HOLD_SECONDS : HOLD_SECONDS;
  for (;;) {
    const reply = await asker.ask({ accountId, reservationId, category: 'utility', amount: 1, holdSeconds });
    if (reply?.type === 'error' && reply.body.code === 'INSUFFICIENT_CREDITS') return 'refused';
    // Our own lease ran out while the gateway was dead and we asked again.
    if (reply?.type === 'error' && reply.body.code === 'INVALID_VALUE' && fate < ABANDONED) return 'abandoned';
    if (reply && reply.type !== 'error') break;
  }
  if (fate < ABANDONED) return 'abandoned';
  const task = fate < ABANDONED + UNUSED ? REFUND : SETTLE;
  // A tenth of the orders comes twice, as at-least-once allows.
  for (let times = random() < 0.1 ? 2 : 1; times > 0; times -= 1) await asker.order(task, { accountId, reservationId });
  return task === REFUND ? 'unused' : 'spent';
}

/** Reads balance and ledger in one snapshot, again and again. */
function watchBalance(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const seen = { looks: 0, negative: 0, unequal: 0 };
  const stopping = new AbortController();
  const watching = withClient(installation.databaseUrl, async (client) => {
    while (!stopping.signal.aborted) {
      const { balance, sum } = await readBalance(client, accountId);
      seen.looks += 1;
      if (balance < 0) seen.negative += 1;
      if (balance !== sum) seen.unequal += 1;
      await delay(20);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await watching;
      return seen;
    },
  };
}

async function readBalance(/** @type {import('pg').Client} */ client, /** @type {string} */ accountId) {
  const sql = `SELECT coalesce((SELECT balance FROM gateway.credit_balances WHERE account_id = $1), 0)::int AS balance,
                      coalesce((SELECT sum(amount) FROM gateway.credit_ledger WHERE account_id = $1), 0)::int AS sum`;
  return /** @type {{ balance: number, sum: number }} */ ((await client.query(sql, [accountId])).rows[0]);
}

async function killOften(/** @type {Installation} */ installation, /** @type {{ done: number }} */ state, /** @type {{ attempts: number, kills: number }} */ { attempts, kills }) {
  for (let kill = 1; kill <= kills; kill += 1) {
    const point = (kill * attempts) / (kills + 1);
    await eventually('the attempts to go on', () => state.done >= point, { timeoutMs: 300_000, everyMs: 3 });
    await eventually('the gateway to be up', () => installation.isReady('gateway'), { timeoutMs: 60_000, everyMs: 20 });
    await installation.kill9('gateway');
  }
}

/** No reservation is held any more: all were spent, given back or released. */
async function waitUntilSettled(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const sql = "SELECT count(*)::int AS held FROM gateway.credit_reservations WHERE account_id = $1 AND state = 'held'";
  await withClient(installation.databaseUrl, (client) =>
    eventually('no reservation to be held', async () => (await client.query(sql, [accountId])).rows[0].held === 0, { timeoutMs: 60_000 }),
  );
}

async function readFacts(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  return withClient(installation.databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT state, count(*)::int AS count FROM gateway.credit_reservations WHERE account_id = $1 GROUP BY state', [accountId]);
    const states = /** @type {Record<string, number>} */ (Object.fromEntries(rows.map(({ state, count }) => [state, count])));
    return { ...(await readBalance(client, accountId)), states };
  });
}

/**
 * @param {{ start: number, ends: Record<End, number>, looks: number, negative: number, unequal: number, balance: number, sum: number, states: Record<string, number> }} facts
 * @param {{ kills: number, seed: number }} run
 */
function report({ start, ends, looks, negative, unequal, balance, sum, states }, { kills, seed }) {
  const { spent, unused, abandoned, refused } = ends;
  log(`credits: start ${start}; spent ${spent}, given back ${unused}, abandoned ${abandoned}, refused for want of credits ${refused}`);
  log(`balance ${balance}, expected ${start - spent}; ledger ${sum}; reservations settled ${states['settled'] ?? 0}, refunded ${states['refunded'] ?? 0}, expired ${states['expired'] ?? 0}`);
  log(`${looks} looks meanwhile: ${negative} below zero, ${unequal} other than the ledger; ${kills} kills, seed ${seed}`);
  const isKept = balance === start - spent && balance === sum && negative === 0 && unequal === 0 && (states['settled'] ?? 0) === spent && refused > 0;
  log(isKept ? 'credits: kept' : 'credits: BROKEN');
  return isKept;
}
