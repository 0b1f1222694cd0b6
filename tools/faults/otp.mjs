// @ts-check
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { startInstallation } from './installation.mjs';
import { findPlaintext } from './plaintext.mjs';
import { randomFrom } from './random.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ phone: string, otp: string, status: number, id?: string }} Answer */

const PROGRAMS = ['gateway', 'messaging', 'templates', 'otp', 'simulator'];
const VICTIMS = ['otp', 'gateway', 'messaging'];
const CONCURRENCY = 20;
const ENVIRONMENT = { RECONCILE_GRACE_SECONDS: '6', UPSTREAM_TIMEOUT_MS: '3000', OTP_SETTLE_SECONDS: '30', LOG_LEVEL: 'debug', SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: '2' };
const SETTLE_TIMEOUT_MS = 240_000;

/**
 * Sends codes on a balance that is too small for all, and kills otp, gateway and messaging all the while; then looks for the codes in
 * every place that outlives a process. Proves promises 26 and 16: the balance is what was there less what was accepted, never below
 * zero; each accepted code verifies, nothing is sent twice, and no code stands anywhere in clear.
 * @param {{ sends?: number, kills?: number, seed?: number }} options
 * @returns {Promise<boolean>} whether they were kept
 */
export async function runOtpFaults({ sends = 1_200, kills = 20, seed = Date.now() % 2 ** 31 }) {
  const installation = await startInstallation({ name: 'otp', programs: PROGRAMS, environment: ENVIRONMENT });
  try {
    const start = Math.floor(sends * 0.85);
    const account = await step('account, template, credits', () => prepare(installation, start));
    const watch = watchBalance(installation, account.accountId);
    const state = { done: 0 };
    const killing = killOften(installation, state, { sends, kills, seed });
    const answers = await step(`${sends} codes on ${start} credits, ${kills} kills`, () => sendAll(installation, account.apiKey, { sends, state }));
    await killing;
    await step('everything settled', () => waitUntilSettled(installation));
    const verified = await step('verify', () => verifyAll(installation, account.apiKey, answers));
    const found = await step('look for codes', () => findPlaintext(installation, [...answers.map(({ otp }) => otp), account.apiKey]));
    return report({ start, answers, verified, found, ...(await watch.stop()), ...(await readFacts(installation, account.accountId)) }, { kills, seed });
  } finally {
    await step('stop', () => installation.stop());
  }
}

