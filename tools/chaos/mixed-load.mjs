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
 * @property {string[]} to phones of a code, a verification or a job, which no other request has
 * @property {string} otp
 * @property {number} status 0: no response at all
 * @property {string} [id]
 * @property {string} [code] of an error
 * @property {string} [requestId] of an error
 * @property {string} [upstreamId]
 * @property {number} startedAt in milliseconds
 * @property {number} durationMs
 */

const VERIFIED_TOGETHER = 20;
const CONTACTS = 5;
const VERIFY_TOKEN = 'outage';
const CREDITS = 1_000_000;
/** How many callers each kind has. */
const CALLERS = { send: 2, code: 2, job: 1, read: 1, templates: 1 };
/** Sends of one caller at a time: what the gateway sends in one turn leaves as one message of the broker. */
const SENDS_TOGETHER = 4;
const PAUSE_MS = { send: 60, code: 120, job: 250, read: 120, templates: 250 };
const PAUSE_AFTER_REFUSAL_MS = 150;
/** Far above what is promised, so that a request that hangs is seen as late and not as unanswered. */
const GIVE_UP_MS = 20_000;
const SETTLE_TIMEOUT_MS = 120_000;
const TEMPLATE = { name: 'hello_world', language: { code: 'en_US' } };

/**
 * Everything that customers do, again and again and each request once: sends, codes, bulk jobs, reads, and webhooks for
 * what is sent.
 * @param {Installation} installation
 * @param {string} name of its account
 * @param {{ slower?: number }} [options] so many times longer each caller pauses
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
    /** Phones whose service windows are open. */
    contacts,
    /** Where the load is sent to, as paths of the API's description begin. */
    origin: new URL(installation.baseUrl).origin,
    /** What the customer's server was told: which status of which message, by which event. */
    events: receiver.events,
    /** Every request that the customer's server saw. */
    hits: receiver.hits,
    /** The balance at the beginning. */
    credits: CREDITS,
    /** Events whose signature was not made with the endpoint's secret. */
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
 * Creates all that a load needs: an account with credits, contacts with open service windows, the template of codes,
 * and a webhook endpoint.
 * @param {Installation} installation
 * @param {string} name of the account
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

/** Whether a request was carried out. */
export function isGood(/** @type {{ status: number }} */ { status }) {
  return status >= 200 && status < 300;
}

/**
 * Waits until all is settled and compares what the load was told with what there is: sends, codes, jobs, webhooks.
 * @param {Installation} installation
 * @param {Pick<MixedLoad, 'answers' | 'customer' | 'events' | 'forged'>} load which has stopped
 * @param {{ isSettled?: () => Promise<boolean>, mayMiss?: (missing: string) => boolean }} [options] by default all is
 * settled when every message was read or failed, and every delivery ended; `mayMiss`: a webhook that is not awaited
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
    /** Those of `unexpected` that were answered 503 although something was done. */
    untrue: [...sends.untrue, ...others.untrue, ...codes.untrue],
    /** Deliveries of an event beyond its first: the attempt's record was lost. */
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

/** One that was abandoned was not handed over and never will be. */
const CODES = "otp.sends WHERE state <> 'abandoned' AND";

/** What was accepted must be sent; of what was refused nothing may be there at all. */
function toldOf(/** @type {LoadAnswer} */ { kind, status }, /** @type {string} */ to, /** @type {Facts} */ facts) {
  const sent = facts.sends.get(to) ?? 0;
  const known = facts[kind === 'code' ? 'code' : 'job'].get(to) ?? 0;
  // The upstream platform failed, or too little time was left to call it: the failure is on record, and nothing was
  // sent.
  const scenario = `${kind} to ${to}`;
  if (status === 502) return { scenario, status: 503, effects: sent };
  return { scenario, status, effects: isGood({ status }) ? sent : Math.max(sent, known) };
}

/**
 * Verifies every code that was sent, once the outage is over. Some at a time: hundreds at once would be refused as too
 * many for the machine.
 * @returns {Promise<Map<number, number>>} the status by the number of the code's request
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
 * Sends one request, once.
 * @param {Kind} kind
 * @param {number} n unique in the account
 * @param {Target} target
 * @param {{ to?: string[], otp?: string, key?: string }} [options] `to`: phones of a code, a verification or a job, by
 * default a random one; `key`: its Idempotency-Key
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

/** A phone that no other request has. */
export function newPhone() {
  return `9197${randomInt(1e8, 1e9)}`;
}

/** A customer's server that passes the challenge, notes every event and its signature. */
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
  // Judged at the end: the first events may come before the answer that holds the secret.
  const forged = () =>
    signed
      .filter(
        ({ text, signature }) => signature !== `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      )
      .map(({ text }) => `a webhook came with another signature: ${text.slice(0, 100)}`);
  return { url: `http://127.0.0.1:${port}/hook`, events, hits, forged, expectSecret, close };
}
