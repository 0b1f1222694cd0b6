// @ts-check
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareBulk } from './compare-bulk.mjs';
import { addNumber, control, newCustomer, newPhones, sentUpstream } from './customers.mjs';
import { killDuring } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {import('./customers.mjs').Call} Call */
/** @typedef {Pick<Customer, 'phoneNumber' | 'phoneNumberId'>} BusinessNumber */

const COUNTS = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'rejected', 'duplicates'];
/** Simulator faults that keep calls in flight, duplicate callbacks, and deliver them out of order. */
const UPSTREAM_FAULTS = { latencyMs: 20, callbacks: { duplicate: 0.1, shuffle: 0.1 } };
const RUN_TIMEOUT_MS = 3_600_000;
/** Time without progress after which a job counts as stuck. */
const STUCK_MS = 180_000;

/** Shares of the recipients: given by user id; given a second time, by the other identifier. */
const SHARES = { byUserId: 0.3, twice: 0.02 };

/**
 * Proves guarantee 21 of ADR 41: each recipient is sent to exactly once, and the counts always add up. `--numbers 2`
 * distributes the job over two business numbers, each of which must send.
 */
export const bulk = chaosTest({
  about: 'kills jobs and messaging during a bulk job; compares recipients, rows, counts and upstream sends',
  takes: { long: '5 minutes', short: '25 s' },
  long: { recipients: 50_000, kills: 20, numbers: 1 },
  short: { recipients: 2_000, kills: 4 },
  async run(installation, { recipients, kills, numbers: count, seed }) {
    const { customer, numbers } = await step('account, numbers, template', () => prepare(installation, count));
    const { given, people } = await step('people with user ids', () =>
      recipientsOf(installation, customer, recipients),
    );
    const jobId = await step(`a job of ${given.length}`, () =>
      createJob(customer.call, { given, numbers, people: people.length }),
    );
    const plan = planKills({ recipients, kills, seed });
    const { result: faults, killed } = await step(`${plan.length} kills`, () =>
      killDuring(installation, { plan }, (state) => watchJob(customer.call, { jobId, recipients, state })),
    );
    const job = await step('all callbacks', () => untilStill(customer.call, jobId));
    const result = compareBulk({ people, job, ...(await readFacts(installation, { numbers, jobId })) });
    return report(result, { job, killed, planned: plan.length, seed, faults });
  },
});

/**
 * Creates a customer with an approved template and several business numbers.
 * @param {Installation} installation
 * @param {number} count number of business numbers
 * @returns {Promise<{ customer: Customer, numbers: BusinessNumber[] }>}
 */
async function prepare(installation, count) {
  const customer = await newCustomer(installation, 'bulk');
  /** @type {BusinessNumber[]} */
  const numbers = [customer];
  while (numbers.length < count) numbers.push(await addNumber(installation, customer.accountId));
  await eventually('a template', async () => (await customer.call('GET', '/templates'))['templates']?.length > 0, {
    timeoutMs: 180_000,
  });
  await control(installation, 'faults', UPSTREAM_FAULTS);
  return { customer, numbers };
}

/**
 * Returns the recipients of the job: numbers and user ids, and at the end some people again by the other identifier.
 * The service knows both identifiers of these, since they wrote with a visible number.
 * @param {Installation} installation
 * @param {Customer} customer
 * @param {number} count number of people
 */
async function recipientsOf(installation, customer, count) {
  const phones = newPhones(count);
  const userIds = await userIdsOf(installation, phones.slice(0, Math.round(count * SHARES.byUserId)));
  const people = phones.map((phone, index) => userIds[index] ?? phone);
  const twice = Math.round((count * SHARES.twice) / 2);
  const known = [...phones.slice(0, twice), ...phones.slice(-twice)];
  await letWrite(installation, customer, known);
  const again = [...phones.slice(0, twice), ...(await userIdsOf(installation, phones.slice(-twice)))];
  return { given: [...people, ...again], people };
}

/** Lets each person write to the customer, and waits until the service has stored all messages. */
async function letWrite(
  /** @type {Installation} */ installation,
  /** @type {Customer} */ { phoneNumber, call },
  /** @type {string[]} */ phones,
) {
  for (const from of phones)
    await control(installation, 'inbound', { from, to: phoneNumber, type: 'text', text: { body: 'Hello' } });
  const areStored = async () =>
    (await call('GET', '/messages?direction=inbound&limit=1'))['pagination']?.total >= phones.length;
  await eventually('the messages to be stored', areStored, { timeoutMs: 180_000 });
}

/** Returns the user ids of people, as the simulator derives them. @returns {Promise<string[]>} */
async function userIdsOf(/** @type {Installation} */ installation, /** @type {string[]} */ phones) {
  const [first] = phones;
  if (first === undefined) return [];
  const { userId } = await control(installation, 'people', { phone: first });
  return phones.map((phone) => userId.replace(first, phone));
}

/**
 * @param {Call} call
 * @param {{ given: string[], people: number, numbers: BusinessNumber[] }} wanted `people`: number of recipients without
 * the repeated ones
 */
