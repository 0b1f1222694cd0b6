// @ts-check
import { randomBytes } from 'node:crypto';
import ExcelJS from 'exceljs';
import { sentUpstream } from './customers.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {import('./customers.mjs').Call} Call */
/** @typedef {{ name: string, language: string }} Template */
/** @typedef {{ status: number, [field: string]: any }} Answer */

/**
 * What the doors are tried with.
 * @typedef {object} Surroundings
 * @property {Installation} installation
 * @property {Customer} customer
 * @property {Call} console a request of the console's page; the path begins after `/console/v1`
 * @property {Template} template one without variables
 * @property {string} receiverUrl of a customer's server that passes the challenge
 * @property {() => string} phone a new one at each call, whose service window is open
 * @property {(sql: string, values: unknown[]) => Promise<number>} count
 */

/**
 * One changing request that can be told from all others.
 * @typedef {object} Knock
 * @property {() => Promise<Answer>} request
 * @property {(answer: Answer) => Promise<number>} effects how often its change is there
 */

/** @typedef {(surroundings: Surroundings) => Promise<Knock>} Door makes what its request needs */

const IN_AN_HOUR_MS = 3_600_000;
const MOST_TRIES = 10;
const KINDS = ['phone_number_quality'];

/** The changing requests of API and console, by what they do. @type {Record<string, Door>} */
export const DOORS = {
  send: async ({ installation, customer, phone, count }) => {
    const to = phone();
    return {
      request: () => post(customer.call, '/messages/send', { to, type: 'text', text: { body: 'Hello' } }),
      effects: async () => Math.max(await count("SELECT 1 FROM messaging.messages WHERE direction = 'outbound' AND account_id = $1 AND recipient = $2", [customer.accountId, to]), await sentTo(installation, customer, to)),
    };
  },
  bulk: async (surroundings) => bulkTo(surroundings, surroundings.phone()),
  excel: async ({ installation, customer, template, phone, count }) => {
    const to = phone();
    const file = await sheetOf(to);
    return {
      request: () => postSheet(installation, customer, template, file),
      effects: () => count('SELECT 1 FROM jobs.recipients WHERE account_id = $1 AND phone = $2', [customer.accountId, to]),
    };
  },
  'cancel job': async ({ customer, template, phone, count }) => {
    const body = { ...jobOf(template, phone()), scheduledAt: new Date(Date.now() + IN_AN_HOUR_MS).toISOString() };
    const { jobId } = await mustCall(customer.call, 'POST', '/messages/send/bulk', body);
    return {
      request: () => post(customer.call, `/jobs/${jobId}/cancel`),
      effects: () => count("SELECT 1 FROM jobs.jobs WHERE account_id = $1 AND id = $2 AND status = 'cancelled'", [customer.accountId, jobId]),
    };
  },
  'send code': async ({ installation, customer, phone, count }) => {
    const to = phone();
    return {
      request: () => post(customer.call, '/messages/send/authentication/utility', { to, otp: newCode(), expiryMinutes: 60 }),
      effects: async () => Math.max(await count('SELECT 1 FROM otp.sends WHERE account_id = $1 AND phone = $2', [customer.accountId, to]), await sentTo(installation, customer, to)),
    };
  },
  'verify code': async ({ customer, phone }) => {
    const code = { phone: phone(), otp: newCode() };
    await mustCall(customer.call, 'POST', '/messages/send/authentication/utility', { to: code.phone, otp: code.otp, expiryMinutes: 60 });
    return {
      request: () => post(customer.call, '/otp/verify', code),
      // A code that was not used up verifies now.
      effects: async () => ((await repeated(customer.call, 'POST', '/otp/verify', code))['status'] === 200 ? 0 : 1),
    };
  },
  'create endpoint': async ({ customer, console, receiverUrl, count }) => {
    const url = `${receiverUrl}/${randomBytes(6).toString('hex')}`;
    return {
      request: () => post(console, '/webhook-endpoints', { url, verifyToken: 'token', kinds: KINDS }),
      effects: () => count('SELECT 1 FROM webhooks.endpoints WHERE account_id = $1 AND url = $2', [customer.accountId, url]),
    };
  },
  'change endpoint': async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return { request: () => ask(surroundings.console, 'PATCH', path, { maxInFlight: 7 }), effects: () => count('max_in_flight = 7') };
  },
  'delete endpoint': async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return { request: () => ask(surroundings.console, 'DELETE', path), effects: () => count('deleted_at IS NOT NULL') };
  },
  'rotate secret': async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return { request: () => post(surroundings.console, `${path}/rotate-secret`), effects: () => count('rotation_ends_at IS NOT NULL') };
  },
  'test event': async (surroundings) => {
    const { path, id } = await endpointOf(surroundings);
    return {
      request: () => post(surroundings.console, `${path}/test-events`, { kind: KINDS[0] }),
      effects: () => surroundings.count('SELECT 1 FROM webhooks.delivery_log WHERE account_id = $1 AND endpoint_id = $2', [surroundings.customer.accountId, id]),
    };
  },
  'create draft': async (surroundings) => {
    const draft = newDraft();
    return { request: () => post(surroundings.console, '/template-drafts', draft), effects: () => countDrafts(surroundings, 'name = $2', draft.name) };
  },
  'change draft': async (surroundings) => {
    const id = await draftOf(surroundings);
    return { request: () => ask(surroundings.console, 'PATCH', `/template-drafts/${id}`, { ttlSeconds: 60 }), effects: () => countDrafts(surroundings, 'id = $2 AND ttl_seconds = 60', id) };
  },
  'submit draft': async (surroundings) => {
    const id = await draftOf(surroundings);
    return { request: () => post(surroundings.console, `/template-drafts/${id}/submit`), effects: () => countDrafts(surroundings, "id = $2 AND state <> 'draft'", id) };
  },
  'delete draft': async (surroundings) => {
    const id = await draftOf(surroundings);
    return { request: () => ask(surroundings.console, 'DELETE', `/template-drafts/${id}`), effects: async () => 1 - (await countDrafts(surroundings, 'id = $2', id)) };
  },
};

