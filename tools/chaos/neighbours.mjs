// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { withClient } from '../infra/postgres-login.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareNeighbours, isBounded } from './compare-neighbours.mjs';
import { newCustomer, newPhones } from './customers.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {import('./compare-neighbours.mjs').Answer} Answer */

const READERS = 12;
/** Number of concurrent reads, which exceeds what a gateway serves and queues for one account. */
const READS_AT_ONCE = 80;
/** Delay before a rejected request is retried. The plan has no rate limit, which would otherwise bound the load. */
const AGAIN_MS = 500;
const REQUESTS_PER_SECOND = 15;
const SHEET_ROWS = 20_000;
const LONG_TEXT = 32_000;
const GIVE_UP_MS = 60_000;
/** Time for the load to reach its full rate. */
const SWING_MS = 1_000;

/**
 * Proves guarantee 30 of ADR 41. One account reads its long list of messages from twelve readers, sends bodies with
 * tens of thousands of keys, and uploads spreadsheets that are small but expensive. Another account's requests take
 * hardly longer, and none fails.
 */
export const neighbours = chaosTest({
  about:
    "lets one account make the most expensive reads, uploads and sends; compares another account's requests with the same ones alone",
  takes: { long: '5 minutes', short: '1 minute' },
  // The limit is `percent` of the time alone plus `slack` ms, because the 99th percentile of the short form is a single
  // request.
  long: { messages: 500_000, sheets: 7, keys: 60_000, requests: 600, files: 20, percent: 150, slack: 100 },
  short: { messages: 20_000, sheets: 3, requests: 30, files: 2, slack: 1_500 },
  async run(installation, { messages, sheets, keys, requests, files, percent, slack, seed }) {
    const [loud, quiet] = await step('two accounts', () => prepare(installation));
    await step(`${messages} messages of one of them`, () => copyMessages(installation, loud, messages));
    const [hostile, oneRow] = await Promise.all([
      sheetOf(newPhones(SHEET_ROWS), 'long'.repeat(LONG_TEXT / 4)),
      sheetOf(newPhones(1), 'one'),
    ]);
    const ask = () => askAll(installation, quiet, requests);
    const upload = () => uploadAll(installation, quiet, { sheet: oneRow, count: files });
    await ask();
    const alone = { reads: await step('the other one alone', ask), sheets: await step('its files alone', upload) };
    const reading = await beside(readsAndBodies(installation, loud, keys), ask);
    const uploading = await beside(uploads(installation, loud, { sheet: hostile, count: sheets }), upload);
    const atOnce = await readAtOnce(installation, loud);
    const bound = { percent, slack };
    const reads = compareNeighbours({ alone: alone.reads, beside: reading.answers }, bound);
    const oneRows = compareNeighbours({ alone: alone.sheets, beside: uploading.answers }, bound);
    report('requests', reads, reading.noise);
    report('one-row files', oneRows, uploading.noise);
    figures({
      'reads at once': atOnce.length,
      'answered 429': atOnce.filter(({ status }) => status === 429).length,
      seed,
    });
    const isLoud =
      wasLoud(reading.noise, 'GET /v1/messages 200') && wasLoud(uploading.noise, 'POST /v1/messages/send/bulk/excel 4');
    return verdict(isLoud && reads.isKept && oneRows.isKept && isBounded(atOnce), 'one account does not slow another');
  },
});

/** @returns {Promise<[loud: Customer, quiet: Customer]>} */
async function prepare(/** @type {Installation} */ installation) {
  const [loud, quiet] = [await newCustomer(installation, 'loud'), await newCustomer(installation, 'quiet')];
  for (const { accountId, call } of [loud, quiet]) {
    await installation.ops('settings', 'set', '--account', accountId, '--window-policy', 'upstream');
    const hasTemplate = async () => JSON.stringify(await call('GET', '/templates')).includes('hello_world');
    await eventually('the templates to be read', hasTemplate, { timeoutMs: 60_000, everyMs: 500 });
  }
  return [loud, quiet];
}

