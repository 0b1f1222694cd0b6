// @ts-check
import { withClient } from '../infra/postgres-login.mjs';
import { eventually } from '../lib/wait.mjs';
import { compareInbound } from './compare-events.mjs';
import { control } from './customers.mjs';
import { ask, compareLoad, isGood, newPhone, prepareLoad } from './mixed-load.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').LoadAnswer} LoadAnswer */
/** @typedef {import('./mixed-load.mjs').Kind} Kind */

/** Number of sends per request of another kind. */
const SENDS_PER = { send: 1, code: 6, job: 10, read: 5, templates: 10, inbound: 6 };
const RECIPIENTS = 3;
const SETTLE_TIMEOUT_MS = 120_000;

/**
 * Starts requests at a fixed rate without waiting for earlier ones, so that an outage shows as a gap. Sends with
 * idempotency keys, sends and verifies codes, creates bulk jobs, reads, receives inbound messages, and receives
 * webhooks for all of these.
 * @param {Installation} installation
 * @param {{ name: string, rate: number }} options `name` of its account; `rate`: sends per second
 */
export async function startPacedLoad(installation, { name, rate }) {
  const { receiver, customer, contacts, target } = await prepareLoad(installation, name);
  /** @type {LoadAnswer[]} */
  const answers = [];
  /** @type {string[]} */
  const inbound = [];
  /** @type {Set<Promise<void>>} */
  const underWay = new Set();
  let next = 0;
  const request = async (/** @type {Kind} */ kind) => {
    const n = next++;
    const to = Array.from({ length: kind === 'job' ? RECIPIENTS : 1 }, newPhone);
    const answer = await ask(kind, n, target, { to, ...(KEYED.includes(kind) && { key: `paced-${n}` }) });
    answers.push(answer);
    if (kind !== 'code' || !isGood(answer)) return;
    answers.push(await ask('verify', n, target, answer));
  };
  const writeIn = async () => {
    const from = String(contacts[next % contacts.length]);
    const message = { from, to: customer.phoneNumber, type: 'text', text: { body: `Inbound ${next++}` } };
    inbound.push(String((await control(installation, 'inbound', message))['messageId']));
  };
  const start = (/** @type {keyof typeof SENDS_PER} */ kind) => {
    const work = kind === 'inbound' ? writeIn() : request(kind);
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const kinds = /** @type {(keyof typeof SENDS_PER)[]} */ (Object.keys(SENDS_PER));
  const timers = kinds.map((kind) => setInterval(() => start(kind), (SENDS_PER[kind] * 1_000) / rate));
  return {
    answers,
    customer,
    /** Upstream ids of inbound messages. */
    inbound,
    events: receiver.events,
    forged: receiver.forged,
    async stop() {
      timers.forEach(clearInterval);
      await Promise.all(underWay);
    },
    close: receiver.close,
  };
}

const KEYED = ['send', 'code', 'job'];

/** @typedef {Awaited<ReturnType<typeof startPacedLoad>>} PacedLoad */

/**
 * Waits for an unbroken streak of successful responses that includes every kind of request and a webhook.
 * @returns {Promise<boolean>} false after a timeout
 */
export function goesOn(
  /** @type {PacedLoad} */ { answers, events },
  /** @type {{ sends: number, withinMs: number }} */ { sends, withinMs },
) {
  const [answered, published] = [answers.length, events.length];
  const isEnough = () => {
    const good = answers.slice(Math.max(answered, answers.findLastIndex((answer) => !isGood(answer)) + 1));
    const count = (/** @type {Kind} */ wanted) => good.filter(({ kind }) => kind === wanted).length;
    return count('send') >= sends && OTHERS.every((kind) => count(kind) > 0) && events.length > published;
  };
  return eventually('the load to go on', isEnough, { timeoutMs: withinMs, everyMs: 20 }).catch(() => false);
}

const OTHERS = /** @type {const} */ (['code', 'verify', 'job', 'read', 'templates']);

/**
 * Waits until all work has settled. Compares the responses with the stored data, the simulator's sends and the received
 * webhooks.
 */
export async function comparePacedLoad(/** @type {Installation} */ installation, /** @type {PacedLoad} */ load) {
  const compared = await compareLoad(installation, load);
  const compareNow = async () => compareInbound(load.inbound, await readInbound(installation, load), load.events);
  const isAllThere = async () => (await compareNow()).lost.length === 0;
  await eventually('inbound', isAllThere, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 250 }).catch(() => undefined);
  const { lost, doubled } = await compareNow();
  return { ...compared, lost: [...compared.lost, ...lost], doubled: [...compared.doubled, ...doubled] };
}

function readInbound(
  /** @type {Installation} */ { databaseUrl },
  /** @type {PacedLoad} */ { customer: { accountId } },
) {
  const sql = "SELECT upstream_id FROM messaging.messages WHERE account_id = $1 AND direction = 'inbound'";
  return withClient(databaseUrl, async (client) => (await client.query(sql, [accountId])).rows);
}
