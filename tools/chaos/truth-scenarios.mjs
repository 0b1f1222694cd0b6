// @ts-check
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { makeFolder } from '../lib/private-files.mjs';
import { eventually } from '../lib/wait.mjs';
import { control, sentUpstream } from './customers.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {import('./customers.mjs').Call} Call */
/** @typedef {{ name: string, language: string }} Template */
/** @typedef {{ status: number, [field: string]: any }} Answer */

/**
 * Context of the scenarios.
 * @typedef {object} Surroundings
 * @property {Installation} installation
 * @property {Customer} customer
 * @property {Call} console calls the console API; the path starts after `/console/v1`
 * @property {Template} template a template without variables
 * @property {import('./rpc-client.mjs').RpcClient} rpc
 * @property {string} receiverUrl URL of a customer's server that passes the challenge
 * @property {() => string} phone returns a new phone with an open service window
 * @property {(sql: string, values: unknown[]) => Promise<number>} count
 */

/**
 * Request with side effects that are distinguishable from all others.
 * @typedef {object} Knock
 * @property {() => Promise<Answer>} request
 * @property {(answer: Answer) => Promise<number>} effects returns the number of times that the change took effect
 */

/**
 * @typedef {object} Scenario
 * @property {string} command the underlying contract
 * @property {(surroundings: Surroundings) => Promise<Knock>} prepare creates what the request needs
 */

const IN_AN_HOUR_MS = 3_600_000;
const MOST_TRIES = 10;
/** Phone to which the simulator fails every message. */
const FAILING = '15005550126';
const KINDS = ['phone_number_quality'];

/**
 * Commands with side effects that have no scenario, each with the reason. A new command needs a scenario or an entry
 * here.
 * @type {Record<string, string>}
 */
export const NOT_TRIED = {
  'gateway.reserve-credit.v1': 'the commands credits and otp count every credit',
  'jobs.erase-person.v1': 'a step of erasing a person, which is repeated until nothing is left',
  'otp.erase-person.v1': 'a step of erasing a person, which is repeated until nothing is left',
  'webhooks.erase-person.v1': 'a step of erasing a person, which is repeated until nothing is left',
  'messaging.note-open-send.v1': 'is repeated until messaging has a row of the send',
  'messaging.run-retention.v1': 'does now what a loop does by itself',
  'jobs.run-job-retention.v1': 'does now what a loop does by itself',
  'webhooks.run-event-retention.v1': 'does now what a loop does by itself',
  'templates.request-sync.v1': 'does now what a loop does by itself',
  'messaging.reseal-secrets.v1': 'seals the same secrets again, piece by piece, until none is left',
  'templates.reseal-secrets.v1': 'seals the same secrets again, piece by piece, until none is left',
  'webhooks.reseal-secrets.v1': 'seals the same secrets again, piece by piece, until none is left',
  'messaging.add-number.v1': "takes credentials that the operator's program has sealed for this number",
  'messaging.remove-number.v1': 'takes a number that was added',
  'messaging.resume-number.v1': 'takes a number that the upstream platform has stopped',
  'messaging.prepare-number.v1': 'changes nothing of ours; the platform is looked at before each repeat',
  'messaging.leave-business.v1': 'takes a business account that has no number left, and is repeated without harm',
  'webhooks.replay-dropped.v1': 'takes deliveries that were dropped, after half an hour of retries',
  'messaging.import-rates.v1': 'takes the rate card of the whole installation, and a repeat changes nothing',
  'messaging.set-spend-cap.v1': 'needs a rate card for the whole installation, and repeating it changes nothing',
  'jobs.create-capped-job.v1': 'creates a job like create-job, and needs a rate card for the whole installation',
  'jobs.create-capped-excel-job.v1':
    'creates a job like create-excel-job, and needs a rate card for the whole installation',
  'webhooks.set-endpoint.v1': 'the older form of create-endpoint and update-endpoint, which have scenarios',
  'templates.edit-template.v1': 'creates a draft as create-draft does, one for each template of the business',
  'templates.delete-template.v1': 'takes templates away that all commands of a run share',
};