async function createJob(call, { given, people, numbers }) {
  const { templates } = await call('GET', '/templates');
  const template =
    templates.find(
      (/** @type {{ components: object[] }} */ { components }) => !JSON.stringify(components).includes('{{'),
    ) ?? templates[0];
  const variables = [...new Set(JSON.stringify(template.components).match(/\{\{\w+\}\}/g) ?? [])].map(
    (_, index) => `value ${index}`,
  );
  const recipients = variables.length > 0 ? given.map((to) => ({ to, variables })) : given;
  const answer = await call('POST', '/messages/send/bulk', {
    recipients,
    ...(numbers.length > 1 && { from: numbers.map(({ phoneNumber }) => phoneNumber) }),
    type: 'template',
    template: { name: template.name, language: { code: template.language } },
  });
  if (answer['accepted'] !== people || answer['duplicates'] !== given.length - people)
    throw new Error(`the job was not made: ${JSON.stringify(answer).slice(0, 500)}`);
  return String(answer['jobId']);
}

/**
 * Plans the kills: victims and progress in recipients, spread over the run by the seed.
 * @param {{ recipients: number, kills: number, seed: number }} options
 */
function planKills({ recipients, kills, seed }) {
  const random = randomFrom(seed);
  return Array.from({ length: kills }, (_, index) => ({
    at: Math.round(((index + 0.3 + random() / 2) * recipients) / (kills + 1)),
    victim: index % 2 === 0 ? 'messaging' : 'jobs',
  }));
}

/**
 * Polls the job until no recipient is pending.
 * @param {Call} call
 * @param {{ jobId: string, recipients: number, state: { done: number } }} run `state.done`: number of recipients
 * attempted
 * @returns {Promise<string[]>} polls in which the counts did not add up
 */
async function watchJob(call, { jobId, recipients, state }) {
  /** @type {string[]} */
  const faults = [];
  let movedAt = Date.now();
  const isOver = async () => {
    const job = await readJob(call, jobId);
    if (!job) return false;
    const sum = COUNTS.reduce((all, name) => all + job[name], 0);
    if (sum !== job.total) faults.push(`at one look the counts were ${JSON.stringify(job)}`);
    const attempted = recipients - job.pending;
    if (attempted !== state.done) movedAt = Date.now();
    state.done = attempted;
    if (Date.now() - movedAt > STUCK_MS) throw new Error(`the job stands still: ${JSON.stringify(job)}`);
    return job.status === 'completed';
  };
  await eventually('the job to end', isOver, { timeoutMs: RUN_TIMEOUT_MS, everyMs: 100 });
  return faults;
}

/** @returns {Promise<Record<string, any> | undefined>} undefined while a killed service restarts */
async function readJob(/** @type {Call} */ call, /** @type {string} */ jobId) {
  const { job } = await call('GET', `/jobs/${jobId}`).catch(() => ({ job: undefined }));
  return job;
}

/** Waits until every recipient has read the message, or the counts have stopped changing. */
async function untilStill(/** @type {Call} */ call, /** @type {string} */ jobId) {
  /** @type {Record<string, any>} */
  let job = {};
  let since = Date.now();
  const isStill = async () => {
    const now = await readJob(call, jobId);
    if (!now) return false;
    if (JSON.stringify(now) !== JSON.stringify(job)) since = Date.now();
    job = now;
    return job['read'] + job['failed'] + job['duplicates'] === job['total'] || Date.now() - since > 30_000;
  };
  await eventually('the last callbacks', isStill, { timeoutMs: RUN_TIMEOUT_MS, everyMs: 500 });
  return job;
}

/**
 * @param {Installation} installation
 * @param {{ numbers: BusinessNumber[], jobId: string }} job
 */
async function readFacts(installation, { numbers, jobId }) {
  const sends = await Promise.all(
    numbers.map(async (number) => {
      const taken = await sentUpstream(installation, number);
      return taken.map((send) => ({ ...send, from: number.phoneNumber }));
    }),
  );
  const sql =
    'SELECT position, phone, status, message_id, upstream_id, business_number FROM jobs.recipients WHERE job_id = $1';
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql, [jobId]));
  // The list holds only the latest 50,000 sends, but the summary counts all of them.
  const { doubledIds } = await control(installation, 'summary');
  const ids = new Set(rows.map(({ message_id: id }) => id));
  return {
    rows,
    taken: sends.flat(),
    numbers: numbers.map(({ phoneNumber }) => phoneNumber),
    doubledIds: doubledIds.filter((/** @type {string} */ id) => ids.has(id)),
  };
}

/**
 * @param {ReturnType<typeof compareBulk>} result
 * @param {{ job: Record<string, any>, killed: number, planned: number, seed: number, faults: string[] }} run
 */
function report({ missing, twice, wrong, taken, fromNumbers }, { job, killed, planned, seed, faults }) {
  const unexpected = [...wrong, ...faults];
  const seconds = (Date.parse(job['completedAt']) - Date.parse(job['startedAt'])) / 1_000;
  const counts = Object.fromEntries(
    ['accepted', 'sent', 'delivered', 'read', 'failed', 'pending'].map((name) => [name, job[name]]),
  );
  figures({
    recipients: job['total'],
    duplicates: job['duplicates'],
    'taken upstream': taken,
    'from each number': fromNumbers.join(', '),
    missing: missing.length,
    twice: twice.length,
    unexpected: unexpected.length,
    counts: JSON.stringify(counts),
    seconds: Math.round(seconds),
    kills: killed,
    seed,
  });
  problems({ missing, twice, unexpected });
  if (killed !== planned) log(`${planned} kills were planned`);
  return verdict(
    killed === planned && missing.length + twice.length + unexpected.length === 0,
    'each person once, by number or by user id, nobody missing, the counts add up',
  );
}
