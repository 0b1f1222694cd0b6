// @ts-check
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { readBalance, watchBalance } from './balance.mjs';
import { chaosTest } from './chaos-test.mjs';
import { control, newCustomer, sentUpstream } from './customers.mjs';
import { killDuring } from './kills.mjs';
import { findPlaintext } from './plaintext.mjs';
import { randomFrom } from './random.mjs';
import { verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {{ phone: string, otp: string, status: number, id?: string }} Answer */

const VICTIMS = ['otp', 'gateway', 'messaging'];
const CONCURRENCY = 20;
const UPSTREAM_FAULTS = { latencyMs: 25, callbacks: { lose: 0.03, duplicate: 0.1 } };
const SETTLE_TIMEOUT_MS = 240_000;

/**
 * Proves guarantees 26 and 16 of ADR 41. The balance is the initial one minus the accepted codes, and never negative.
 * Each accepted code verifies, no code is sent twice, and none is stored in plaintext.
 */
export const otp = chaosTest({
  about:
    'kills otp, gateway and messaging while codes are sent on too few credits; compares balance, sends and upstream, then searches for plaintext codes',
  takes: { long: '3 minutes', short: '45 s' },
  long: { sends: 1_200, kills: 20 },
  short: { sends: 100, kills: 2 },
  async run(installation, { sends, kills, seed }) {
    const start = Math.floor(sends * 0.85);
    const customer = await step('account, template, credits', () => prepare(installation, start));
    const { accountId, apiKey } = customer;
    const plan = planKills({ sends, kills, seed });
    const { result, ...looks } = await watchBalance(installation, accountId, async () => {
      const sending = await step(`${sends} codes on ${start} credits, ${kills} kills`, () =>
        killDuring(installation, { plan }, (state) => sendAll(installation, apiKey, { sends, state })),
      );
      await step('everything settled', () => waitUntilSettled(installation, accountId));
      return sending;
    });
    const { result: answers, killed } = result;
    const verified = await step('verify', () => verifyAll(customer, answers));
    const found = await step('look for codes', () =>
      findPlaintext(installation, [...answers.map((/** @type {Answer} */ { otp: code }) => code), apiKey]),
    );
    return report(
      { start, answers, verified, found, ...looks, ...(await readFacts(installation, customer)) },
      { isWhole: killed === kills, kills, seed },
    );
  },
});

/** @returns {Promise<Customer>} */
async function prepare(/** @type {Installation} */ installation, /** @type {number} */ credits) {
  const customer = await newCustomer(installation, 'otp', { credits });
  const setTemplate = () =>
    installation.ops('otp', 'set', '--account', customer.accountId, '--template', 'verification_code').then(
      () => true,
      () => false,
    );
  await eventually('the template to be read', setTemplate, { timeoutMs: 60_000, everyMs: 500 });
  await control(installation, 'faults', UPSTREAM_FAULTS);
  return customer;
}

function planKills(/** @type {{ sends: number, kills: number, seed: number }} */ { sends, kills, seed }) {
  const random = randomFrom(seed);
  return Array.from({ length: kills }, (_, index) => ({
    at: Math.round(((index + 1 - random()) * sends) / (kills + 1)),
    victim: VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'otp',
  }));
}

/** Returns a code of ten letters and digits, which no other text of a dump contains by chance. */
const newCode = () =>
  randomBytes(16)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 10);

/** Sends each code to a separate phone with a separate prefix. Retries with the same key after server errors. */
async function sendAll(
  /** @type {Installation} */ installation,
  /** @type {string} */ apiKey,
  /** @type {{ sends: number, state: { done: number } }} */ { sends, state },
) {
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
async function sendOne(
  /** @type {Installation} */ installation,
  /** @type {string} */ apiKey,
  /** @type {{ phone: string, otp: string, key: string }} */ { phone, otp, key },
) {
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ to: phone, otp, expiryMinutes: 60 }),
  };
  let last = 0;
  for (let tries = 0; tries < 8; tries += 1) {
    const answer = await fetch(`${installation.baseUrl}/messages/send/authentication/utility`, request).catch(
      () => undefined,
    );
    last = answer?.status ?? 0;
    const body = /** @type {{ id?: string }} */ (answer ? await answer.json().catch(() => ({})) : {});
    if (last === 200 || last === 403) return { phone, otp, status: last, id: body.id };
    await delay(500);
  }
  return { phone, otp, status: last };
}

async function verifyAll(/** @type {Customer} */ { call }, /** @type {Answer[]} */ answers) {
  let verified = 0;
  for (const { phone, otp: code } of answers.filter(({ status }) => status === 200)) {
    if ((await call('POST', '/otp/verify', { phone, otp: code }))['status'] === 200) verified += 1;
  }
  return verified;
}

/** Waits until no send is open, no message is unsettled and no credit is held. */
async function waitUntilSettled(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const sql = `SELECT (SELECT count(*) FROM otp.sends WHERE account_id = $1 AND state = 'open')
    + (SELECT count(*) FROM messaging.messages WHERE account_id = $1 AND NOT settled)
    + (SELECT count(*) FROM gateway.credit_reservations WHERE account_id = $1 AND state = 'held') AS open`;
  await withClient(installation.databaseUrl, (client) => {
    const isSettled = async () => Number((await client.query(sql, [accountId])).rows[0].open) === 0;
    return eventually('everything to be settled', isSettled, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 500 });
  });
}

async function readFacts(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const taken = await sentUpstream(installation, customer);
  const sql = 'SELECT state, count(*)::int FROM otp.sends WHERE account_id = $1 GROUP BY state';
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql, [customer.accountId]));
  const states = /** @type {Record<string, number>} */ (
    Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  );
  return { ...(await readBalance(installation, customer.accountId)), taken: taken.length, states };
}

/**
 * @param {{ start: number, answers: Answer[], verified: number, found: import('./plaintext.mjs').Found, looks: number,
 * negative: number, unequal: number, balance: number, ledger: number, taken: number, states: Record<string, number> }}
 * facts
 * @param {{ isWhole: boolean, kills: number, seed: number }} run
 */
function report(
  { start, answers, verified, found, looks, negative, unequal, balance, ledger, taken, states },
  { isWhole, kills, seed },
) {
  const count = (/** @type {number} */ status) => answers.filter((answer) => answer.status === status).length;
  const accepted = states['accepted'] ?? 0;
  log(
    `${answers.length} sends, answered 200 ${count(200)}, 403 ${count(403)}, otherwise ${answers.length - count(200) - count(403)}; ${kills} kills, seed ${seed}`,
  );
  log(
    `upstream took ${taken}; sends accepted ${accepted}, failed ${states['failed'] ?? 0}, abandoned ${states['abandoned'] ?? 0}; verified ${verified} of ${count(200)}`,
  );
  log(
    `balance ${balance}, expected ${start - taken}; ledger ${ledger}; ${looks} looks: ${negative} below zero, ${unequal} other than the ledger`,
  );
  log(
    `codes and keys in clear: ${found.hits} hits in ${found.places}; planted ones found: ${found.planted} of ${found.plants}`,
  );
  const isExact =
    balance === start - taken && balance === ledger && accepted === taken && negative === 0 && unequal === 0;
  // A run with few successful sends proves nothing.
  const isTried = count(200) >= answers.length / 2;
  const isKept =
    isTried &&
    isExact &&
    verified === count(200) &&
    count(200) <= taken &&
    found.hits === 0 &&
    found.planted === found.plants;
  return verdict(isWhole && isKept, 'each credit is accounted for, each code verifies, none stands in clear');
}