/** Requests with side effects of API, console and operator, by action. @type {Record<string, Scenario>} */
export const SCENARIOS = {
  send: scenario('messaging.send-message.v1', async ({ installation, customer, phone, count }) => {
    const to = phone();
    return {
      request: () => post(customer.call, '/messages/send', { to, type: 'text', text: { body: 'Hello' } }),
      effects: async () =>
        Math.max(
          await count(
            "SELECT 1 FROM messaging.messages WHERE direction = 'outbound' AND account_id = $1 AND recipient = $2",
            [customer.accountId, to],
          ),
          await sentTo(installation, customer, to),
        ),
    };
  }),
  'read receipt': scenario('messaging.mark-read.v1', async ({ customer, phone, count }) => {
    const { messages } = await customer.call('GET', `/messages?direction=inbound&phone=${phone()}`);
    const { id } = messages[0];
    return {
      request: () => post(customer.call, `/messages/${id}/read`),
      effects: () => count('SELECT 1 FROM messaging.messages WHERE id = $1 AND read_at IS NOT NULL', [id]),
    };
  }),
  block: scenario('messaging.change-block.v1', async ({ installation, customer, phone, count }) => {
    const person = phone();
    return {
      request: () => post(customer.call, `/contacts/${person}/block`),
      effects: async () =>
        Math.max(
          await count('SELECT 1 FROM messaging.blocks WHERE account_id = $1 AND phone = $2', [
            customer.accountId,
            person,
          ]),
          await blockersOf(installation, person),
        ),
    };
  }),
  bulk: scenario('jobs.create-job.v1', async (surroundings) => bulkTo(surroundings, surroundings.phone())),
  'held bulk': scenario('jobs.create-held-job.v1', async (surroundings) =>
    bulkTo(surroundings, surroundings.phone(), { hold: true }),
  ),
  'bulk from contacts': scenario(
    'jobs.create-audience-job.v1',
    async ({ customer, console, template: { name, language }, rpc, phone, count }) => {
      const to = phone();
      const { accountId } = customer;
      const { contacts } = await console('GET', `/contacts?search=${to}`);
      const label = newLabel();
      await rpc.request('messaging.create-label.v1', { accountId, ...label });
      const labelled = { accountId, contactId: contacts[0].id, labelId: label.labelId, isLabelled: true };
      await rpc.request('messaging.label-contact.v1', labelled);
      const template = { name, language: { code: language } };
      const job = { type: 'template', template, audience: { labelId: label.labelId } };
      return jobTo({ to, customer, count, request: () => post(console, '/jobs/contacts', job) });
    },
  ),
  excel: scenario('jobs.create-excel-job.v1', async ({ installation, customer, template, phone, count }) => {
    const to = phone();
    const file = await sheetOf(to);
    return jobTo({ to, customer, count, request: () => postSheet(installation, customer, template, file) });
  }),
  'held excel': scenario(
    'jobs.create-held-excel-job.v1',
    async ({ installation, customer, template, phone, count }) => {
      const to = phone();
      const file = await sheetOf(to);
      const request = () => postSheet(installation, customer, template, file, { hold: 'true' });
      return jobTo({ to, customer, count, request });
    },
  ),
  // The gateway deletes the file of a rejected request, and without the file no service can create the job. This
  // scenario keeps the file.
  'kept sheet': scenario(
    'jobs.create-excel-job.v1',
    async ({ installation, customer, template: { name, language }, rpc, phone, count }) => {
      const to = phone();
      const blobKey = `sheets/${customer.accountId}/req_${randomBytes(12).toString('hex')}`;
      const path = join(installation.blobFolder, blobKey);
      const message = { type: 'template', template: { name, language: { code: language } } };
      const sheet = await sheetOf(to);
      const request = () => {
        makeFolder(join(path, '..'));
        writeFileSync(path, sheet);
        const jobId = `job_${randomBytes(12).toString('hex')}`;
        return rpc.request('jobs.create-excel-job.v1', {
          accountId: customer.accountId,
          jobId,
          blobKey,
          maxRows: 10,
          message,
        });
      };
      const { effects } = jobTo({ to, customer, count, request });
      return {
        request,
        effects: async (answer) => {
          const there = await effects(answer);
          rmSync(path, { force: true });
          return there;
        },
      };
    },
  ),
  'cancel job': scenario('jobs.control-job.v1', (surroundings) =>
    jobControl(surroundings, 'cancel', "status = 'cancelled'"),
  ),
  'send code': scenario('otp.send-code.v1', async ({ installation, customer, phone, count }) => {
    const to = phone();
    return {
      request: () =>
        post(customer.call, '/messages/send/authentication/utility', { to, otp: newCode(), expiryMinutes: 60 }),
      effects: async () =>
        Math.max(
          await count('SELECT 1 FROM otp.sends WHERE account_id = $1 AND phone = $2', [customer.accountId, to]),
          await sentTo(installation, customer, to),
        ),
    };
  }),
  'verify code': scenario('otp.verify-code.v1', async ({ customer, phone }) => {
    const code = { phone: phone(), otp: newCode() };
    await mustCall(customer.call, 'POST', '/messages/send/authentication/utility', {
      to: code.phone,
      otp: code.otp,
      expiryMinutes: 60,
    });
    return {
      request: () => post(customer.call, '/otp/verify', code),
      // An unused code can still be verified.
      effects: async () => ((await repeated(customer.call, 'POST', '/otp/verify', code))['status'] === 200 ? 0 : 1),
    };
  }),
  'create endpoint': scenario('webhooks.create-endpoint.v1', async ({ customer, console, receiverUrl, count }) => {
    const url = `${receiverUrl}/${randomBytes(6).toString('hex')}`;
    return {
      request: () => post(console, '/webhook-endpoints', { url, verifyToken: 'token', kinds: KINDS }),
      effects: () =>
        count('SELECT 1 FROM webhooks.endpoints WHERE account_id = $1 AND url = $2', [customer.accountId, url]),
    };
  }),
  'change endpoint': scenario('webhooks.update-endpoint.v1', async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return {
      request: () => ask(surroundings.console, 'PATCH', path, { maxInFlight: 7 }),
      effects: () => count('max_in_flight = 7'),
    };
  }),
  'delete endpoint': scenario('webhooks.delete-endpoint.v1', async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return { request: () => ask(surroundings.console, 'DELETE', path), effects: () => count('deleted_at IS NOT NULL') };
  }),
  'rotate secret': scenario('webhooks.rotate-secret.v1', async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return {
      request: () => post(surroundings.console, `${path}/rotate-secret`),
      effects: () => count('rotation_ends_at IS NOT NULL'),
    };
  }),
  'test event': scenario('webhooks.send-test-event.v1', async (surroundings) => {
    const { path, id } = await endpointOf(surroundings);
    return {
      request: () => post(surroundings.console, `${path}/test-events`, { kind: KINDS[0] }),
      effects: () =>
        surroundings.count('SELECT 1 FROM webhooks.delivery_log WHERE account_id = $1 AND endpoint_id = $2', [
          surroundings.customer.accountId,
          id,
        ]),
    };
  }),
  'create draft': scenario('templates.create-draft.v1', async (surroundings) => {
    const draft = newDraft();
    return {
      request: () => post(surroundings.console, '/template-drafts', draft),
      effects: () => countDrafts(surroundings, 'name = $2', draft.name),
    };
  }),
  'change draft': scenario('templates.update-draft.v1', async (surroundings) => {
    const id = await draftOf(surroundings);
    return {
      request: () => ask(surroundings.console, 'PATCH', `/template-drafts/${id}`, { ttlSeconds: 60 }),
      effects: () => countDrafts(surroundings, 'id = $2 AND ttl_seconds = 60', id),
    };
  }),
  'header sample': scenario('templates.add-header-sample.v1', async ({ customer: { accountId }, rpc, count }) => {
    const sampleId = `med_${randomBytes(12).toString('hex')}`;
    const sample = { accountId, sampleId, mimeType: 'image/png', bytes: 100 };
    return {
      request: () => rpc.request('templates.add-header-sample.v1', sample),
      effects: () =>
        count('SELECT 1 FROM templates.header_samples WHERE account_id = $1 AND id = $2', [accountId, sampleId]),
    };
  }),
  'media file': scenario('messaging.add-media-file.v1', async ({ customer: { accountId }, rpc, count }) => {
    const file = mediaFileOf(accountId);
    return {
      request: () => rpc.request('messaging.add-media-file.v1', file),
      effects: () => count(MEDIA_FILE, [accountId, file.mediaId]),
    };
  }),
  'delete media file': scenario('messaging.delete-media-file.v1', async ({ customer: { accountId }, rpc, count }) => {
    const file = mediaFileOf(accountId);
    await rpc.request('messaging.add-media-file.v1', file);
    return {
      request: () => rpc.request('messaging.delete-media-file.v1', { accountId, mediaId: file.mediaId }),
      effects: async () => 1 - (await count(MEDIA_FILE, [accountId, file.mediaId])),
    };
  }),
  'submit draft': scenario('templates.submit-draft.v1', async (surroundings) => {
    const id = await draftOf(surroundings);
    return {
      request: () => post(surroundings.console, `/template-drafts/${id}/submit`),
      effects: () => countDrafts(surroundings, "id = $2 AND state <> 'draft'", id),
    };
  }),
  'delete draft': scenario('templates.delete-draft.v1', async (surroundings) => {
    const id = await draftOf(surroundings);
    return {
      request: () => ask(surroundings.console, 'DELETE', `/template-drafts/${id}`),
      effects: async () => 1 - (await countDrafts(surroundings, 'id = $2', id)),
    };
  }),
  'pause job': scenario('jobs.control-job.v1', (surroundings) =>
    jobControl(surroundings, 'pause', "status = 'paused'"),
  ),
  'resume job': scenario('jobs.control-job.v1', (surroundings) =>
    jobControl(surroundings, 'resume', "status <> 'paused'", 'pause'),
  ),
  'rename job': scenario('jobs.rename-job.v1', async ({ customer, console, template, phone, count }) => {
    const { jobId } = await mustCall(customer.call, 'POST', '/messages/send/bulk', {
      ...jobOf(template, phone()),
      hold: true,
    });
    const name = `Truth ${randomBytes(6).toString('hex')}`;
    return {
      request: () => ask(console, 'PATCH', `/jobs/${jobId}`, { name }),
      effects: () => count('SELECT 1 FROM jobs.jobs WHERE account_id = $1 AND name = $2', [customer.accountId, name]),
    };
  }),
  'retry failed': scenario('jobs.retry-failed.v1', async ({ customer, template, count }) => {
    const { jobId } = await mustCall(customer.call, 'POST', '/messages/send/bulk', jobOf(template, FAILING));
    const hasFailed = async () => (await customer.call('GET', `/jobs/${jobId}`))['job']?.failed === 1;
    await eventually('the recipient to fail', hasFailed, { timeoutMs: 180_000, everyMs: 200 });
    return {
      request: () => post(customer.call, `/jobs/${jobId}/retry-failed`),
      effects: () =>
        count('SELECT 1 FROM jobs.jobs WHERE account_id = $1 AND retry_of = $2', [customer.accountId, jobId]),
    };
  }),
  'set contact': scenario('messaging.update-contact.v1', async ({ customer: { accountId }, rpc, phone, count }) => {
    const contact = { accountId, phone: phone(), name: `Truth ${randomBytes(6).toString('hex')}` };
    return {
      request: () => rpc.request('messaging.update-contact.v1', contact),
      effects: () =>
        count('SELECT 1 FROM messaging.contacts WHERE account_id = $1 AND name = $2', [accountId, contact.name]),
    };
  }),
  'change contact': scenario(
    'messaging.change-contact.v1',
    async ({ customer: { accountId }, console, phone, count }) => {
      const { contacts } = await console('GET', `/contacts?search=${phone()}`);
      const name = `Truth ${randomBytes(6).toString('hex')}`;
      return {
        request: () => ask(console, 'PATCH', `/contacts/${contacts[0].id}`, { name }),
        effects: () => count('SELECT 1 FROM messaging.contacts WHERE account_id = $1 AND name = $2', [accountId, name]),
      };
    },
  ),
  'change conversation': scenario(
    'messaging.change-conversation.v1',
    async ({ customer: { accountId }, rpc, console, phone, count }) => {
      const { contacts } = await console('GET', `/contacts?search=${phone()}`);
      const [assigneeId, contactId] = [`usr_${randomBytes(6).toString('hex')}`, contacts[0].id];
      // A lost activity makes it no effect, a doubled one two.
      const sql = `SELECT 1 FROM messaging.conversations JOIN messaging.activities USING (account_id, contact_id, assignee_id)
        WHERE account_id = $1 AND contact_id = $2 AND assignee_id = $3`;
      return {
        request: () => rpc.request('messaging.change-conversation.v1', { accountId, contactId, assigneeId }),
        effects: () => count(sql, [accountId, contactId, assigneeId]),
      };
    },
  ),
  'create note': scenario('messaging.create-note.v1', async (surroundings) => {
    const { customer, rpc, count } = surroundings;
    const note = await noteOf(surroundings);
    return {
      request: () => rpc.request('messaging.create-note.v1', note),
      effects: () => count(NOTE, [customer.accountId, note.noteId]),
    };
  }),
  'delete note': scenario('messaging.delete-note.v1', async (surroundings) => {
    const { customer, rpc, count } = surroundings;
    const note = await noteOf(surroundings);
    await rpc.request('messaging.create-note.v1', note);
    const { accountId, noteId } = note;
    return {
      request: () => rpc.request('messaging.delete-note.v1', { accountId, noteId }),
      effects: async () => 1 - (await count(NOTE, [customer.accountId, noteId])),
    };
  }),
  'create label': scenario('messaging.create-label.v1', async ({ customer: { accountId }, rpc, count }) => {
    const label = newLabel();
    return {
      request: () => rpc.request('messaging.create-label.v1', { accountId, ...label }),
      effects: () =>
        count('SELECT 1 FROM messaging.labels WHERE account_id = $1 AND name = $2', [accountId, label.name]),
    };
  }),
  'change label': scenario('messaging.change-label.v1', async ({ customer: { accountId }, rpc, count }) => {
    const { labelId, ...label } = newLabel();
    const { name } = newLabel();
    await rpc.request('messaging.create-label.v1', { accountId, labelId, ...label });
    return {
      request: () => rpc.request('messaging.change-label.v1', { accountId, labelId, name }),
      effects: () => count('SELECT 1 FROM messaging.labels WHERE account_id = $1 AND name = $2', [accountId, name]),
    };
  }),
  'delete label': scenario('messaging.delete-label.v1', async ({ customer: { accountId }, rpc, count }) => {
    const label = newLabel();
    await rpc.request('messaging.create-label.v1', { accountId, ...label });
    const sql = 'SELECT 1 FROM messaging.labels WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL';
    return {
      request: () => rpc.request('messaging.delete-label.v1', { accountId, labelId: label.labelId }),
      effects: async () => 1 - (await count(sql, [accountId, label.labelId])),
    };
  }),
  'label contact': scenario(
    'messaging.label-contact.v1',
    async ({ customer: { accountId }, rpc, console, phone, count }) => {
      const { contacts } = await console('GET', `/contacts?search=${phone()}`);
      const label = newLabel();
      await rpc.request('messaging.create-label.v1', { accountId, ...label });
      const change = { accountId, contactId: contacts[0].id, labelId: label.labelId };
      return {
        request: () => rpc.request('messaging.label-contact.v1', { ...change, isLabelled: true }),
        effects: () => count('SELECT 1 FROM messaging.contact_labels WHERE label_id = $1', [label.labelId]),
      };
    },
  ),
  'set contact labels': scenario(
    'messaging.set-contact-labels.v1',
    async ({ customer: { accountId }, rpc, phone, count }) => {
      const [to, { name }] = [phone(), newLabel()];
      const sql =
        'SELECT 1 FROM messaging.contact_labels JOIN messaging.labels ON id = label_id WHERE labels.account_id = $1 AND name = $2';
      return {
        request: () => rpc.request('messaging.set-contact-labels.v1', { accountId, phone: to, labels: [name] }),
        effects: () => count(sql, [accountId, name]),
      };
    },
  ),
  'erase contact': scenario('messaging.erase-contact.v1', async ({ customer: { accountId }, rpc, phone, count }) => {
    const to = phone();
    return {
      request: () => rpc.request('messaging.erase-contact.v1', { accountId, phone: to, dryRun: false }),
      effects: async () =>
        1 - (await count('SELECT 1 FROM messaging.contacts WHERE account_id = $1 AND phone = $2', [accountId, to])),
    };
  }),
  'account settings': scenario('messaging.set-account-settings.v1', async ({ customer: { accountId }, rpc, count }) => {
    const word = randomBytes(6).toString('hex');
    const sql = 'SELECT 1 FROM messaging.account_settings WHERE account_id = $1 AND $2 = ANY(opt_out_words)';
    // Several requests change settings of the same account, so a later one may have replaced a value.
    const own = `${accountId.slice(0, -12)}${word}`;
    return {
      request: () => rpc.request('messaging.set-account-settings.v1', { accountId: own, optOutWords: [word] }),
      effects: () => count(sql, [own, word]),
    };
  }),
  'otp settings': scenario('otp.set-settings.v1', async ({ customer: { accountId }, rpc, count }) => {
    const own = `${accountId.slice(0, -12)}${randomBytes(6).toString('hex')}`;
    return {
      request: () => rpc.request('otp.set-settings.v1', { accountId: own, countries: ['IN'] }),
      effects: () => count("SELECT 1 FROM otp.account_settings WHERE account_id = $1 AND countries = '{IN}'", [own]),
    };
  }),
  'event retention': scenario('webhooks.set-event-retention.v1', async ({ customer: { accountId }, rpc, count }) => {
    const own = `${accountId.slice(0, -12)}${randomBytes(6).toString('hex')}`;
    return {
      request: () => rpc.request('webhooks.set-event-retention.v1', { accountId: own, eventDays: 7 }),
      effects: () => count('SELECT 1 FROM webhooks.account_retention WHERE account_id = $1 AND event_days = 7', [own]),
    };
  }),
  'pause endpoint': scenario('webhooks.switch-endpoint.v1', async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    return {
      request: () => post(surroundings.console, `${path}/pause`),
      effects: () => count('paused_at IS NOT NULL'),
    };
  }),
  'confirm rotation': scenario('webhooks.confirm-rotation.v1', async (surroundings) => {
    const { path, count } = await endpointOf(surroundings);
    await mustCall(surroundings.console, 'POST', `${path}/rotate-secret`, {});
    return {
      request: () => post(surroundings.console, `${path}/confirm-rotation`),
      effects: () => count('rotation_ends_at IS NULL'),
    };
  }),
  'replay event': scenario('webhooks.replay-event.v1', async (surroundings) => {
    const { customer, console, count } = surroundings;
    const { path, id } = await endpointOf(surroundings);
    const { eventId } = await mustCall(console, 'POST', `${path}/test-events`, { kind: KINDS[0] });
    return {
      request: () => post(console, `/webhook-events/${eventId}/replay`, { endpointId: id }),
      effects: async () =>
        (await count('SELECT 1 FROM webhooks.delivery_log WHERE account_id = $1 AND event_id = $2', [
          customer.accountId,
          eventId,
        ])) - 1,
    };
  }),
};