/** Copies a sent message, with new ids. */
async function copyMessages(
  /** @type {Installation} */ { databaseUrl },
  /** @type {Customer} */ { accountId, call },
  /** @type {number} */ count,
) {
  const { status } = await call('POST', '/messages/send', {
    to: newPhones(1)[0],
    type: 'text',
    text: { body: 'Hello' },
  });
  if (status !== 200) throw new Error(`the first message was answered ${status}`);
  const sql = `
    INSERT INTO messaging.messages (id, account_id, number_id, contact_id, direction, sender, recipient, type,
      content, state, upstream_id, created_at)
    SELECT left(id, -8) || lpad(to_hex(n), 8, '0'), account_id, number_id, contact_id, direction, sender, recipient,
      type, content, 'read',
      'wamid.' || id || n, created_at
    FROM (SELECT * FROM messaging.messages WHERE account_id = $1 LIMIT 1) AS sent, generate_series(1, $2::int) AS n`;
  await withClient(databaseUrl, async (client) => {
    // Disable the triggers, which keep all rows of a statement in memory. They maintain data of this account only.
    await client.query('SET session_replication_role = replica');
    await client.query(sql, [accountId, count]);
    await client.query(
      "INSERT INTO messaging.list_totals (account_id, list, slot, total) VALUES ($1, 'outbound', 99, $2)",
      [accountId, count],
    );
    await client.query('ANALYZE messaging.messages');
  });
}

/** Creates a spreadsheet whose rows share one string. @returns {Promise<Buffer>} */
async function sheetOf(/** @type {string[]} */ phones, /** @type {string} */ text) {
  const out = new PassThrough();
  const content = buffer(out);
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: out, useSharedStrings: true });
  const sheet = book.addWorksheet('Customers');
  sheet.addRow(['phone', 'clientRef']).commit();
  for (const phone of phones) sheet.addRow([phone, text]).commit();
  await book.commit();
  return content;
}

/** Uploads files sequentially. @returns {Promise<Answer[]>} */
async function uploadAll(
  /** @type {Installation} */ { baseUrl },
  /** @type {Customer} */ { apiKey },
  /** @type {{ sheet: Buffer, count: number }} */ { sheet, count },
) {
  /** @type {Answer[]} */
  const answers = [];
  for (let n = 0; n < count; n += 1)
    answers.push(await timed({ url: `${baseUrl}/messages/send/bulk/excel`, apiKey, body: formOf(sheet) }));
  return answers;
}

/** Sends, reads and polls jobs at a steady rate. @returns {Promise<Answer[]>} */
async function askAll(
  /** @type {Installation} */ { baseUrl },
  /** @type {Customer} */ { apiKey },
  /** @type {number} */ count,
) {
  const phones = newPhones(count);
  /** @type {Promise<Answer>[]} */
  const asked = [];
  for (const [n, to] of phones.entries()) {
    const request =
      n % 3 === 0
        ? { path: '/messages/send', body: { to, type: 'text', text: { body: 'Hello' } } }
        : { path: n % 3 === 1 ? '/messages?limit=20' : '/jobs' };
    asked.push(
      timed({ url: baseUrl + request.path, apiKey, ...('body' in request && { body: JSON.stringify(request.body) }) }),
    );
    await delay(1_000 / REQUESTS_PER_SECOND);
  }
  return Promise.all(asked);
}

/** @returns {Promise<Answer>} status 0: no response */
async function timed(/** @type {{ url: string, apiKey: string, body?: string | FormData }} */ { url, apiKey, body }) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  };
  const startedAt = performance.now();
  const status = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(GIVE_UP_MS),
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
  return {
    name: `${body === undefined ? 'GET' : 'POST'} ${new URL(url).pathname}`,
    ms: performance.now() - startedAt,
    status,
  };
}

/**
 * @typedef {{ stop: () => Promise<Record<string, number>> }} Noise `stop` returns the number of responses by request
 * and status
 */

