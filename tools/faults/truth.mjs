// @ts-check
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { openRpcClient } from './rpc-client.mjs';
import { faultCommand } from './command.mjs';
import { compareTruth, countAnswers, untried } from './compare-truth.mjs';
import { control, newCustomer, newPhones, openWindows } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';
import { DOORS, NOT_TRIED } from './truth-doors.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./truth-doors.mjs').Surroundings} Surroundings */
/** @typedef {import('./compare-truth.mjs').Told} Told */

const OWNERS = ['messaging', 'jobs', 'otp', 'webhooks', 'templates'];
const ALL = ['gateway', ...OWNERS];
/**
 * Kills apart from all others, under so many requests of each door: what these leave in a queue asks other services on
 * the way, and fails while they are away, too. Only with them at work does it show when it is carried out.
 */
const APART = { owners: ['jobs'], doors: ['bulk', 'excel', 'kept sheet'], each: 3 };
/** Keeps requests under way for long enough that a kill meets some of them. */
const LATENCY_MS = 120;
/** All requests of a round come within this time. */
const ASKED_WITHIN_MS = 900;
/**
 * When owners are killed: some requests are answered by then, some are under way, and some come while nobody is there.
 */
const KILLED_FROM_MS = 300;
const KILLED_UNTIL_MS = 1_200;

/** Proves promise 27 of ADR 41: 503 means that nothing was done and nothing will be, 2xx that it is done. */
export const truth = faultCommand({
  about: 'kills the services under every command that changes something; compares each answer with what is there',
  takes: { long: '8 minutes', short: '35 s' },
  // Of each round's account; three requests of each door would need more endpoints than one may have.
  long: { rounds: 9, each: 2 },
  short: { rounds: 1, each: 1 },
  async run(installation, { rounds, each, seed }) {
    const random = randomFrom(seed);
    const receiver = await startReceiver();
    const pool = new pg.Pool({ connectionString: installation.databaseUrl, max: 4 });
    const rpc = await openRpcClient(installation);
    const missing = untried(
      rpc.changing,
      Object.values(DOORS).map(({ command }) => command),
      Object.keys(NOT_TRIED),
    );
    try {
      /** @type {Told[]} */
      const told = [];
      for (let round = 0; round < rounds; round += 1) {
        const surroundings = await step('account, user, template', () =>
          prepare(installation, {
            receiverUrl: receiver.url,
            rpc,
            pool,
            phones: each * Object.keys(DOORS).length + APART.each * APART.doors.length,
          }),
        );
        for (const kills of [{ owners: OWNERS, doors: Object.keys(DOORS), each }, APART]) {
          told.push(
            ...(await step(`kills of ${kills.owners.length} under ${kills.each * kills.doors.length} requests`, () =>
              playRound(surroundings, { ...kills, random }),
            )),
          );
        }
      }
      return report(told, { missing, kills: rounds * (OWNERS.length + APART.owners.length), seed });
    } finally {
      await pool.end();
      await rpc.close();
      receiver.close();
    }
  },
});

/** @returns {Promise<Surroundings>} */
async function prepare(
  /** @type {Installation} */ installation,
  /** @type {{ receiverUrl: string, rpc: import('./rpc-client.mjs').RpcClient, pool: pg.Pool, phones: number }} */ {
    receiverUrl,
    rpc,
    pool,
    phones,
  },
) {
  const customer = await newCustomer(installation, 'truth', { credits: 1_000 });
  const unused = newPhones(phones);
  const [console, template] = await Promise.all([
    signIn(installation, customer.accountId),
    templateOf(customer.call),
    openWindows(installation, customer, unused),
  ]);
  await eventually(
    'the template to be read',
    () =>
      installation.ops('otp', 'set', '--account', customer.accountId, '--template', 'verification_code').then(
        () => true,
        () => false,
      ),
    { timeoutMs: 180_000, everyMs: 500 },
  );
  const phone = () => {
    const next = unused.pop();
    if (next === undefined) throw new Error('there are too few phones');
    return next;
  };
  const count = async (/** @type {string} */ sql, /** @type {unknown[]} */ values) =>
    (await pool.query(sql, values)).rowCount ?? 0;
  return { installation, customer, console, template, rpc, receiverUrl, phone, count };
}