/** @returns {Scenario} */
function scenario(
  /** @type {string} */ command,
  /** @type {(surroundings: Surroundings) => Promise<Knock>} */ prepare,
) {
  return { command, prepare };
}

/**
 * Pauses, resumes or cancels a scheduled job.
 * @param {Surroundings} surroundings
 * @param {string} action
 * @param {string} done condition that holds for the job afterwards
 * @param {string} [before] action to run first
 * @returns {Promise<Knock>}
 */
async function jobControl({ customer, template, phone, count }, action, done, before) {
  const body = { ...jobOf(template, phone()), scheduledAt: new Date(Date.now() + IN_AN_HOUR_MS).toISOString() };
  const { jobId } = await mustCall(customer.call, 'POST', '/messages/send/bulk', body);
  if (before) await mustCall(customer.call, 'POST', `/jobs/${jobId}/${before}`, {});
  return {
    request: () => post(customer.call, `/jobs/${jobId}/${action}`),
    effects: () =>
      count(`SELECT 1 FROM jobs.jobs WHERE account_id = $1 AND id = $2 AND ${done}`, [customer.accountId, jobId]),
  };
}

function bulkTo(
  /** @type {Surroundings} */ { customer, template, count },
  /** @type {string} */ to,
  /** @type {{ hold?: true }} */ more = {},
) {
  const job = { ...jobOf(template, to), ...more };
  return jobTo({ to, customer, count, request: () => post(customer.call, '/messages/send/bulk', job) });
}

