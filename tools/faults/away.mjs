// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { startLoad } from './away-load.mjs';
import { compareSends } from './compare-sends.mjs';
import { startInstallation } from './installation.mjs';
import { ANSWER_LIMIT_MS, judgeOutage } from './outage.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {ReturnType<typeof startLoad>} Load */
/** @typedef {{ name: string, begin(): Promise<void>, end(): Promise<void>, seconds: number }} Fault */

const PROGRAMS = ['gateway', 'messaging', 'templates', 'webhooks', 'simulator'];
const CONTACTS = ['919812345678', '919812345679', '919812345680'];
const ENVIRONMENT = { RECONCILE_GRACE_SECONDS: '5', UPSTREAM_TIMEOUT_MS: '3000', LOG_LEVEL: 'info' };
const STEADY_MS = 4_000;
const NOTICED_MS = 5_000;
const RECOVERY_LIMIT_MS = 5_000;
const DRAIN_LIMIT_MS = 60_000;

/**
 * Takes the broker away (it hangs: SIGSTOP) and then the database (it is stopped), each under load. Proves promises 3 and 4.
 * @param {{ broker?: number, database?: number }} options for how many seconds each is away
 * @returns {Promise<boolean>} whether both were kept
 */
export async function runAwayFaults({ broker = 60, database = 20 }) {
  const installation = await startInstallation({ name: 'away', programs: PROGRAMS, environment: ENVIRONMENT, ownDatabase: true });
  try {
    const apiKey = await step('account, number, open windows', () => prepare(installation));
    const load = startLoad({ baseUrl: installation.baseUrl, apiKey, contacts: CONTACTS });
    const outcomes = [];
    for (const fault of faultsOf(installation, { broker, database })) outcomes.push(await step(`${fault.name} for ${fault.seconds} s`, () => endure(installation, load, fault)));
    await load.stop();
    const drainedMs = await step('everything settled', () => settle(installation));
    return report({ installation, outcomes, drainedMs, sends: compareSends({ answers: load.answers.filter(({ kind }) => kind === 'send'), ...(await readFacts(installation)) }) });
  } finally {
    await step('stop', () => installation.stop());
  }
}

/** @returns {Fault[]} */
function faultsOf(/** @type {Installation} */ { broker, database }, /** @type {{ broker: number, database: number }} */ seconds) {
  if (!database) throw new Error('the installation has no database of its own');
  return [
    { name: 'broker hangs', seconds: seconds.broker, begin: async () => void process.kill(broker.pid, 'SIGSTOP'), end: async () => void process.kill(broker.pid, 'SIGCONT') },
    { name: 'database stopped', seconds: seconds.database, begin: () => database.stop(), end: () => database.start() },
  ];
}

/** One outage: a while of good work before it, and until everything is done after it. */
async function endure(/** @type {Installation} */ installation, /** @type {Load} */ load, /** @type {Fault} */ { name, begin, end, seconds }) {
  await delay(STEADY_MS);
  const already = load.answers.length;
  await begin();
  const from = Date.now();
  await delay(Math.min(NOTICED_MS, seconds * 500));
  const [gateway, messaging] = await Promise.all([installation.readiness('gateway'), installation.readiness('messaging')]);
  await delay(from + seconds * 1000 - Date.now());
  const returning = Date.now();
  await end();
  const to = Date.now();
  const backlog = await openMessages(installation);
  await eventually('the backlog to be worked off', async () => (await unfinishedBefore(installation, to)) === 0, { timeoutMs: DRAIN_LIMIT_MS * 2, everyMs: 250 }).catch(() => undefined);
  const internal = internalErrors(installation.logFolder, from);
  const outage = judgeOutage(load.answers.slice(Math.max(0, already - 50)), { from, returning, to });
  return { name, ...outage, internal, readiness: { gateway, messaging }, backlog, drainedMs: Date.now() - to };
}

/** Every request that the gateway answered 500 since then, the upstream platform's callbacks included: an outage is no fault of ours. */
function internalErrors(/** @type {string} */ folder, /** @type {number} */ since) {
  const lines = readFileSync(join(folder, 'gateway.log'), 'utf8').split('\n').filter((line) => line.includes('"msg":"request.handled"') && line.includes('"status":500'));
  const requests = lines.map((line) => /** @type {{ time: string, method: string, route: string }} */ (JSON.parse(line)));
  return requests.filter(({ time }) => Date.parse(time) >= since - STEADY_MS).map(({ method, route }) => `${method} ${route} was answered 500`);
}

async function prepare(/** @type {Installation} */ installation) {
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000');
  const { apiKey } = await installation.ops('demo', 'seed');
  for (const from of CONTACTS) await control(installation, 'inbound', { from, type: 'text', text: { body: 'Hello' } });
  const headers = { authorization: `Bearer ${apiKey}` };
  const opened = async () => {
    const page = await fetch(`${installation.baseUrl}/messages?direction=inbound`, { headers });
    return /** @type {{ messages?: unknown[] }} */ (await page.json()).messages?.length === CONTACTS.length;
  };
  await eventually('the windows to open', opened, { timeoutMs: 30_000 });
  return String(apiKey);
}

