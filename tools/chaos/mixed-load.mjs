// @ts-check
import { createHmac, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { compareCodes } from './compare-codes.mjs';
import { compareEvents, countEach } from './compare-events.mjs';
import { compareSends, refOf } from './compare-sends.mjs';
import { compareTruth } from './compare-truth.mjs';
import { newCustomer, newPhones, openWindows, sentUpstream } from './customers.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {'send' | 'code' | 'verify' | 'job' | 'read' | 'templates'} Kind */
/**
 * @typedef {object} LoadAnswer response to one request
 * @property {Kind} kind
 * @property {number} n
 * @property {string[]} to phones of a code, a verification or a job, unique to this request
 * @property {string} otp
 * @property {number} status 0: no response
 * @property {string} [id]
 * @property {string} [code] error code
 * @property {string} [requestId] request id of an error
 * @property {string} [upstreamId]
 * @property {number} startedAt in milliseconds
 * @property {number} durationMs
 */

const VERIFIED_TOGETHER = 20;
const CONTACTS = 5;
const VERIFY_TOKEN = 'outage';
const CREDITS = 1_000_000;
/** Number of callers of each kind. */
const CALLERS = { send: 2, code: 2, job: 1, read: 1, templates: 1 };
/** Number of concurrent sends of one caller. The gateway publishes the sends of one tick as a single broker message. */
const SENDS_TOGETHER = 4;
const PAUSE_MS = { send: 60, code: 120, job: 250, read: 120, templates: 250 };
const PAUSE_AFTER_REFUSAL_MS = 150;
/** Timeout far above the guaranteed response time, so that a hanging request is reported as late and not as missing. */
const GIVE_UP_MS = 20_000;
const SETTLE_TIMEOUT_MS = 120_000;
const TEMPLATE = { name: 'hello_world', language: { code: 'en_US' } };

/**
 * Continuously makes requests of every kind, without retries: sends, codes, bulk jobs and reads. Receives the webhooks
 * for them.
 * @param {Installation} installation
 * @param {string} name name of the load's account
 * @param {{ slower?: number }} [options] `slower`: factor on each caller's pauses
 */
export async function startMixedLoad(installation, name, { slower = 1 } = {}) {
  const { receiver, customer, contacts, target } = await prepareLoad(installation, name);
  /** @type {LoadAnswer[]} */
  const answers = [];
  let running = true;
  let next = 0;
  const call = async (/** @type {keyof typeof CALLERS} */ kind) => {
    while (running) {
      const asked = Array.from({ length: kind === 'send' ? SENDS_TOGETHER : 1 }, () => ask(kind, next++, target));
      const told = await Promise.all(asked);
      answers.push(...told);
      await delay(slower * (told.every(isGood) ? PAUSE_MS[kind] : PAUSE_AFTER_REFUSAL_MS));
    }
  };
  const kinds = /** @type {(keyof typeof CALLERS)[]} */ (Object.keys(CALLERS));
  const callers = Promise.all(kinds.flatMap((kind) => Array.from({ length: CALLERS[kind] }, () => call(kind))));
  return {
    kinds,
    answers,
    customer,
    /** Phones with open service windows. */
    contacts,
    /** Base of the URLs, to which paths of the API description are relative. */
    origin: new URL(installation.baseUrl).origin,
    /** Statuses received by the customer's server, with message and event ids. */
    events: receiver.events,
    /** All requests received by the customer's server. */
    hits: receiver.hits,
    /** Initial balance. */
    credits: CREDITS,
    /** Events whose signature does not match the endpoint's secret. */
    forged: receiver.forged,
    async stop() {
      running = false;
      await callers;
    },
    close: receiver.close,
  };
}

/** @typedef {Awaited<ReturnType<typeof startMixedLoad>>} MixedLoad */

/**
 * Sets up a load: an account with credits, contacts with open service windows, the code template and a webhook
 * endpoint.
 * @param {Installation} installation
 * @param {string} name name of the account
 */
export async function prepareLoad(installation, name) {
  const receiver = await startReceiver();
  const customer = await newCustomer(installation, name, { credits: CREDITS });
  const contacts = newPhones(CONTACTS);
  const setTemplate = () =>
    installation.ops('otp', 'set', '--account', customer.accountId, '--template', 'verification_code');
  const isSet = () =>
    setTemplate().then(
      () => true,
      () => false,
    );
  const endpoint = ['--account', customer.accountId, '--url', receiver.url, '--verify-token', VERIFY_TOKEN];
  await Promise.all([
    openWindows(installation, customer, contacts),
    installation.ops('webhooks', 'set', ...endpoint).then(({ secret }) => receiver.expectSecret(secret)),
    eventually('the template to be read', isSet, { timeoutMs: 180_000, everyMs: 500 }),
  ]);
  const target = { baseUrl: installation.baseUrl, apiKey: customer.apiKey, contacts };
  return { receiver, customer, contacts, target };
}

export function isGood(/** @type {{ status: number }} */ { status }) {
  return status >= 200 && status < 300;
}

/**
 * Waits until all work has settled, then compares the responses with the actual sends, codes, jobs and webhooks.
 * @param {Installation} installation
 * @param {Pick<MixedLoad, 'answers' | 'customer' | 'events' | 'forged'>} load a load that has stopped
 * @param {{ isSettled?: () => Promise<boolean>, mayMiss?: (missing: string) => boolean }} [options] by default, work
 * has settled when every message is read or failed and every delivery has ended; `mayMiss`: accepts a missing webhook
 */
export async function compareLoad(installation, { answers, customer, events, forged }, options = {}) {
  const { isSettled = async () => (await countOpen(installation, customer)) === 0, mayMiss = () => false } = options;
  await eventually('all to settle', isSettled, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 250 }).catch(() =>
    log('not everything settled in time'),
  );
  const facts = await readFacts(installation, customer);
  const { rows } = facts;
  const areTold = () => compareEvents(rows, events).missing.every(mayMiss);
  await eventually('all webhooks', areTold, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 250 }).catch(() =>
    log('some webhooks have not come in time'),
  );
  const ofSends = rows.filter(({ client_ref: ref }) => ref !== null);
  const ids = new Set(rows.filter(({ client_ref: ref }) => ref === null).map(({ id }) => id));
  const sends = compareSends({
    answers: answers.filter(({ kind }) => kind === 'send'),
    rows: ofSends,
    taken: facts.taken.filter(({ opaque = '' }) => !ids.has(opaque)),
  });
  const told = answers
    .filter(({ kind }) => kind === 'code' || kind === 'job')
    .flatMap((answer) => answer.to.map((to) => toldOf(answer, to, facts)));
  const others = compareTruth(told);
  const codes = compareCodes(answers, await verifyCodes(customer, answers));
  const { missing, doubled, again } = compareEvents(rows, events);
  return {
    accepted: answers.filter(isGood).length,
    refused: answers.filter((answer) => !isGood(answer)).length,
    lost: [...sends.lost, ...others.lost, ...missing, ...codes.lost],
    doubled: [...sends.doubled, ...others.doubled, ...doubled, ...codes.doubled],
    unexpected: [...sends.unexpected, ...others.untrue, ...others.unexpected, ...codes.untrue, ...forged()],
    /** Subset of `unexpected`: requests that got a 503 but had an effect. */
    untrue: [...sends.untrue, ...others.untrue, ...codes.untrue],
    /** Redeliveries of events whose attempt record was lost. */
    again,
  };
}

