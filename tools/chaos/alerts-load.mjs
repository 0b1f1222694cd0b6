// @ts-check
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { newCustomer, newPhones, openWindows } from './customers.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {Awaited<ReturnType<typeof startAlertLoad>>} AlertLoad */

const VERIFY_TOKEN = 'alerts';
const CONTACTS = 5;
const CALLERS = 20;
/** Number of callers that send in normal mode. In fast mode, all callers send. */
const QUIET_CALLERS = 2;
const PAUSE_MS = 250;
const HURRIED_PAUSE_MS = 20;
const GIVE_UP_MS = 20_000;

/**
 * Starts a customer's background traffic: a few sends per second, with a webhook for their statuses.
 * @param {Installation} installation
 */
export async function startAlertLoad(installation) {
  let answerAfterMs = 0;
  const receiver = createServer((request, response) => {
    const challenge = new URL(request.url ?? '', 'http://receiver').searchParams.get('hub.challenge');
    request.resume().on('end', () => void setTimeout(() => response.end(challenge ?? 'ok'), answerAfterMs));
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (receiver.address());
  const customer = await newCustomer(installation, 'alerts');
  const contacts = newPhones(CONTACTS);
  const endpoint = ['--url', `http://127.0.0.1:${port}/`, '--verify-token', VERIFY_TOKEN];
  const [set] = await Promise.all([
    installation.ops('webhooks', 'set', '--account', customer.accountId, ...endpoint),
    openWindows(installation, customer, contacts),
  ]);
  let running = true;
  let isHurried = false;
  let sent = 0;
  const headers = { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' };
  const send = async (/** @type {number} */ n) => {
    const body = JSON.stringify({ to: contacts[n % CONTACTS], type: 'text', text: { body: `Message ${n}` } });
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(GIVE_UP_MS) };
    const answer = await fetch(`${installation.baseUrl}/messages/send`, request);
    await answer.arrayBuffer();
  };
  const call = async (/** @type {number} */ caller) => {
    while (running) {
      if (isHurried || caller < QUIET_CALLERS) await send(sent++).catch(() => undefined);
      await delay(isHurried ? HURRIED_PAUSE_MS : PAUSE_MS);
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return {
    customer,
    endpointId: String(set['endpointId']),
    /** Sets the delay of the customer's webhook responses. */
    answerAfter(/** @type {number} */ ms) {
      answerAfterMs = ms;
    },
    /** Switches fast mode, in which every caller sends without long pauses. */
    hurry(/** @type {boolean} */ yes) {
      isHurried = yes;
    },
    async stop() {
      running = false;
      await callers;
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
