// @ts-check
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'amqplib';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { readBalance, watchBalance } from './balance.mjs';
import { chaosTest } from './chaos-test.mjs';
import { newCustomer } from './customers.mjs';
import { killDuring, spreadKills } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {'spent' | 'unused' | 'abandoned' | 'refused'} End outcome of one attempt */

const RESERVE = 'gateway.reserve-credit.v1';
const SETTLE = 'gateway.settle-credit.v1';
const REFUND = 'gateway.refund-credit.v1';
/** Exchange of the RPC requests. The next one is that of their replies. */
const OWN_EXCHANGE = 'sb.otp';
const REPLIES_EXCHANGE = 'sb.replies';
/** Type of the interim reply with which a service reports that it has accepted the request. */
const TAKEN_NOTE = 'taken';
const CONCURRENCY = 50;
const ANSWER_MS = 1_500;
/** Share of the reservations whose holder dies before an outcome is known. */
const ABANDONED = 0.1;
const UNUSED = 0.2;
const ABANDONED_HOLD_SECONDS = 5;
const HOLD_SECONDS = 600;

/**
 * Reserves single credits from a balance that is too small for all, then settles most, refunds some and abandons a few.
 * Proves guarantee 26 of ADR 41: the balance is the initial one minus the settled credits, and never negative.
 */
export const credits = chaosTest({
  about:
    'kills the gateway while credits are reserved, settled and refunded from a balance that is too small; compares balance, ledger and outcomes',
  takes: { long: '1 minute', short: '15 s' },
  long: { attempts: 3_000, kills: 20 },
  short: { attempts: 500, kills: 3 },
  async run(installation, { attempts, kills, seed }) {
    const random = randomFrom(seed);
    const start = Math.floor(attempts / 2);
    const { accountId } = await newCustomer(installation, 'credits', { credits: start });
    const rpc = await openRpcClient(installation.broker.logins['otp'] ?? '');
    const plan = spreadKills('gateway', { count: kills, work: attempts, random });
    const { result, ...looks } = await watchBalance(installation, accountId, async () => {
      const spending = await step(`${attempts} attempts on ${start} credits, ${kills} kills`, () =>
        killDuring(installation, { plan }, (state) => spendAll(rpc, { accountId, attempts, random, state })),
      );
      await step('everything settled', () => waitUntilSettled(installation, accountId));
      return spending;
    }).finally(rpc.close);
    const { result: ends, killed } = result;
    const facts = {
      start,
      ends,
      ...looks,
      ...(await readBalance(installation, accountId)),
      states: await readStates(installation, accountId),
    };
    return report(facts, { isWhole: killed === kills, kills, seed });
  },
});

/** Opens a client that sends RPC requests and tasks over AMQP, as a service does. */
async function openRpcClient(/** @type {string} */ url) {
  const model = await connect(url, { noDelay: true });
  const channel = await model.createConfirmChannel();
  /** @type {Map<string, (reply: { type?: string, body: any }) => void>} */
  const waiting = new Map();
  const { queue: replyTo } = await channel.assertQueue(`sb.passing.otp.${randomUUID()}`, {
    exclusive: true,
    autoDelete: true,
    durable: false,
  });
  await channel.bindQueue(replyTo, REPLIES_EXCHANGE, replyTo);
  await channel.consume(
    replyTo,
    (message) => {
      const { correlationId, type } = message?.properties ?? {};
      if (message && type !== TAKEN_NOTE)
        waiting.get(String(correlationId))?.({ type, body: JSON.parse(message.content.toString()) });
    },
    { noAck: true },
  );
  return {
    /** @returns {Promise<{ type?: string, body: any } | undefined>} undefined when no reply arrived in time */
    async request(/** @type {object} */ request) {
      const id = randomUUID();
      const answered = new Promise((/** @type {(reply: { type?: string, body: any }) => void} */ resolve) =>
        waiting.set(id, resolve),
      );
      const headers = { 'x-time-limit-ms': ANSWER_MS };
      channel.publish(OWN_EXCHANGE, RESERVE, Buffer.from(JSON.stringify(request)), {
        correlationId: id,
        messageId: id,
        replyTo,
        expiration: ANSWER_MS,
        headers,
      });
      const reply = await Promise.race([answered, delay(ANSWER_MS, undefined)]);
      waiting.delete(id);
      return reply;
    },
    /** Resolves when the broker has confirmed the task. @returns {Promise<void>} */
    order(/** @type {string} */ task, /** @type {object} */ body) {
      const properties = { messageId: randomUUID(), type: task, persistent: true, contentType: 'application/json' };
      return new Promise((resolve, reject) => {
        channel.publish(OWN_EXCHANGE, task, Buffer.from(JSON.stringify(body)), properties, (error) =>
          error ? reject(error) : resolve(),
        );
      });
    },
    close: () => model.close(),
  };
}

