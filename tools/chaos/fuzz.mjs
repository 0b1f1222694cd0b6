// @ts-check
import ExcelJS from 'exceljs';
import { loadFuzzer } from '../fuzz/load.mjs';
import { printReport } from '../fuzz/report.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { control, newCustomer, newPhones, openWindows } from './customers.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */

const DAY_MS = 86_400_000;
const CONCURRENCY = 4;
const CONTACTS = 10;
const SCHEDULED_JOBS = 10;
const FAILED_JOBS = 5;
/** Generous timeout, because all services share the machine. The gateway's own tests check response times. */
const LIMIT_MS = 10_000;
const CODE = '482913';
/** Recipient for whom the simulator fails every message. */
const FAILING = '15005550126';
const JOB = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };
/** Services that the public API calls. */
const ASKED = ['messaging', 'templates', 'otp', 'jobs'];

/**
 * Proves guarantee 24 of ADR 41: no input causes a 5xx. The account has every kind of object that the API can reference
 * (contacts, codes, jobs in every state, a file), so that requests pass the gateway's checks and reach the services'
 * SQL. The run fails when an operation never succeeded.
 */
export const fuzz = chaosTest({
  about:
    'sends generated, mostly invalid requests to the real services; reports 5xx, malformed responses and operations that never succeeded',
  takes: { long: '10 minutes', short: '30 s' },
  long: { requests: 50_000 },
  short: { requests: 3_000 },
  async run(installation, { requests, seed }) {
    const already = installation.exits().length;
    const [customer, fuzzer] = await step('account, messages, codes, jobs', () =>
      Promise.all([prepare(installation), loadFuzzer()]),
    );
    const url = installation.baseUrl.replace(/\/v1$/, '');
    const description = /** @type {any} */ (await (await fetch(`${installation.baseUrl}/openapi.json`)).json());
    const known = valuesFor(await fuzzer.knownValues(url, customer.apiKey));
    const before = await commandsHandled(installation);
    const options = {
      url,
      apiKey: customer.apiKey,
      description,
      known,
      files: { customerExcel: await sheetOf(known['to'] ?? []) },
    };
    const report = await step(`${requests} requests`, () =>
      fuzzer.fuzz({ ...options, requests, concurrency: CONCURRENCY, seed, limitMs: LIMIT_MS }),
    );
    const handled = difference(await commandsHandled(installation), before);
    const unreached = fuzzer
      .operationsOf(options.description)
      .map(({ operationId }) => operationId)
      .filter((id) => !report.accepted[id]);
    const idle = ASKED.filter((service) =>
      handled.every(({ contract, count }) => !contract.startsWith(`${service}.`) || count === 0),
    );
    figures(Object.fromEntries(ASKED.map((service) => [`${service} handled`, listOf(handled, service)])));
    problems({ 'never answered with success': unreached, 'service that handled no command': idle });
    const isClean = printReport(report, { exits: installation.exits().slice(already) });
    return verdict(isClean && unreached.length + idle.length === 0, 'no 5xx, and every operation reached its service');
  },
});

/**
 * Returns existing ids of the account, and valid values for fields in which random ones would rarely pass.
 * @returns {Record<string, string[]>}
 */
function valuesFor(/** @type {Record<string, string[]>} */ found) {
  const inDays = (/** @type {number} */ days) => new Date(Date.now() + days * DAY_MS).toISOString();
  const chosen = {
    otp: [CODE],
    templateName: [JOB.template.name],
    recipients: found['to'] ?? [],
    scheduledAt: [inDays(1)],
    expireAt: [inDays(2)],
  };
  return { ...found, ...chosen };
}

/** @returns {Promise<Customer>} customer with one object for each id in the API */
async function prepare(/** @type {Installation} */ installation) {
  const customer = await newCustomer(installation, 'fuzz', { credits: 1_000_000 });
  const { accountId, phoneNumber, call } = customer;
  const phones = newPhones(CONTACTS);
  await openWindows(installation, customer, phones);
  await control(installation, 'inbound', { from: phones[0], to: phoneNumber, type: 'image' });
  const setTemplate = () =>
    installation.ops('otp', 'set', '--account', accountId, '--template', 'verification_code').then(
      () => true,
      () => false,
    );
  await eventually('the template to be read', setTemplate, { timeoutMs: 180_000, everyMs: 500 });
  for (const to of phones)
    await mustCall(customer, '/messages/send/authentication/utility', { to, otp: CODE, expiryMinutes: 60 });
  const scheduledAt = new Date(Date.now() + DAY_MS).toISOString();
  for (let count = 0; count < SCHEDULED_JOBS; count += 1)
    await mustCall(customer, '/messages/send/bulk', { ...JOB, recipients: phones, scheduledAt });
  for (let count = 0; count < FAILED_JOBS; count += 1)
    await mustCall(customer, '/messages/send/bulk', { ...JOB, recipients: [FAILING, String(phones[count])] });
  const haveFailed = async () => {
    const { jobs } = await call('GET', '/jobs?limit=100');
    return jobs.filter((/** @type {{ failed: number }} */ { failed }) => failed === 1).length === FAILED_JOBS;
  };
  await eventually('the failed recipients', haveFailed, { timeoutMs: 180_000 });
  return customer;
}

async function mustCall(/** @type {Customer} */ { call }, /** @type {string} */ path, /** @type {object} */ body) {
  const answer = await call('POST', path, body);
  if (answer['status'] >= 300) throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
  return answer;
}

/** Creates a spreadsheet of recipients. */
async function sheetOf(/** @type {string[]} */ phones) {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Recipients').addRows([['phone'], ...phones.map((phone) => [phone])]);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/**
 * @typedef {{ contract: string, count: number }} Handled commands that a service executed, or rejected because of its
 * state
 */

/** @returns {Promise<Handled[]>} counts from the services' metrics */
async function commandsHandled(/** @type {Installation} */ installation) {
  const all = await Promise.all(ASKED.map((service) => installation.metrics(service)));
  return all.flatMap((metrics) =>
    [...metrics].flatMap(([name, count]) => {
      const contract = /^switchboard_broker_deliveries_total\{contract="([^"]+)",outcome="handled"\}$/.exec(name)?.[1];
      return contract === undefined ? [] : [{ contract, count }];
    }),
  );
}

function difference(/** @type {Handled[]} */ after, /** @type {Handled[]} */ before) {
  const earlier = new Map(before.map(({ contract, count }) => [contract, count]));
  return after
    .map(({ contract, count }) => ({ contract, count: count - (earlier.get(contract) ?? 0) }))
    .filter(({ count }) => count > 0);
}

function listOf(/** @type {Handled[]} */ handled, /** @type {string} */ service) {
  return handled
    .filter(({ contract }) => contract.startsWith(`${service}.`))
    .map(({ contract, count }) => `${contract.slice(service.length + 1)} ${count}`)
    .join(', ');
}
