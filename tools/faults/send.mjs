// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { compareSends } from './compare-sends.mjs';
import { startInstallation } from './installation.mjs';
import { randomFrom } from './random.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./compare-sends.mjs').Answer} Answer */
/** @typedef {'messaging' | 'gateway' | 'broker'} Victim */

const PROGRAMS = ['gateway', 'messaging', 'templates', 'simulator'];
const CONCURRENCY = 20;
const CONTACTS = Array.from({ length: 20 }, (_, index) => String(919812345600 + index));
const BROKER_KILLS = 3;
/** Longer than a call, and than the slowest first callback: 0.05 s to `sent`, 0.3 s late, 2 s shuffled, 2 s until it is tried again. */
const GRACE_SECONDS = 6;
const ENVIRONMENT = {
  RECONCILE_GRACE_SECONDS: String(GRACE_SECONDS),
  UPSTREAM_TIMEOUT_MS: '3000',
  SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: '2',
  LOG_LEVEL: 'info',
};
/**
 * Keeps several calls in flight at any moment, so that each kill hits some, and lets callbacks go astray. Each message has three:
 * all of them lost, when its own answer was lost as well, would make a second send right; that is one message in 37,000 of those.
 */
const UPSTREAM_FAULTS = { latencyMs: 25, callbacks: { lose: 0.03, duplicate: 0.1, shuffle: 0.2, delayMs: 300 } };
const SETTLE_TIMEOUT_MS = 180_000;

/**
 * Kills messaging, the gateway and the broker again and again while messages are sent and callbacks get lost, late, doubled and out of
 * order. Proves promises 1 and 2 of a send: a 200 is never lost, nothing is sent twice.
 * @param {{ sends?: number, kills?: number, seed?: number }} options `kills` of messaging and of the gateway each; the broker is killed three times
 * @returns {Promise<boolean>} whether both were kept
 */
export async function runSendFaults({ sends = 2_000, kills = 20, seed = Date.now() % 2 ** 31 }) {
  const installation = await startInstallation({ name: 'send', programs: PROGRAMS, environment: ENVIRONMENT });
  try {
    const apiKey = await step('account, number, open windows', () => prepare(installation));
    const state = { done: 0 };
    const plan = planKills({ sends, kills, brokerKills: kills > 0 ? BROKER_KILLS : 0, seed });
    const killing = killOften(installation, state, plan);
    const answers = await step(`${sends} sends, ${plan.length} kills`, () => sendAll(installation, apiKey, { sends, state }));
    const killed = await killing;
    await step('everything settled', () => waitUntilSettled(installation));
    const result = compareSends({ answers, ...(await readFacts(installation)) });
    return report(result, { killed, planned: plan.length, seed, logFolder: installation.logFolder, exits: installation.exits() });
  } finally {
    await step('stop', () => installation.stop());
  }
}

/** @returns {Promise<string>} an API key whose account may send text to the contacts */
async function prepare(/** @type {Installation} */ installation) {
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000');
  const { apiKey } = await installation.ops('demo', 'seed');
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  const inbound = `${installation.baseUrl}/messages?direction=inbound&limit=100`;
  const opened = async () => {
    const page = await fetch(inbound, { headers: { authorization: `Bearer ${apiKey}` } });
    const body = /** @type {{ messages?: { from: string }[] }} */ (await page.json());
    return new Set(body.messages?.map(({ from }) => from)).size >= CONTACTS.length;
  };
  await eventually('the windows to open', opened, { timeoutMs: 20_000 });
  await control(installation, 'faults', UPSTREAM_FAULTS);
  return apiKey;
}

async function control(/** @type {Installation} */ { simulatorUrl }, /** @type {string} */ path, /** @type {object | undefined} */ body) {
  const request = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, request);
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
  return /** @type {Record<string, any>} */ (await answer.json());
}

/**
 * After how many finished sends who is killed, spread over the run by the seed.
 * @param {{ sends: number, kills: number, brokerKills: number, seed: number }} options
 * @returns {{ at: number, victim: Victim }[]}
 */
function planKills({ sends, kills, brokerKills, seed }) {
  const random = randomFrom(seed);
  const spread = (/** @type {Victim} */ victim, /** @type {number} */ count) =>
    Array.from({ length: count }, (_, index) => ({ at: Math.round(((index + 0.5 + random() / 2) * sends) / (count + 1)), victim }));
  return [...spread('messaging', kills), ...spread('gateway', kills), ...spread('broker', brokerKills)].sort((one, other) => one.at - other.at);
}