/**
 * Requests a job for one recipient. A rejected request is repeated without a key, and must still result in a single
 * message.
 * @param {{ to: string, request: () => Promise<Answer> } & Pick<Surroundings, 'customer' | 'count'>} options
 * @returns {Knock}
 */
function jobTo({ to, request, customer, count }) {
  const countRecipients = () =>
    count('SELECT 1 FROM jobs.recipients WHERE account_id = $1 AND phone = $2', [customer.accountId, to]);
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
  const { endpoint } = await mustCall(console, 'POST', '/webhook-endpoints', {
    url,
    verifyToken: 'token',
    kinds: KINDS,
  });
  const id = String(endpoint.id);
  const countIf = (/** @type {string} */ condition) =>
    count(`SELECT 1 FROM webhooks.endpoints WHERE account_id = $1 AND id = $2 AND ${condition}`, [
      customer.accountId,
      id,
    ]);
  return { id, path: `/webhook-endpoints/${id}`, count: countIf };
}

async function draftOf(/** @type {Surroundings} */ { console }) {
  const { draft } = await mustCall(console, 'POST', '/template-drafts', newDraft());
  return String(draft.id);
}

function newLabel() {
  const id = randomBytes(13).toString('hex');
  return { labelId: `lbl_${id}`, name: `Truth ${id}`, colour: 'blue' };
}