/** @typedef {Awaited<ReturnType<typeof openRpcClient>>} RpcClient */

/**
 * @param {RpcClient} rpc
 * @param {{ accountId: string, attempts: number, random: () => number, state: { done: number } }} options
 * @returns {Promise<Record<End, number>>}
 */
async function spendAll(rpc, { accountId, attempts, random, state }) {
  const ends = { spent: 0, unused: 0, abandoned: 0, refused: 0 };
  let next = 0;
  const spender = async () => {
    while (next < attempts) {
      next += 1;
      ends[await spendOne(rpc, accountId, random)] += 1;
      state.done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, spender));
  return ends;
}

/** @returns {Promise<End>} */
async function spendOne(
  /** @type {RpcClient} */ rpc,
  /** @type {string} */ accountId,
  /** @type {() => number} */ random,
) {
  const reservationId = `res_${randomUUID()}`;
  const fate = random();
  const holdSeconds = fate < ABANDONED ? ABANDONED_HOLD_SECONDS : HOLD_SECONDS;
  for (;;) {
    const reply = await rpc.request({ accountId, reservationId, category: 'utility', amount: 1, holdSeconds });
    if (reply?.type === 'error' && reply.body.code === 'INSUFFICIENT_CREDITS') return 'refused';
    // The reservation expired while the gateway was down, and the retry found it expired.
    if (reply?.type === 'error' && reply.body.code === 'INVALID_VALUE' && fate < ABANDONED) return 'abandoned';
    if (reply && reply.type !== 'error') break;
  }
  if (fate < ABANDONED) return 'abandoned';
  const task = fate < ABANDONED + UNUSED ? REFUND : SETTLE;
  // Publish a tenth of the tasks twice: delivery is at least once.
  for (let times = random() < 0.1 ? 2 : 1; times > 0; times -= 1) await rpc.order(task, { accountId, reservationId });
  return task === REFUND ? 'unused' : 'spent';
}

/** Waits until no reservation is held, because each was settled or refunded or has expired. */
async function waitUntilSettled(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const sql = "SELECT count(*)::int AS held FROM gateway.credit_reservations WHERE account_id = $1 AND state = 'held'";
  await withClient(installation.databaseUrl, (client) =>
    eventually('no reservation to be held', async () => (await client.query(sql, [accountId])).rows[0].held === 0, {
      timeoutMs: 60_000,
    }),
  );
}

/** @returns {Promise<Record<string, number>>} number of reservations by state */
async function readStates(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const sql =
    'SELECT state, count(*)::int AS count FROM gateway.credit_reservations WHERE account_id = $1 GROUP BY state';
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql, [accountId]));
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/**
 * @param {{ start: number, ends: Record<End, number>, states: Record<string, number>, looks: number, negative: number,
 * unequal: number, balance: number, ledger: number }} facts
 * @param {{ isWhole: boolean, kills: number, seed: number }} run
 */
function report({ start, ends, looks, negative, unequal, balance, ledger, states }, { isWhole, kills, seed }) {
  const { spent, unused, abandoned, refused } = ends;
  log(
    `start ${start}; spent ${spent}, given back ${unused}, abandoned ${abandoned}, refused for want of credits ${refused}`,
  );
  log(
    `balance ${balance}, expected ${start - spent}; ledger ${ledger}; reservations settled ${states['settled'] ?? 0}, refunded ${states['refunded'] ?? 0}, expired ${states['expired'] ?? 0}`,
  );
  log(
    `${looks} looks meanwhile: ${negative} below zero, ${unequal} other than the ledger; ${kills} kills, seed ${seed}`,
  );
  const isExact = balance === start - spent && balance === ledger && negative === 0 && unequal === 0;
  return verdict(isWhole && isExact && (states['settled'] ?? 0) === spent && refused > 0, 'the balance is exact');
}
