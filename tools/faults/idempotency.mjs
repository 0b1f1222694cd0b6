// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { startInstallation } from './installation.mjs';
import { randomFrom } from './random.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ tries: number, body: string, isReplay: boolean }} Outcome what one caller was told in the end */
/** @typedef {{ moment: string, isStored: boolean, hits: number, rows: number, outcomes: Outcome[] }} Round */

const PROGRAMS = ['gateway', 'messaging', 'templates', 'simulator'];
const CALLERS = 500;
/** A caller that is not answered 200 tries again, as a good client does, for so long at most. */
const PATIENCE_MS = 60_000;
/** Long enough for a kill to find the send on its way. */
const UPSTREAM_LATENCY_MS = 150;
/** When the gateway is killed: while upstream works on the message, and when messaging has its answer and the gateway's caller has not. */
const MOMENTS = /** @type {const} */ (['sent upstream', 'accepted']);

/**
 * Sends one message by many callers at once under one Idempotency-Key, kills the gateway between the send and its answer, and lets
 * every caller try again until it has one. Proves promise 5: one message, one answer.
 * @param {{ sends?: number, kills?: number, seed?: number }} options `sends`: callers at once; `kills`: rounds, each with a key and a kill
 * @returns {Promise<boolean>} whether it was kept
 */
export async function runIdempotencyFaults({ sends: callers = CALLERS, kills = 6, seed = Date.now() % 2 ** 31 }) {
  const environment = { LOG_LEVEL: 'info', UPSTREAM_TIMEOUT_MS: '5000' };
  const installation = await startInstallation({ name: 'idempotency', programs: PROGRAMS, environment });
  const random = randomFrom(seed);
  try {
    const contacts = Array.from({ length: kills }, (_, index) => String(919812340000 + index));
    const apiKey = await step('account, number, open windows', () => prepare(installation, contacts));
    const rounds = [];
    for (const [index, to] of contacts.entries()) {
      const moment = MOMENTS[index % MOMENTS.length] ?? MOMENTS[0];
      rounds.push(await step(`${callers} callers, killed when ${moment}`, () => playRound(installation, { apiKey, to, moment, callers, random })));
    }
    return report(rounds, { callers, seed, logFolder: installation.logFolder });
  } finally {
    await step('stop', () => installation.stop());
  }
}

/** @returns {Promise<string>} an API key whose account may send text to the contacts */
async function prepare(/** @type {Installation} */ installation, /** @type {string[]} */ contacts) {
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000');
  const { apiKey } = await installation.ops('demo', 'seed');
  for (const from of contacts) await control(installation, 'inbound', { from, type: 'text', text: 'Hello' });
  const opened = async () => {
    const page = await fetch(`${installation.baseUrl}/messages?direction=inbound&limit=100`, { headers: { authorization: `Bearer ${apiKey}` } });
    return /** @type {{ messages?: unknown[] }} */ (await page.json()).messages?.length === contacts.length;
  };
  await eventually('the windows to open', opened, { timeoutMs: 20_000 });
  await control(installation, 'faults', { latencyMs: UPSTREAM_LATENCY_MS });
  return apiKey;
}

async function control(/** @type {Installation} */ { simulatorUrl }, /** @type {string} */ path, /** @type {object | undefined} */ body) {
  const request = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, request);
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
  return /** @type {Record<string, any>} */ (await answer.json());
}

/**
 * @param {Installation} installation
 * @param {{ apiKey: string, to: string, moment: typeof MOMENTS[number], callers: number, random: () => number }} options
 * @returns {Promise<Round>}
 */
async function playRound(installation, { apiKey, to, moment, callers, random }) {
  const request = { url: `${installation.baseUrl}/messages/send`, apiKey, to, random };
  const calling = Promise.all(Array.from({ length: callers }, () => callUntilAnswered(request)));
  const isStored = await withClient(installation.databaseUrl, async (client) => {
    const states = moment === 'accepted' ? ['accepted', 'sent', 'delivered', 'read'] : ['sending', 'unknown', 'accepted', 'sent'];
    const sql = "SELECT 1 FROM messaging.messages WHERE direction = 'outbound' AND recipient = $1 AND state = ANY($2)";
    await eventually(`the message to be ${moment}`, async () => (await client.query(sql, [to, states])).rowCount, { timeoutMs: 30_000, everyMs: 1 });
    await installation.kill9('gateway');
    // What the dead gateway left: a stored answer means that the kill came too late to prove anything.
    const { rows } = await client.query('SELECT status FROM gateway.idempotency WHERE key = $1', [to]);
    return rows[0]?.status !== null;
  });
  const outcomes = await calling;
  const { messages } = await control(installation, `messages?to=${to}`, undefined);
  const rows = await withClient(installation.databaseUrl, (client) => client.query("SELECT 1 FROM messaging.messages WHERE direction = 'outbound' AND recipient = $1", [to]));
  return { moment, isStored, hits: messages.length, rows: rows.rowCount ?? 0, outcomes };
}

/**
 * @param {{ url: string, apiKey: string, to: string, random: () => number }} request
 * @returns {Promise<Outcome>}
 */
async function callUntilAnswered({ url, apiKey, to, random }) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': to };
  const body = JSON.stringify({ to, type: 'text', text: { body: 'Once' } });
  const deadline = Date.now() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, { method: 'POST', headers, body }).then(async (response) => ({ response, text: await response.text() }), () => undefined);
    const isReplay = answer?.response.headers.get('idempotency-replay') === 'true';
    if (answer?.response.status === 200) return { tries, body: answer.text, isReplay };
    if (Date.now() > deadline) return { tries, body: `${answer?.response.status ?? 'no answer'} ${answer?.text ?? ''}`, isReplay };
    await delay(300 + random() * 700);
  }
}

/** @returns {boolean} whether every round had one message and one answer */
function report(/** @type {Round[]} */ rounds, /** @type {{ callers: number, seed: number, logFolder: string }} */ { callers, seed, logFolder }) {
  let isKept = true;
  for (const { moment, isStored, hits, rows, outcomes } of rounds) {
    const answers = new Set(outcomes.map(({ body }) => body));
    const firsts = outcomes.filter(({ isReplay }) => !isReplay).length;
    const isRight = hits === 1 && rows === 1 && answers.size === 1 && [...answers][0]?.includes('"success":true');
    isKept &&= Boolean(isRight);
    log(`killed when ${moment}${isStored ? ' (too late: the answer was stored)' : ''}: ${hits} sent upstream, ${rows} message, ${answers.size} different answer to ${outcomes.length} callers (${firsts} first-hand), ${Math.max(...outcomes.map(({ tries }) => tries))} tries at most`);
    if (!isRight) for (const answer of [...answers].slice(0, 5)) log(`  answer: ${answer}`);
  }
  const proving = rounds.filter(({ isStored }) => !isStored).length;
  log(`idempotency: ${rounds.length} kills with ${callers} callers each, ${proving} before the answer was stored; ${isKept ? 'kept' : 'BROKEN'}, seed ${seed}, logs in ${logFolder}`);
  if (proving === 0) log('no kill came in time: nothing was proved');
  return isKept && proving > 0;
}