/** @typedef {Awaited<ReturnType<typeof readFacts>>} Facts */

async function readFacts(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const taken = await sentUpstream(installation, customer);
  return withClient(installation.databaseUrl, async (client) => {
    const read = async (/** @type {string} */ sql) => (await client.query(sql, [customer.accountId])).rows;
    const messages =
      "SELECT id, client_ref, state, upstream_id, send_attempts FROM messaging.messages WHERE direction = 'outbound' AND account_id = $1";
    const phones = async (/** @type {string} */ from) =>
      countEach((await read(`SELECT phone FROM ${from} account_id = $1`)).map(({ phone }) => phone));
    const sends = countEach(taken.flatMap(({ to, count }) => Array.from({ length: count }, () => to.replace('+', ''))));
    return {
      taken,
      rows: await read(messages),
      code: await phones(CODES),
      job: await phones('jobs.recipients WHERE'),
      sends,
    };
  });
}

/** An abandoned send was never submitted and never will be. */
const CODES = "otp.sends WHERE state <> 'abandoned' AND";

/** Builds the comparison. Accepted requests must have been sent, and rejected ones must have had no effect. */
function toldOf(/** @type {LoadAnswer} */ { kind, status }, /** @type {string} */ to, /** @type {Facts} */ facts) {
  const sent = facts.sends.get(to) ?? 0;
  const known = facts[kind === 'code' ? 'code' : 'job'].get(to) ?? 0;
  // The upstream platform failed, or too little time was left to call it. The failure is stored, and nothing was sent.
  const scenario = `${kind} to ${to}`;
  if (status === 502) return { scenario, status: 503, effects: sent };
  return { scenario, status, effects: isGood({ status }) ? sent : Math.max(sent, known) };
}

/**
 * Verifies every code after the outage, in small batches, because hundreds at once would be rejected as overload.
 * @returns {Promise<Map<number, number>>} status by request number of the code
 */