/**
 * @param {Surroundings} surroundings
 * @param {{ owners: string[], doors: string[], each: number, random: () => number }} options each: requests of a door
 * @returns {Promise<Told[]>}
 */
async function playRound(surroundings, { owners, doors, each, random }) {
  const { installation } = surroundings;
  await untilReady(installation, ALL);
  const names = doors.flatMap((door) => Array.from({ length: each }, () => door));
  const knocks = await Promise.all(
    names.map(async (door) => ({
      door,
      ...(await /** @type {import('./truth-doors.mjs').Door} */ (DOORS[door]).prepare(surroundings)),
    })),
  );
  await control(installation, 'faults', { latencyMs: LATENCY_MS });
  const killing = owners.map((owner) =>
    delay(KILLED_FROM_MS + (KILLED_UNTIL_MS - KILLED_FROM_MS) * random()).then(() => installation.kill9(owner)),
  );
  const asked = await Promise.all(
    knocks.map(async ({ door, request, effects }) => {
      await delay(ASKED_WITHIN_MS * random());
      return { door, effects, answer: await request() };
    }),
  );
  await Promise.all(killing);
  await untilReady(installation, ALL);
  await control(installation, 'faults', {});
  return Promise.all(
    asked.map(async ({ door, answer, effects }) => ({ door, status: answer.status, effects: await effects(answer) })),
  );
}

function report(
  /** @type {Told[]} */ told,
  /** @type {{ missing: string[], kills: number, seed: number }} */ { missing, kills, seed },
) {
  const { lost, doubled, untrue, unexpected } = compareTruth(told);
  for (const door of Object.keys(DOORS)) figures({ [door]: countAnswers(told.filter((one) => one.door === door)) });
  const refused = told.filter(({ status }) => status === 503).length;
  figures({
    all: countAnswers(told),
    lost: lost.length,
    doubled: doubled.length,
    'refused and done': untrue.length,
    unexpected: unexpected.length,
    kills,
    seed,
  });
  problems({ lost, doubled, 'refused and done': untrue, unexpected, 'has neither a door nor a reason': missing });
  // A run in which nothing was refused, or nothing else, proves nothing.
  const proves = refused > 0 && refused < told.length;
  return verdict(
    proves && lost.length + doubled.length + untrue.length + unexpected.length + missing.length === 0,
    'what was answered is true',
  );
}

/** @returns {Promise<import('./customers.mjs').Call>} the requests of an owner's page */
async function signIn(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const email = `${accountId}@example.com`;
  const { password } = await installation.ops(
    'users',
    'create',
    '--account',
    accountId,
    '--email',
    email,
    '--name',
    'Owner',
    '--role',
    'owner',
  );
  const base = installation.baseUrl.replace(/\/v1$/, '/console/v1');
  const json = { 'content-type': 'application/json' };
  const session = await fetch(`${base}/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  });
  const { csrfToken } = /** @type {{ csrfToken?: string }} */ (await session.json());
  if (csrfToken === undefined) throw new Error(`signing in was answered ${session.status}`);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (method, path, body) => {
    const headers = { cookie, 'x-csrf-token': csrfToken, ...(body && json) };
    const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { .../** @type {Record<string, any>} */ (await response.json()), status: response.status };
  };
}

/** @returns {Promise<import('./truth-doors.mjs').Template>} one that needs no values */
function templateOf(/** @type {import('./customers.mjs').Call} */ call) {
  const find = async () => {
    const { templates = [] } = await call('GET', '/templates');
    return templates.find(
      (/** @type {{ components: object[] }} */ { components }) => !JSON.stringify(components).includes('{{'),
    );
  };
  return eventually('a template without variables', find, { timeoutMs: 180_000 });
}

/** A customer's server that passes the challenge, after a while. */
async function startReceiver() {
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://receiver').searchParams.get('hub.challenge') ?? '';
    request.resume().on('end', () => setTimeout(() => response.end(challenge), LATENCY_MS));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