function newDraft() {
  return {
    name: `truth_${randomBytes(6).toString('hex')}`,
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Good morning to you.' }],
  };
}

function countDrafts(
  /** @type {Surroundings} */ { customer, count },
  /** @type {string} */ condition,
  /** @type {string} */ value,
) {
  return count(`SELECT 1 FROM templates.template_drafts WHERE account_id = $1 AND ${condition}`, [
    customer.accountId,
    value,
  ]);
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

async function postSheet(
  /** @type {Installation} */ { baseUrl },
  /** @type {Customer} */ { apiKey },
  /** @type {Template} */ { name, language },
  /** @type {Uint8Array<ArrayBuffer>} */ file,
  /** @type {Record<string, string>} */ fields = {},
) {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append('templateName', name);
  body.append('language', language);
  body.append('customerExcel', new File([file], 'customers.xlsx'));
  const answer = await fetch(`${baseUrl}/messages/send/bulk/excel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body,
  }).catch(() => undefined);
  await answer?.text();
  return { status: answer?.status ?? 0 };
}

async function sentTo(
  /** @type {Installation} */ installation,
  /** @type {Customer} */ customer,
  /** @type {string} */ to,
) {
  const sends = (await sentUpstream(installation, customer)).filter((send) => send.to.replace('+', '') === to);
  return sends.reduce((sum, { count }) => sum + count, 0);
}

/** Counts the numbers that block a contact on the upstream platform. */
async function blockersOf(/** @type {Installation} */ installation, /** @type {string} */ person) {
  const { blockedBy } = await control(installation, `conversations/${person}`);
  return blockedBy.length;
}

function newCode() {
  return String(100_000 + (randomBytes(4).readUInt32BE() % 900_000));
}

const post = (/** @type {Call} */ call, /** @type {string} */ path, body = {}) => ask(call, 'POST', path, body);

/** Makes a request. Status 0 means no response. @returns {Promise<Answer>} */
async function ask(
  /** @type {Call} */ call,
  /** @type {string} */ method,
  /** @type {string} */ path,
  /** @type {object | undefined} */ body = undefined,
) {
  return /** @type {Answer} */ (await call(method, path, body).catch(() => ({ status: 0 })));
}

/** Retries requests that a busy machine rejects without any effect. */
async function repeated(
  /** @type {Call} */ call,
  /** @type {string} */ method,
  /** @type {string} */ path,
  /** @type {object} */ body,
) {
  for (let tries = 1; ; tries += 1) {
    const answer = await call(method, path, body);
    if (answer['status'] !== 503 || tries === MOST_TRIES) return answer;
  }
}

async function mustCall(
  /** @type {Call} */ call,
  /** @type {string} */ method,
  /** @type {string} */ path,
  /** @type {object} */ body,
) {
  const answer = await repeated(call, method, path, body);
  if (answer['status'] >= 300) throw new Error(`${method} ${path} was answered ${JSON.stringify(answer)}`);
  return answer;
}

const MEDIA_FILE = 'SELECT 1 FROM messaging.media_files WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL';

const NOTE = 'SELECT 1 FROM messaging.notes WHERE account_id = $1 AND id = $2';

/** Returns the command for a note about a known contact. */
async function noteOf(/** @type {any} */ { customer: { accountId }, console, phone }) {
  const { contacts } = await console('GET', `/contacts?search=${phone()}`);
  const [noteId, authorId] = [`note_${randomBytes(12).toString('hex')}`, `usr_${randomBytes(12).toString('hex')}`];
  return { accountId, contactId: contacts[0].id, noteId, authorId, text: 'Truth' };
}

/** Returns the command for a file whose bytes no one reads. */
function mediaFileOf(/** @type {string} */ accountId) {
  const mediaId = `med_${randomBytes(12).toString('hex')}`;
  const facts = { type: 'image', mimeType: 'image/png', bytes: 100, sha256: randomBytes(32).toString('hex') };
  return { accountId, mediaId, ...facts, blobKey: `media/${accountId}/${mediaId}` };
}