/**
 * @param {Installation} installation
 * @param {{ done: number }} state
 * @param {{ at: number, victim: Victim }[]} plan
 * @returns {Promise<Record<Victim, number>>} how often each was killed
 */
async function killOften(installation, state, plan) {
  const killed = { messaging: 0, gateway: 0, broker: 0 };
  for (const { at, victim } of plan) {
    await eventually('the sends to go on', () => state.done >= at, { timeoutMs: 600_000, everyMs: 3 });
    // A process that is not up yet has nothing in flight: the kill would prove nothing.
    await eventually('the services to be up', () => areReady(installation), { timeoutMs: 60_000, everyMs: 20 });
    await (victim === 'broker' ? installation.killBroker() : installation.kill9(victim));
    killed[victim] += 1;
  }
  return killed;
}

async function areReady(/** @type {Installation} */ installation) {
  const ready = await Promise.all(['gateway', 'messaging'].map(installation.isReady));
  return ready.every(Boolean);
}

/**
 * @param {Installation} installation
 * @param {string} apiKey
 * @param {{ sends: number, state: { done: number } }} options `state.done` counts finished sends
 * @returns {Promise<Answer[]>}
 */
async function sendAll(installation, apiKey, { sends, state }) {
  /** @type {Answer[]} */
  const answers = [];
  let next = 0;
  const sender = async () => {
    while (next < sends) {
      const n = next++;
      const answer = await sendOne(`${installation.baseUrl}/messages/send`, apiKey, n);
      answers.push(answer);
      state.done += 1;
      // As a client that backs off: otherwise most sends of the run would meet a service that is just starting.
      if (answer.status !== 200) await eventually('the services to be up', () => areReady(installation), { timeoutMs: 60_000 });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return answers;
}

/** One send, never repeated. @returns {Promise<Answer>} */
async function sendOne(/** @type {string} */ url, /** @type {string} */ apiKey, /** @type {number} */ n) {
  const body = JSON.stringify({ to: CONTACTS[n % CONTACTS.length], type: 'text', text: { body: `Message ${n}` }, clientRef: `fault-${n}` });
  try {
    const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }, body });
    const { id, message_id: upstreamId } = /** @type {{ id?: string, message_id?: string }} */ (await answer.json());
    return { n, status: answer.status, id, upstreamId };
  } catch {
    return { n, status: 0 }; // the gateway was killed: nothing was promised
  }
}

/** No message without a known outcome. */
async function waitUntilSettled(/** @type {Installation} */ installation) {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { unexpected } = compareSends({ answers: [], ...(await readFacts(installation)) });
    if (unexpected.length === 0) return;
    await delay(500);
  }
  log('not everything was settled in time');
}

async function readFacts(/** @type {Installation} */ installation) {
  const { messages } = await control(installation, 'messages?limit=50000', undefined);
  const sql = "SELECT id, client_ref, state, upstream_id, send_attempts FROM messaging.messages WHERE direction = 'outbound'";
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql));
  return { rows, taken: messages };
}

/**
 * @param {ReturnType<typeof compareSends>} result
 * @param {{ killed: Record<Victim, number>, planned: number, seed: number, logFolder: string, exits: string[] }} run
 */
function report({ lost, doubled, unexpected: differences, answeredOtherwise, ...counts }, { killed, planned, seed, logFolder, exits }) {
  const unexpected = [...differences, ...exits.map((exit) => `${exit} ended by itself`)];
  const figures = {
    accepted: counts.accepted,
    'answered otherwise': answeredOtherwise,
    'settled afterwards': counts.settled,
    'sent again': counts.resent,
    lost: lost.length,
    duplicated: doubled.length,
    unexpected: unexpected.length,
    'messaging killed': killed.messaging,
    'gateway killed': killed.gateway,
    'broker killed': killed.broker,
    seed,
  };
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  for (const [name, list] of Object.entries({ lost, duplicated: doubled, unexpected })) for (const item of list.slice(0, 10)) process.stdout.write(`  ${name}: ${item}\n`);
  // A run in which hardly anything was accepted, or no kill hit a send under way, proves nothing.
  const proves = counts.accepted >= answeredOtherwise && (planned === 0 || counts.settled > 0);
  if (!proves) process.stdout.write('too few sends were accepted, or no kill hit one under way\n');
  const isComplete = killed.messaging + killed.gateway + killed.broker === planned;
  const kept = proves && isComplete && lost.length + doubled.length + unexpected.length === 0;
  process.stdout.write(kept ? 'kept: no 200 was lost, nothing was sent twice\n' : `NOT kept; logs are in ${logFolder}\n`);
  return kept;
}
