// @ts-check
import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import { eventually } from '../lib/wait.mjs';
import { newCustomer, newPhones, openWindows } from './customers.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */

const VERIFY_TOKEN = 'slope';
const CONTACTS = 20;
const RECIPIENTS = 20;
const PAGES = [
  '/messages?limit=20',
  '/conversations?limit=20',
  '/contacts?limit=20',
  '/jobs?limit=20',
  '/templates',
  '/me',
];
const JOB = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };

/**
 * Starts a steady, bounded load of everything that a customer does: sends with callbacks and webhooks, codes, lists,
 * jobs and spreadsheets.
 * @param {Installation} installation
 * @param {{ sendsPerSecond: number }} options other requests are proportional: a list per two sends, a code per ten, a
 * job and a spreadsheet per hundred
 */
export async function startSteadyLoad(installation, { sendsPerSecond }) {
  const receiver = await startReceiver();
  const customer = await newCustomer(installation, 'slope', { credits: 1_000_000 });
  const contacts = newPhones(CONTACTS);
  await openWindows(installation, customer, contacts);
  await installation.ops(
    'webhooks',
    'set',
    '--account',
    customer.accountId,
    '--url',
    receiver.url,
    '--verify-token',
    VERIFY_TOKEN,
  );
  const setTemplate = () =>
    installation.ops('otp', 'set', '--account', customer.accountId, '--template', 'verification_code').then(
      () => true,
      () => false,
    );
  await eventually('the template to be read', setTemplate, { timeoutMs: 60_000, everyMs: 500 });
  const sheet = await sheetOf(contacts);
  const counts = { sends: 0, lists: 0, codes: 0, jobs: 0, sheets: 0, refused: 0 };
  const stopping = new AbortController();
  /** Repeats an action at a fixed rate, regardless of its duration. */
  const repeat = async (
    /** @type {Exclude<keyof typeof counts, 'refused'>} */ name,
    /** @type {number} */ perSecond,
    /** @type {(n: number) => Promise<number>} */ work,
  ) => {
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      const [status] = await Promise.all([work(n).catch(() => 0), delay(1_000 / perSecond)]);
      counts[name] += 1;
      if (status === 0 || status >= 300) counts.refused += 1;
    }
  };
  const { call } = customer;
  const post = async (/** @type {string} */ path, /** @type {object} */ body) =>
    Number((await call('POST', path, body))['status']);
  const send = (/** @type {number} */ n) =>
    post('/messages/send', {
      to: contacts[n % CONTACTS],
      type: 'text',
      text: { body: `Message ${n}: ${'x'.repeat(200)}` },
    });
  const list = async (/** @type {number} */ n) =>
    Number((await call('GET', String(PAGES[n % PAGES.length])))['status']);
  const loops = [
    repeat('sends', sendsPerSecond, send),
    repeat('lists', sendsPerSecond / 2, list),
    repeat('codes', sendsPerSecond / 10, () => sendCode(post)),
    repeat('jobs', sendsPerSecond / 100, () =>
      post('/messages/send/bulk', { ...JOB, recipients: contacts.slice(0, RECIPIENTS) }),
    ),
    repeat('sheets', sendsPerSecond / 100, () => upload(installation, customer, sheet)),
  ];
  return {
    counts,
    webhooks: receiver.count,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      receiver.close();
    },
  };
}

/** Sends a code to an unused phone and verifies it. */
async function sendCode(/** @type {(path: string, body: object) => Promise<number>} */ post) {
  const [to, otp] = [`9197${randomInt(1e7, 1e8)}`, String(randomInt(1e5, 1e6))];
  const sent = await post('/messages/send/authentication/utility', { to, otp });
  return sent === 200 ? post('/otp/verify', { phone: to, otp }) : sent;
}

async function upload(
  /** @type {Installation} */ { baseUrl },
  /** @type {Customer} */ { apiKey },
  /** @type {Uint8Array<ArrayBuffer>} */ sheet,
) {
  const form = new FormData();
  form.set('templateName', 'hello_world');
  form.set('language', 'en_US');
  form.set('customerExcel', new File([sheet], 'recipients.xlsx'));
  const answer = await fetch(`${baseUrl}/messages/send/bulk/excel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function sheetOf(/** @type {string[]} */ phones) {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Recipients').addRows([['phone'], ...phones.map((phone) => [phone])]);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** Starts a customer's server that passes the challenge and accepts every event. */
async function startReceiver() {
  let count = 0;
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://x').searchParams.get('hub.challenge');
    request.resume().on('end', () => {
      if (request.method === 'POST') count += 1;
      response.writeHead(200).end(challenge ?? '');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/hook`, count: () => count, close };
}
