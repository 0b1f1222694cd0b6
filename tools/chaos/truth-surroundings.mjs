// @ts-check
import { createServer } from 'node:http';
import { eventually } from '../lib/wait.mjs';
import { newCustomer, newOwner, newPhones, openWindows } from './customers.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./truth-scenarios.mjs').Surroundings} Surroundings */

/** Delay that keeps requests in flight long enough for a kill to hit some. */
export const LATENCY_MS = 120;

/**
 * Creates an account with all data that a round of scenarios needs.
 * @returns {Promise<Surroundings>}
 */
export async function newSurroundings(
  /** @type {Installation} */ installation,
  /** @type {{ receiverUrl: string, rpc: import('./rpc-client.mjs').RpcClient, pool: import('pg').Pool, phones: number }} */ {
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

/** @returns {Promise<import('./customers.mjs').Call>} console API client of an account owner */
async function signIn(/** @type {Installation} */ installation, /** @type {string} */ accountId) {
  const { call } = await newOwner(installation, { accountId });
  return async (method, path, body) => {
    const answer = await call(method, path, body);
    return { ...answer.body, status: answer.status };
  };
}

/** @returns {Promise<import('./truth-scenarios.mjs').Template>} a template without variables */
function templateOf(/** @type {import('./customers.mjs').Call} */ call) {
  const find = async () => {
    const { templates = [] } = await call('GET', '/templates');
    return templates.find(
      (/** @type {{ components: object[] }} */ { components }) => !JSON.stringify(components).includes('{{'),
    );
  };
  return eventually('a template without variables', find, { timeoutMs: 180_000 });
}

/** Starts a customer's server that passes the challenge after a delay. */
export async function startReceiver() {
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://receiver').searchParams.get('hub.challenge') ?? '';
    request.resume().on('end', () => setTimeout(() => response.end(challenge), LATENCY_MS));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
