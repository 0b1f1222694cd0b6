// @ts-check
import { randomInt } from 'node:crypto';
import { signIn } from '../lib/console-session.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { eventually } from '../lib/wait.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {(method: string, path: string, body?: object) => Promise<Record<string, any>>} Call */

/**
 * @typedef {object} Customer account that no other test uses
 * @property {string} accountId
 * @property {string} apiKey
 * @property {string} phoneNumber business number
 * @property {string} phoneNumberId upstream id of the business number
 * @property {Call} call calls the API (the path starts after `/v1`); returns the parsed body plus the HTTP `status`
 */

/** Plan of every test customer, with all features and with limits that no test reaches. */
const PLAN = 'chaos';
const FEATURES = ['BULK_MSG_LIMIT', 'BULK_EXCEL', 'MEDIA', 'THIRD_PARTY_API'];
/** The simulator's business account, which owns all its numbers. */
const WABA_ID = '100000000000001';

/** Creates the customers' plan. Runs once when an installation starts. */
export async function addPlan(/** @type {Pick<Installation, 'ops'>} */ { ops }) {
  const figures = ['--rate-limit', '10000000', '--bulk-recipients', '1000000', '--excel-rows', '100000'];
  await ops('plans', 'set', '--name', PLAN, ...figures, ...FEATURES.flatMap((feature) => ['--feature', feature]));
}

/**
 * Creates an account with an API key and a business number.
 * @param {Installation} installation
 * @param {string} name
 * @param {{ credits?: number }} [options] `credits`: initial balance
 * @returns {Promise<Customer>}
 */
export async function newCustomer(installation, name, { credits = 0 } = {}) {
  const { ops } = installation;
  const { accountId } = await ops('accounts', 'create', '--name', name, '--plan', PLAN);
  const [{ apiKey }, number] = await Promise.all([
    ops('keys', 'create', '--account', accountId, '--name', name),
    addNumber(installation, accountId),
    credits > 0 && ops('credits', 'top-up', '--account', accountId, '--amount', String(credits), '--reason', name),
  ]);
  return {
    accountId,
    apiKey,
    ...number,
    call: (method, path, body) => callApi(installation, apiKey, { method, path, body }),
  };
}

/**
 * Adds a business number to an account.
 * @param {Installation} installation
 * @param {string} accountId
 * @returns {Promise<Pick<Customer, 'phoneNumber' | 'phoneNumberId'>>}
 */
export async function addNumber(installation, accountId) {
  const phoneNumber = `1555${randomInt(1_000_000, 9_999_999)}`;
  const phoneNumberId = String(randomInt(1e11, 2e11));
  const number = [
    '--phone-number',
    phoneNumber,
    '--phone-number-id',
    phoneNumberId,
    '--waba-id',
    WABA_ID,
    '--access-token',
    ensureSecrets().accessToken,
  ];
  await control(installation, 'numbers', { id: phoneNumberId, phoneNumber });
  await installation.ops('numbers', 'add', '--account', accountId, ...number);
  return { phoneNumber, phoneNumberId };
}

/**
 * Creates an owner of the account and signs in to the dashboard API.
 * @param {Pick<Installation, 'ops' | 'baseUrl'>} installation
 * @param {{ accountId: string, email?: string }} account
 */
export async function newOwner({ ops, baseUrl }, { accountId, email = `${accountId}@example.com` }) {
  const user = { account: accountId, email, name: 'Owner', role: 'owner' };
  const options = Object.entries(user).flatMap(([option, value]) => [`--${option}`, value]);
  const { password } = await ops('users', 'create', ...options);
  return { email, password: String(password), call: await signIn(baseUrl, { email, password }) };
}

/** Lets each contact write to the customer's number and waits until all service windows are open. */
export async function openWindows(
  /** @type {Installation} */ installation,
  /** @type {Customer} */ { phoneNumber, call },
  /** @type {string[]} */ phones,
) {
  for (const from of phones)
    await control(installation, 'inbound', { from, to: phoneNumber, type: 'text', text: { body: 'Hello' } });
  const areOpen = async () => {
    const { messages = [] } = await call('GET', '/messages?direction=inbound&limit=100');
    return new Set(messages.map((/** @type {{ from: string }} */ { from }) => from)).size >= phones.length;
  };
  await eventually('the windows to open', areOpen, { timeoutMs: 30_000 });
}

const BLOCKS = 900;
let block = randomInt(BLOCKS);

/** Returns at most a million phone numbers that no other test uses. @returns {string[]} */
export function newPhones(/** @type {number} */ count) {
  // Take blocks in sequence: among thirty random blocks, two would coincide in every third run.
  block = (block + 1) % BLOCKS;
  const first = 919_000_000_000 + block * 1_000_000;
  return Array.from({ length: count }, (_, index) => String(first + index));
}

/**
 * Calls the simulator's control API.
 * @param {Pick<Installation, 'simulatorUrl'>} installation
 * @param {string} path path after `/_control/`
 * @param {object} [body] sent as a POST when given
 * @returns {Promise<Record<string, any>>}
 */
export async function control({ simulatorUrl }, path, body) {
  const request = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${simulatorUrl}/_control/${path}`, request);
  if (!answer.ok) throw new Error(`simulator: ${path} was answered ${answer.status}: ${await answer.text()}`);
  return /** @type {Record<string, any>} */ (await answer.json());
}

/**
 * Returns the sends from a business number that the upstream platform accepted, newest first. Limited to the newest
 * 50,000 sends of all customers.
 * @param {Installation} installation
 * @param {Pick<Customer, 'phoneNumberId'>} number
 * @returns {Promise<{ opaque?: string, wamid: string, status: string, to: string, count: number }[]>} `opaque`:
 * internal id; `count`: number of times accepted
 */
export async function sentUpstream(installation, { phoneNumberId }) {
  const { messages } = await control(installation, 'messages?limit=50000');
  return messages.filter((/** @type {{ phoneNumberId: string }} */ message) => message.phoneNumberId === phoneNumberId);
}

async function callApi(
  /** @type {Installation} */ { baseUrl },
  /** @type {string} */ apiKey,
  /** @type {{ method: string, path: string, body?: object }} */ { method, path, body },
) {
  const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { .../** @type {Record<string, any>} */ (await response.json()), status: response.status };
}