/** @returns {Promise<{ answers: Answer[], noise: Record<string, number> }>} */
async function beside(/** @type {() => Noise} */ begin, /** @type {() => Promise<Answer[]>} */ ask) {
  const { stop } = begin();
  await delay(SWING_MS);
  try {
    const answers = await step('both', ask);
    return { answers, noise: await stop() };
  } finally {
    await stop();
  }
}

/** Starts twelve readers of a status without messages, and sends requests with very many JSON keys. */
function readsAndBodies(
  /** @type {Installation} */ installation,
  /** @type {Customer} */ customer,
  /** @type {number} */ keys,
) {
  const extra = Object.fromEntries(Array.from({ length: keys }, (_, n) => [`key${n}`, n]));
  const message = JSON.stringify({ to: newPhones(1)[0], type: 'text', text: { body: 'Hello' }, ...extra });
  const bulk = JSON.stringify({
    recipients: [{ to: newPhones(1)[0], variables: extra }],
    type: 'template',
    template: { name: 'hello_world', language: { code: 'en_US' } },
  });
  return () =>
    makeNoise(installation, customer, [
      ...Array.from({ length: READERS }, () => () => ({ path: '/messages?status=sent&limit=100' })),
      () => ({ path: '/messages/send', body: message }),
      () => ({ path: '/messages/send/bulk', body: bulk }),
    ]);
}

function uploads(
  /** @type {Installation} */ installation,
  /** @type {Customer} */ customer,
  /** @type {{ sheet: Buffer, count: number }} */ { sheet, count },
) {
  return () =>
    makeNoise(
      installation,
      customer,
      Array.from({ length: count }, () => () => ({ path: '/messages/send/bulk/excel', body: formOf(sheet) })),
    );
}

/**
 * Repeats each request concurrently until stopped.
 * @param {Installation} installation
 * @param {Customer} customer
 * @param {(() => { path: string, body?: string | FormData })[]} requests
 * @returns {Noise}
 */
function makeNoise({ baseUrl }, { apiKey }, requests) {
  /** @type {Record<string, number>} */
  const answers = {};
  let running = true;
  const all = Promise.all(
    requests.map(async (next) => {
      while (running) {
        const { path, body } = next();
        const { name, status } = await timed({ url: baseUrl + path, apiKey, body });
        answers[`${name} ${status}`] = (answers[`${name} ${status}`] ?? 0) + 1;
        await delay(status === 200 || status === 201 ? 0 : AGAIN_MS);
      }
    }),
  );
  return {
    async stop() {
      running = false;
      await all;
      return answers;
    },
  };
}

/** @returns {Promise<{ status: number, retryAfter: string | null }[]>} */
function readAtOnce(/** @type {Installation} */ { baseUrl }, /** @type {Customer} */ { apiKey }) {
  const read = async () => {
    const answer = await fetch(`${baseUrl}/messages?status=sent&limit=100`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
  };
  return Promise.all(Array.from({ length: READS_AT_ONCE }, read));
}

const wasLoud = (/** @type {Record<string, number>} */ noise, /** @type {string} */ kind) =>
  Object.keys(noise).some((name) => name.startsWith(kind));

function formOf(/** @type {Buffer} */ sheet) {
  const form = new FormData();
  form.append('templateName', 'hello_world');
  form.append('language', 'en_US');
  form.append('customerExcel', new Blob([new Uint8Array(sheet)]), 'customers.xlsx');
  return form;
}

function report(
  /** @type {string} */ what,
  /** @type {ReturnType<typeof compareNeighbours>} */ { p50Alone, p99Alone, p50Beside, p99Beside, most, failed },
  /** @type {Record<string, number>} */ noise,
) {
  figures({
    [`${what} alone`]: `p50 ${p50Alone} ms, p99 ${p99Alone} ms`,
    [`${what} beside`]: `p50 ${p50Beside} ms, p99 ${p99Beside} ms (at most ${most} ms), ${failed.length} failed`,
    ...noise,
  });
  problems({ failed });
}