async function prepare(/** @type {Installation} */ installation, /** @type {number} */ credits) {
  await installation.ops('plans', 'set', '--name', 'scale', '--rate-limit', '1000000');
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000');
  const { apiKey, accountId } = await installation.ops('demo', 'seed');
  const { balance = 0 } = await readBalance(installation, accountId);
  const change = credits - balance;
  if (change > 0) await installation.ops('credits', 'top-up', '--account', accountId, '--amount', String(change), '--reason', 'fault run');
  if (change < 0) throw new Error(`the demo account has ${balance} credits already: send more than ${balance} codes`);
  await eventually('the template to be read', async () => Boolean(await installation.ops('otp', 'set', '--account', accountId, '--template', 'verification_code').catch(() => undefined)), { timeoutMs: 60_000, everyMs: 500 });
  const faults = { latencyMs: 25, callbacks: { lose: 0.03, duplicate: 0.1 } };
  const answer = await fetch(`${installation.simulatorUrl}/_control/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(faults) });
  if (!answer.ok) throw new Error(`simulator: ${answer.status}`);
  return { apiKey: String(apiKey), accountId: String(accountId) };
}

/** Ten letters and digits: no other text of a dump holds them by chance. */
const newCode = () => randomBytes(16).toString('base64').replace(/[^A-Za-z0-9]/g, '').slice(0, 10);

/** Each to a phone of its own, with a prefix of its own; repeated with its key until the answer is no failure of ours. */
async function sendAll(/** @type {Installation} */ installation, /** @type {string} */ apiKey, /** @type {{ sends: number, state: { done: number } }} */ { sends, state }) {
  /** @type {Answer[]} */
  const answers = [];
  let begun = 0;
  const sender = async () => {
    while (begun < sends) {
      begun += 1;
      const phone = `9198${String(begun).padStart(4, '0')}${randomInt(1_000, 9_999)}`;
      answers.push(await sendOne(installation, apiKey, { phone, otp: newCode(), key: `otp-${begun}` }));
      state.done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return answers;
}

/** @returns {Promise<Answer>} */
async function sendOne(/** @type {Installation} */ installation, /** @type {string} */ apiKey, /** @type {{ phone: string, otp: string, key: string }} */ { phone, otp, key }) {
  const request = { method: 'POST', headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key }, body: JSON.stringify({ to: phone, otp, expiryMinutes: 60 }) };
  let last = 0;
  for (let tries = 0; tries < 8; tries += 1) {
    const answer = await fetch(`${installation.baseUrl}/messages/send/authentication/utility`, request).catch(() => undefined);
    last = answer?.status ?? 0;
    const body = /** @type {{ id?: string }} */ (answer ? await answer.json().catch(() => ({})) : {});
    if (last === 200 || last === 403) return { phone, otp, status: last, id: body.id };
    await delay(500);
  }
  return { phone, otp, status: last };
}

async function verifyAll(/** @type {Installation} */ installation, /** @type {string} */ apiKey, /** @type {Answer[]} */ answers) {
  let verified = 0;
  for (const { phone, otp } of answers.filter(({ status }) => status === 200)) {
    const request = { method: 'POST', headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ phone, otp }) };
    if ((await fetch(`${installation.baseUrl}/otp/verify`, request)).ok) verified += 1;
  }
  return verified;
}

async function killOften(/** @type {Installation} */ installation, /** @type {{ done: number }} */ state, /** @type {{ sends: number, kills: number, seed: number }} */ { sends, kills, seed }) {
  const random = randomFrom(seed);
  for (let kill = 1; kill <= kills; kill += 1) {
    const point = ((kill - random()) * sends) / (kills + 1);
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'otp';
    await eventually('the sends to go on', () => state.done >= point, { timeoutMs: 600_000, everyMs: 3 });
    await eventually(`${victim} to be up`, () => installation.isReady(victim), { timeoutMs: 60_000, everyMs: 20 });
    await installation.kill9(victim);
  }
}

/** No send is open, no message is unsettled, no credit is held. */
async function waitUntilSettled(/** @type {Installation} */ installation) {
  const sql = `SELECT (SELECT count(*) FROM otp.sends WHERE state = 'open') + (SELECT count(*) FROM messaging.messages WHERE NOT settled)
    + (SELECT count(*) FROM gateway.credit_reservations WHERE state = 'held') AS open`;
  await withClient(installation.databaseUrl, (client) =>
    eventually('everything to be settled', async () => Number((await client.query(sql)).rows[0].open) === 0, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 500 }),
  );
}

function watchBalance(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const seen = { looks: 0, negative: 0 };
  const stopping = new AbortController();
  const watching = withClient(installation.databaseUrl, async (client) => {
    while (!stopping.signal.aborted) {
      const { rows } = await client.query('SELECT balance::int FROM gateway.credit_balances WHERE account_id = $1', [accountId]);
      seen.looks += 1;
      if (rows[0]?.balance < 0) seen.negative += 1;
      await delay(50);
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

async function readBalance(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const sql = `SELECT coalesce((SELECT balance FROM gateway.credit_balances WHERE account_id = $1), 0)::int AS balance,
                      coalesce((SELECT sum(amount) FROM gateway.credit_ledger WHERE account_id = $1), 0)::int AS ledger`;
  return withClient(installation.databaseUrl, async (client) => /** @type {{ balance: number, ledger: number }} */ ((await client.query(sql, [accountId])).rows[0]));
}

async function readFacts(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const answer = await fetch(`${installation.simulatorUrl}/_control/messages?limit=1000000`);
  const { messages } = /** @type {{ messages: { count: number }[] }} */ (await answer.json());
  const states = await withClient(installation.databaseUrl, async (client) =>
    /** @type {{ state: string, count: number }[]} */ ((await client.query('SELECT state, count(*)::int FROM otp.sends WHERE account_id = $1 GROUP BY state', [accountId])).rows),
  );
  const taken = messages.reduce((sum, { count }) => sum + count, 0);
  return { ...(await readBalance(installation, accountId)), taken, states: Object.fromEntries(states.map(({ state, count }) => [state, count])) };
}

/**
 * @param {{ start: number, answers: Answer[], verified: number, found: import('./plaintext.mjs').Found, looks: number, negative: number, balance: number, ledger: number, taken: number, states: Record<string, number> }} facts
 * @param {{ kills: number, seed: number }} run
 */
function report({ start, answers, verified, found, looks, negative, balance, ledger, taken, states }, { kills, seed }) {
  const count = (/** @type {number} */ status) => answers.filter((answer) => answer.status === status).length;
  const accepted = states['accepted'] ?? 0;
  log(`otp: ${answers.length} sends, answered 200 ${count(200)}, 403 ${count(403)}, otherwise ${answers.length - count(200) - count(403)}; ${kills} kills, seed ${seed}`);
  log(`upstream took ${taken}; sends accepted ${accepted}, failed ${states['failed'] ?? 0}, abandoned ${states['abandoned'] ?? 0}; verified ${verified} of ${count(200)}`);
  log(`balance ${balance}, expected ${start - taken}; ledger ${ledger}; ${looks} looks: ${negative} below zero`);
  log(`codes and keys in clear: ${found.hits} hits in ${found.places}; planted ones found: ${found.planted} of ${found.plants}`);
  const isExact = balance === start - taken && balance === ledger && accepted === taken && negative === 0;
  const isKept = isExact && verified === count(200) && count(200) <= taken && found.hits === 0 && found.planted === found.plants;
  log(isKept ? 'otp: kept' : 'otp: BROKEN');
  return isKept;
}