/** A bulk request that is refused is repeated without a key: then there is one message to its recipient all the same. */
function bulkTo(/** @type {Surroundings} */ { customer, template, count }, /** @type {string} */ to) {
  const countRecipients = () => count('SELECT 1 FROM jobs.recipients WHERE account_id = $1 AND phone = $2', [customer.accountId, to]);
  const request = () => post(customer.call, '/messages/send/bulk', jobOf(template, to));
  const effects = async (/** @type {Answer} */ { status }) => {
    if (status !== 503) return countRecipients();
    const before = await countRecipients();
    const again = await request();
    return again.status < 300 ? before + (await countRecipients()) - 1 : before;
  };
  return { request, effects };
}

async function endpointOf(/** @type {Surroundings} */ { customer, console, receiverUrl, count }) {
  const url = `${receiverUrl}/${randomBytes(6).toString('hex')}`;
  const { endpoint } = await mustCall(console, 'POST', '/webhook-endpoints', { url, verifyToken: 'token', kinds: KINDS });
  const id = String(endpoint.id);
  const countIf = (/** @type {string} */ condition) => count(`SELECT 1 FROM webhooks.endpoints WHERE account_id = $1 AND id = $2 AND ${condition}`, [customer.accountId, id]);
  return { id, path: `/webhook-endpoints/${id}`, count: countIf };
}

async function draftOf(/** @type {Surroundings} */ { console }) {
  const { draft } = await mustCall(console, 'POST', '/template-drafts', newDraft());
  return String(draft.id);
}

function newDraft() {
  return { name: `truth_${randomBytes(6).toString('hex')}`, language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Good morning to you.' }] };
}

function countDrafts(/** @type {Surroundings} */ { customer, count }, /** @type {string} */ condition, /** @type {string} */ value) {
  return count(`SELECT 1 FROM templates.template_drafts WHERE account_id = $1 AND ${condition}`, [customer.accountId, value]);
}

function jobOf(/** @type {Template} */ { name, language }, /** @type {string} */ to) {
  return { recipients: [to], type: 'template', template: { name, language: { code: language } } };
}

async function sheetOf(/** @type {string} */ phone) {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Customers');
  sheet.addRow(['phone']);
  sheet.addRow([phone]);
  return new Uint8Array(/** @type {ArrayBuffer} */ (await book.xlsx.writeBuffer()));
}

async function postSheet(/** @type {Installation} */ { baseUrl }, /** @type {Customer} */ { apiKey }, /** @type {Template} */ { name, language }, /** @type {Uint8Array<ArrayBuffer>} */ file) {
  const body = new FormData();
  body.append('templateName', name);
  body.append('language', language);
  body.append('customerExcel', new File([file], 'customers.xlsx'));
  const answer = await fetch(`${baseUrl}/messages/send/bulk/excel`, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body }).catch(() => undefined);
  await answer?.text();
  return { status: answer?.status ?? 0 };
}

async function sentTo(/** @type {Installation} */ installation, /** @type {Customer} */ customer, /** @type {string} */ to) {
  const sends = (await sentUpstream(installation, customer)).filter((send) => send.to.replace('+', '') === to);
  return sends.reduce((sum, { count }) => sum + count, 0);
}

function newCode() {
  return String(100_000 + (randomBytes(4).readUInt32BE() % 900_000));
}

const post = (/** @type {Call} */ call, /** @type {string} */ path, body = {}) => ask(call, 'POST', path, body);

/** No answer at all is status 0. @returns {Promise<Answer>} */
async function ask(/** @type {Call} */ call, /** @type {string} */ method, /** @type {string} */ path, /** @type {object | undefined} */ body = undefined) {
  return /** @type {Answer} */ (await call(method, path, body).catch(() => ({ status: 0 })));
}

/** Repeats what is refused on a machine that is busy with other things: nothing was done then. */
async function repeated(/** @type {Call} */ call, /** @type {string} */ method, /** @type {string} */ path, /** @type {object} */ body) {
  for (let tries = 1; ; tries += 1) {
    const answer = await call(method, path, body);
    if (answer['status'] !== 503 || tries === MOST_TRIES) return answer;
  }
}

async function mustCall(/** @type {Call} */ call, /** @type {string} */ method, /** @type {string} */ path, /** @type {object} */ body) {
  const answer = await repeated(call, method, path, body);
  if (answer['status'] >= 300) throw new Error(`${method} ${path} was answered ${JSON.stringify(answer)}`);
  return answer;
}
