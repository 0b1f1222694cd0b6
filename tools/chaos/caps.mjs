// @ts-check
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareCaps } from './compare-caps.mjs';
import { control, newCustomer, newPhones, openWindows, sentUpstream } from './customers.mjs';
import { killDuring, untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */

const CONCURRENCY = 12;
const CONTACTS = 12;
const JOBS = 4;
/** Price of every message in units of 0.0001, and the share of all messages that the cap allows. */
const PRICE = 14;
const CAP_SHARE = 0.6;
/** Cap of every second job, in messages. */
const JOB_CAP_SHARE = 0.3;
/** Looks at the books for each look at the charges, which are a long list. */
const LOOKS_PER_CHARGE_CHECK = 20;
const NEEDED = ['gateway', 'messaging', 'jobs'];
const VICTIMS = ['messaging', 'messaging-2', 'jobs', 'gateway'];
/** Keeps calls in flight, repeats and shuffles callbacks, and lets some messages fail. */
const UPSTREAM_FAULTS = {
  latencyMs: 25,
  callbacks: { duplicate: 0.1, shuffle: 0.1, delayMs: 200, failAfterSent: 0.05 },
};
const SETTLE_TIMEOUT_MS = 180_000;

const money = (/** @type {number} */ messages) => (messages * PRICE) / 10_000;
const amount = (/** @type {number} */ messages) => money(messages).toFixed(4);

/** Proves guarantee 44 of ADR 41: the platform never charges more than a cap, and no reservation is lost or doubled. */
export const caps = chaosTest({
  about:
    'kills messaging, jobs and the gateway while single sends and jobs run into spend caps; compares charges, reservations and caps',
  takes: { long: '10 minutes', short: '90 s' },
  long: { messages: 4_000, kills: 40 },
  short: { messages: 600, kills: 4 },
  async run(installation, { messages, kills, seed }) {
    await control(installation, 'pricing', { freeServiceMessages: 0 });
    installation.addReplica('messaging-2');
    try {
      const customer = await step('account, number, rates, windows', () => prepare(installation));
      const contacts = newPhones(CONTACTS);
      await openWindows(installation, customer, contacts);
      const cap = Math.floor(messages * CAP_SHARE);
      await installation.ops(
        'caps',
        'set',
        '--account',
        customer.accountId,
        '--amount',
        amount(cap),
        '--currency',
        'USD',
      );
      await control(installation, 'faults', UPSTREAM_FAULTS);
      const perJob = Math.floor(messages / 2 / JOBS);
      const jobs = await step(`${JOBS} jobs of ${perJob}`, () => createJobs(installation, customer, perJob));
      const plan = planKills({ work: messages, kills, random: randomFrom(seed) });
      /** @type {string[]} */
      const faults = [];
      const { result: refused, killed } = await step(`${plan.length} kills`, () =>
        killDuring(installation, { plan }, (state) =>
          run(installation, customer, { sends: Math.floor(messages / 2), contacts, jobs, cap, state, faults }),
        ),
      );
      await step('everything settled', () => waitUntilSettled(installation, customer));
      const facts = await readFacts(installation, customer);
      const result = compareCaps({ ...facts, cap: cap * PRICE, jobCaps: capsOf(jobs), price: PRICE });
      return report({ ...result, faults }, { killed, planned: plan.length, refused, seed });
    } finally {
      await installation.removeReplica('messaging-2');
      await control(installation, 'pricing', {});
    }
  },
});

async function prepare(/** @type {Installation} */ installation) {
  const customer = await newCustomer(installation, 'caps');
  const file = join(installation.logFolder, 'rates.csv');
  const rates = ['service', 'utility', 'marketing'].map(
    (category) => `India,${category},USD,${amount(1)},2026-01-01,chaos`,
  );
  await writeFile(file, ['market,category,currency,amount,validFrom,source', ...rates, ''].join('\n'));
  await installation.ops('rates', 'import', file, '--replace');
  await eventually('a template', async () => (await customer.call('GET', '/templates'))['templates']?.length > 0, {
    timeoutMs: 180_000,
  });
  return customer;
}

/**
 * Every second job has its own cap.
 * @param {Installation} installation
 * @param {Customer} customer
 * @param {number} count recipients of each job
 */
async function createJobs(installation, { call }, count) {
  const { templates } = await call('GET', '/templates');
  const template = templates.find(
    (/** @type {{ category: string, components: object[] }} */ { category, components }) =>
      category === 'UTILITY' && !JSON.stringify(components).includes('{{'),
  );
  const own = Math.floor(count * JOB_CAP_SHARE);
  return Promise.all(
    Array.from({ length: JOBS }, async (_none, index) => {
      const isCapped = index % 2 === 0;
      const answer = await call('POST', '/messages/send/bulk', {
        recipients: newPhones(count),
        type: 'template',
        template: { name: template.name, language: { code: template.language } },
        ...(isCapped && { maxSpend: { amount: amount(own), currency: 'USD' } }),
      });
      if (answer['accepted'] !== count)
        throw new Error(`the job was not made: ${JSON.stringify(answer).slice(0, 500)}`);
      return { jobId: String(answer['jobId']), cap: isCapped ? own : null };
    }),
  );
}

/** @param {{ jobId: string, cap: number | null }[]} jobs */
function capsOf(jobs) {
  return new Map(jobs.flatMap(({ jobId, cap }) => (cap === null ? [] : [[jobId, cap * PRICE]])));
}

/** @param {{ work: number, kills: number, random: () => number }} options */
function planKills({ work, kills, random }) {
  return Array.from({ length: kills }, (_none, index) => ({
    at: Math.round(((index + 0.3 + random() / 2) * work) / (kills + 1) / 2),
    victim: /** @type {string} */ (VICTIMS[index % VICTIMS.length]),
  }));
}

/**
 * Sends single messages and resumes the jobs, and compares the books with the caps all the time.
 * @param {Installation} installation
 * @param {Customer} customer
 * @param {{ sends: number, contacts: string[], jobs: { jobId: string }[], cap: number, state: { done: number },
 * faults: string[] }} options
 * @returns {Promise<number>} number of sends that were rejected because of the cap
 */
async function run(installation, customer, { sends, contacts, jobs, cap, state, faults }) {
  let next = 0;
  let refused = 0;
  let isOver = false;
  const { call } = customer;
  const sender = async () => {
    while (next < sends) {
      const n = next++;
      const body = { to: contacts[n % contacts.length], type: 'text', text: { body: `Message ${n}` } };
      const { status, error, code } = await call('POST', '/messages/send', body).catch(() => ({
        status: 0,
        error: {},
        code: '',
      }));
      const reason = code ?? error?.code;
      if (status === 403 && reason === 'SPEND_CAP_REACHED') refused += 1;
      else if (![0, 200, 502, 503, 504].includes(status)) faults.push(`send ${n} was answered ${status} ${reason}`);
      state.done += 1;
      if (status !== 200 && status !== 403) await untilReady(installation, NEEDED);
    }
  };
  const resumer = async () => {
    while (!isOver)
      for (const { jobId } of jobs) {
        await call('POST', `/jobs/${jobId}/resume`, {}).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
  };
  const reader = () =>
    withClient(installation.databaseUrl, async (client) => {
      for (let look = 0; !isOver; look += 1) {
        const fault = await bookFault(client, customer.accountId, cap * PRICE);
        if (fault) faults.push(fault);
        const taken = look % LOOKS_PER_CHARGE_CHECK === 0 ? await sentUpstream(installation, customer) : [];
        const charged = taken.filter(({ status }) => status !== 'failed').length;
        if (charged > cap) faults.push(`${charged} messages were charged at one look, the cap allows ${cap}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
  const others = [resumer(), reader()];
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  isOver = true;
  await Promise.all(others);
  return refused;
}

/**
 * Checks at one moment that no total exceeds its cap, and that each equals its reservations.
 * @param {import('pg').Client} client
 * @param {string} accountId
 * @param {number} cap
 */
async function bookFault(client, accountId, cap) {
  const { rows } = await client.query(
    `SELECT job_id, (reserved * 10000)::int AS reserved, (settled * 10000)::int AS settled,
       (SELECT COALESCE(sum(amount) * 10000, 0)::int FROM messaging.spend_reservations AS r
        WHERE NOT r.is_released AND r.account_id = t.account_id
          AND CASE WHEN t.job_id = '' THEN r.month = t.month ELSE r.job_id = t.job_id END) AS open
     FROM messaging.spend_totals AS t WHERE account_id = $1`,
    [accountId],
  );
  for (const { job_id: jobId, reserved, settled, open } of rows) {
    if (reserved !== open) return `total ${jobId || 'of the month'} has ${reserved} reserved, its reservations ${open}`;
    if (jobId === '' && reserved + settled > cap) return `${reserved} + ${settled} exceeds the cap of ${cap}`;
  }
  return undefined;
}

async function waitUntilSettled(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const isSettled = async () => {
    const { rows, reserved } = await readFacts(installation, customer);
    return reserved.length === 0 && rows.every(({ state }) => ['delivered', 'read', 'failed'].includes(state));
  };
  await eventually('everything to be settled', isSettled, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 1_000 }).catch(() =>
    log('not everything was settled in time'),
  );
}

/** @param {Installation} installation @param {Customer} customer */
async function readFacts(installation, customer) {
  const taken = await sentUpstream(installation, customer);
  return withClient(installation.databaseUrl, async (client) => {
    const read = async (/** @type {string} */ sql) => (await client.query(sql, [customer.accountId])).rows;
    const rows = await read(
      "SELECT id, state, job_id FROM messaging.messages WHERE direction = 'outbound' AND account_id = $1",
    );
    const reserved = await read(
      'SELECT message_id AS id FROM messaging.spend_reservations WHERE account_id = $1 AND NOT is_released',
    );
    const totals = await read(
      'SELECT job_id, (reserved * 10000)::int AS reserved, (settled * 10000)::int AS settled FROM messaging.spend_totals WHERE account_id = $1',
    );
    const recipients = await read(
      'SELECT job_id, status, count(*)::int AS count FROM jobs.recipients WHERE account_id = $1 GROUP BY 1, 2',
    );
    const notices = await read(
      "SELECT details ->> 'percent' AS percent FROM messaging.account_notices WHERE account_id = $1 AND notice = 'spend_cap'",
    );
    return { taken, rows, reserved, totals, recipients, notices };
  });
}

/**
 * @param {ReturnType<typeof compareCaps> & { faults: string[] }} result
 * @param {{ killed: number, planned: number, refused: number, seed: number }} run
 */
function report(
  { charged, cap, settled, reserved, inFlight, accepted, unexpected, faults },
  { killed, planned, refused, seed },
) {
  figures({
    'accepted upstream': accepted,
    charged: `${charged / 10_000} of ${cap / 10_000} USD`,
    settled: settled / 10_000,
    reserved,
    'in flight': inFlight,
    'rejected at the cap': refused,
    unexpected: unexpected.length + faults.length,
    kills: killed,
    seed,
  });
  problems({ unexpected, faults });
  // A run that never reached the cap proves nothing.
  const proves = refused > 0;
  if (!proves) log('no send was rejected at the cap');
  return verdict(
    proves && killed === planned && unexpected.length + faults.length === 0,
    'no cap was exceeded, and nothing is reserved that is not in flight',
  );
}
