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

const PROGRAMS = ['gateway', 'messaging', 'templates', 'simulator'];
const CONCURRENCY = 20;
const CONTACTS = ['919812345678', '919812345679', '919812345680'];
/** Longer than a call and than the simulator's slowest callback (0.8 s), restarts of messaging included. */
const GRACE_SECONDS = 5;
const ENVIRONMENT = { RECONCILE_GRACE_SECONDS: String(GRACE_SECONDS), UPSTREAM_TIMEOUT_MS: '3000', LOG_LEVEL: 'info' };
/** Keeps several calls in flight at any moment, so that each kill hits some. */
const UPSTREAM_LATENCY_MS = 25;
const SETTLE_TIMEOUT_MS = 180_000;

/**
 * Kills messaging again and again while messages are sent. Proves promises 1 and 2 of a send: a 200 is never lost, nothing is sent twice.
 * @param {{ sends?: number, kills?: number, seed?: number }} options
 * @returns {Promise<boolean>} whether both were kept
 */
export async function runSendFaults({ sends = 2_000, kills = 20, seed = Date.now() % 2 ** 31 }) {
  const installation = await startInstallation({ name: 'send', programs: PROGRAMS, environment: ENVIRONMENT });
  try {
    const apiKey = await step('account, number, open windows', () => prepare(installation));
    const state = { done: 0 };
    const killing = killOften(installation, state, { at: killPoints({ sends, kills, seed }) });
    const answers = await step(`${sends} sends, ${kills} kills of messaging`, () => sendAll(installation, apiKey, { sends, state }));
    const killed = await killing;
    await step('everything settled', () => waitUntilSettled(installation));
    return report(compareSends({ answers, ...(await readFacts(installation)) }), { killed, kills, seed, logFolder: installation.logFolder });
  } finally {
    await step('stop', () => installation.stop());
  }
}

/** @returns {Promise<string>} an API key whose account may send text to the contacts */
async function prepare(/** @type {Installation} */ installation) {
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000');
  const { apiKey } = await installation.ops('demo', 'seed');
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  await control(installation, 'faults', { latencyMs: UPSTREAM_LATENCY_MS });
  const inbound = `${installation.baseUrl}/messages?direction=inbound`;
  const opened = async () => {
    const page = await fetch(inbound, { headers: { authorization: `Bearer ${apiKey}` } });
    const body = /** @type {{ messages?: unknown[] }} */ (await page.json());
    return body.messages?.length === CONTACTS.length;
  };
  await eventually('the windows to open', opened, { timeoutMs: 20_000 });
  return apiKey;
}

async function control(/** @type {Installation} */ { simulatorUrl }, /** @type {string} */ path, /** @type {object | undefined} */ body) {
  const request = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, request);
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
  return /** @type {Record<string, any>} */ (await answer.json());
}

/** Numbers of finished sends after which messaging is killed, spread over the run by the seed. */
function killPoints(/** @type {{ sends: number, kills: number, seed: number }} */ { sends, kills, seed }) {
  const random = randomFrom(seed);
  const stretch = sends / (kills + 1);
  return Array.from({ length: kills }, (_, index) => Math.round((index + 0.5 + random()) * stretch));
}

/**
 * @param {Installation} installation
 * @param {{ done: number }} state
 * @param {{ at: number[] }} options
 * @returns {Promise<number>} how often it was killed
 */
async function killOften(installation, state, { at }) {
  let killed = 0;
  for (const point of at) {
    await eventually('the sends to go on', () => state.done >= point, { timeoutMs: 600_000, everyMs: 3 });
    // A process that is not up yet has nothing in flight: the kill would prove nothing.
    await eventually('messaging to be up', () => installation.isReady('messaging'), { timeoutMs: 60_000, everyMs: 20 });
    await installation.kill9('messaging');
    killed += 1;
  }
  return killed;
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
      if (answer.status !== 200) await eventually('messaging to be up', () => installation.isReady('messaging'), { timeoutMs: 60_000 });
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
    return { n, status: 0 }; // the gateway was not killed: counted as unexpected
  }
}

/** No message without a known outcome, and every status that upstream sent has arrived. */
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
 * @param {{ killed: number, kills: number, seed: number, logFolder: string }} run
 */
function report({ lost, doubled, unexpected, answeredOtherwise, ...counts }, { killed, kills, seed, logFolder }) {
  const figures = {
    accepted: counts.accepted,
    'answered 5xx': answeredOtherwise,
    'settled afterwards': counts.settled,
    'sent again': counts.resent,
    lost: lost.length,
    doubled: doubled.length,
    unexpected: unexpected.length,
    kills: killed,
    seed,
  };
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  for (const [name, list] of Object.entries({ lost, doubled, unexpected })) for (const item of list.slice(0, 10)) process.stdout.write(`  ${name}: ${item}\n`);
  // A run in which hardly anything was accepted, or no kill hit a send under way, proves nothing.
  const proves = counts.accepted >= answeredOtherwise && counts.settled > 0;
  if (!proves) process.stdout.write('too few sends were accepted, or no kill hit one under way\n');
  const kept = proves && lost.length + doubled.length + unexpected.length === 0 && killed === kills;
  process.stdout.write(kept ? 'kept: no 200 was lost, nothing was sent twice\n' : `NOT kept; logs are in ${logFolder}\n`);
  return kept;
}