async function control(/** @type {Installation} */ { simulatorUrl }, /** @type {string} */ path, /** @type {object | undefined} */ body) {
  const request = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, request);
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
  return /** @type {Record<string, any>} */ (await answer.json());
}

const UNFINISHED = "direction = 'outbound' AND state NOT IN ('read', 'failed')";

async function openMessages(/** @type {Installation} */ { databaseUrl }) {
  return count(databaseUrl, `SELECT count(*)::int AS count FROM messaging.messages WHERE ${UNFINISHED}`, []);
}

/** Messages from before the given time whose last status has not come, and parts of the outboxes that have not gone out. */
async function unfinishedBefore(/** @type {Installation} */ { databaseUrl }, /** @type {number} */ time) {
  const sql = `SELECT (SELECT count(*) FROM messaging.messages WHERE ${UNFINISHED} AND created_at < $1)::int
    + (SELECT count(*) FROM gateway.outbox WHERE created_at < $1)::int + (SELECT count(*) FROM messaging.outbox WHERE created_at < $1)::int AS count`;
  return count(databaseUrl, sql, [new Date(time)]);
}

async function count(/** @type {string} */ url, /** @type {string} */ sql, /** @type {unknown[]} */ values) {
  const { rows } = await withClient(url, (client) => client.query(sql, values));
  return Number(rows[0].count);
}

async function settle(/** @type {Installation} */ installation) {
  const startedAt = Date.now();
  await eventually('every message to be settled', async () => (await openMessages(installation)) === 0, { timeoutMs: 120_000, everyMs: 500 }).catch(() => undefined);
  return Date.now() - startedAt;
}

async function readFacts(/** @type {Installation} */ installation) {
  const { messages } = await control(installation, 'messages?limit=50000', undefined);
  const sql = "SELECT id, client_ref, state, upstream_id, send_attempts FROM messaging.messages WHERE direction = 'outbound'";
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql));
  return { rows, taken: messages };
}

/**
 * @param {{ installation: Installation, outcomes: Awaited<ReturnType<typeof endure>>[], drainedMs: number, sends: ReturnType<typeof compareSends> }} run
 */
function report({ installation, outcomes, sends }) {
  const exits = installation.exits();
  const problems = outcomes.flatMap(problemsOf);
  for (const { name, answered, refused, falselyGood, goodOnReturn, slowestMs, recoveryMs, drainedMs, backlog, readiness } of outcomes) {
    line(name, `${answered} requests, ${refused} refused, the slowest in ${slowestMs} ms, ${falselyGood.length} falsely good, ${goodOnReturn} good while it came back; first good send after ${recoveryMs} ms; ${backlog} open, worked off after ${drainedMs} ms`);
    line('  not ready', Object.entries(readiness).map(([program, failed]) => `${program}: ${failed.join(', ') || 'says it is ready'}`).join('; '));
  }
  line('accepted', String(sends.accepted));
  for (const name of /** @type {const} */ (['lost', 'doubled', 'unexpected'])) line(name, `${sends[name].length} ${sends[name].slice(0, 5).join(', ')}`);
  line('programs that ended', exits.join(', ') || 'none');
  problems.forEach((problem) => line('problem', problem));
  const kept = problems.length + exits.length + sends.lost.length + sends.doubled.length + sends.unexpected.length === 0 && sends.accepted > 0;
  line(kept ? 'kept' : 'NOT kept', kept ? 'no false 200, clear answers in time, nothing lost' : `logs are in ${installation.logFolder}`);
  return kept;
}

function problemsOf(/** @type {Awaited<ReturnType<typeof endure>>} */ { name, refused, falselyGood, late, unclear, internal, recoveryMs, drainedMs, readiness }) {
  return [
    ...(refused === 0 ? [`${name}: no request met it`] : []),
    ...falselyGood.slice(0, 5).map((answer) => `${name}: ${answer}`),
    ...(late > 0 ? [`${name}: ${late} refusals took more than ${ANSWER_LIMIT_MS} ms`] : []),
    ...unclear.slice(0, 5).map((answer) => `${name}: ${answer}`),
    ...internal.slice(0, 5).map((request) => `${name}: ${request}`),
    ...(recoveryMs > RECOVERY_LIMIT_MS ? [`${name}: the first good send came ${recoveryMs} ms after it`] : []),
    ...(drainedMs > DRAIN_LIMIT_MS ? [`${name}: the backlog took ${drainedMs} ms`] : []),
    ...Object.entries(readiness).flatMap(([program, failed]) => (failed.length === 0 ? [`${name}: ${program} said it was ready`] : [])),
  ];
}

function line(/** @type {string} */ name, /** @type {string} */ text) {
  process.stdout.write(`${name.padEnd(20)} ${text}\n`);
}