async function verifyCodes(/** @type {Customer} */ { call }, /** @type {LoadAnswer[]} */ answers) {
  const codes = answers.filter((answer) => answer.kind === 'code' && isGood(answer));
  const verified = new Map();
  for (let from = 0; from < codes.length; from += VERIFIED_TOGETHER) {
    const some = codes.slice(from, from + VERIFIED_TOGETHER);
    await Promise.all(
      some.map(async ({ n, to: [phone], otp }) => {
        const { status } = await call('POST', '/otp/verify', { phone, otp });
        verified.set(n, status);
      }),
    );
  }
  return verified;
}

async function countOpen(/** @type {Installation} */ { databaseUrl }, /** @type {Customer} */ { accountId }) {
  const sql = `SELECT (SELECT count(*) FROM messaging.messages WHERE account_id = $1 AND direction = 'outbound' AND state NOT IN ('read', 'failed'))::int
    + (SELECT count(*) FROM gateway.open_sends WHERE account_id = $1)::int
    + (SELECT count(*) FROM otp.sends WHERE account_id = $1 AND state = 'open')::int
    + (SELECT count(*) FROM jobs.recipients WHERE account_id = $1 AND status NOT IN ('read', 'failed'))::int
    + (SELECT count(*) FROM webhooks.pending_deliveries WHERE account_id = $1)::int AS count`;
  const { rows } = await withClient(databaseUrl, (client) => client.query(sql, [accountId]));
  return Number(rows[0].count);
}

/** @typedef {{ baseUrl: string, apiKey: string, contacts: string[] }} Target */

/**
 * Makes one request, without retries.
 * @param {Kind} kind
 * @param {number} n unique in the account
 * @param {Target} target
 * @param {{ to?: string[], otp?: string, key?: string }} [options] `to`: phones of a code, a verification or a job,
 * random by default; `key`: Idempotency-Key
 * @returns {Promise<LoadAnswer>}
 */
export async function ask(
  kind,
  n,
  { baseUrl, apiKey, contacts },
  { to = [newPhone()], otp = String(randomInt(1e5, 1e6)), key } = {},
) {
  const contact = contacts[n % contacts.length];
  const { path, body } = /** @type {Record<Kind, { path: string, body?: object }>} */ ({
    send: {
      path: '/messages/send',
      body: { to: contact, type: 'text', text: { body: `Message ${n}` }, clientRef: refOf(n) },
    },
    code: { path: '/messages/send/authentication/utility', body: { to: to[0], otp, expiryMinutes: 60 } },
    verify: { path: '/otp/verify', body: { phone: to[0], otp } },
    job: { path: '/messages/send/bulk', body: { recipients: to, type: 'template', template: TEMPLATE } },
    read: { path: '/messages?limit=5' },
    templates: { path: '/templates' },
  })[kind];
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
  };
  const startedAt = Date.now();
  const request = {
    headers,
    signal: AbortSignal.timeout(GIVE_UP_MS),
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  };
  const { status, json } = await fetch(`${baseUrl}${path}`, request)
    .then(async (answer) => ({ status: answer.status, json: await answer.json() }))
    .catch(() => ({ status: 0, json: {} }));
  const {
    id,
    message_id: upstreamId,
    code,
    requestId,
  } = /** @type {{ id?: string, message_id?: string, code?: string, requestId?: string }} */ (json);
  return { kind, n, to, otp, status, id, upstreamId, code, requestId, startedAt, durationMs: Date.now() - startedAt };
}

/** Returns a phone that no other request uses. */
export function newPhone() {
  return `9197${randomInt(1e8, 1e9)}`;
}

/** Starts a customer's server that passes the challenge and records every event with its signature. */
async function startReceiver() {
  /** @type {import('./compare-deliveries.mjs').Hit[]} */
  const hits = [];
  let secret = '';
  /** @type {{ text: string, signature: unknown }[]} */
  const signed = [];
  /** @type {import('./compare-events.mjs').Told[]} */
  const events = [];
  const server = createServer(async (request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://x').searchParams.get('hub.challenge') ?? '';
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.method === 'POST') {
      const attempt = Number(request.headers['x-service-attempt']);
      const eventId = String(request.headers['x-service-event-id']);
      hits.push({ eventId, attempt, path: request.url ?? '' });
      signed.push({ text, signature: request.headers['x-service-signature'] });
      events.push(JSON.parse(text));
    }
    response.end(challenge);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const expectSecret = (/** @type {string} */ given) => void (secret = given);
  // Check signatures at the end, because the first events may arrive before the response with the secret.
  const forged = () =>
    signed
      .filter(
        ({ text, signature }) => signature !== `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      )
      .map(({ text }) => `a webhook came with another signature: ${text.slice(0, 100)}`);
  return { url: `http://127.0.0.1:${port}/hook`, events, hits, forged, expectSecret, close };
}
