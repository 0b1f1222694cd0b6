// @ts-check
import { withClient } from '../infra/postgres-login.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { compareBulk } from './compare-bulk.mjs';
import { startInstallation } from './installation.mjs';
import { randomFrom } from './random.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {'jobs' | 'messaging'} Victim */

const PROGRAMS = ['gateway', 'messaging', 'templates', 'jobs', 'simulator'];
/** The pace is off: as much as possible is under way when a process dies. */
const ENVIRONMENT = {
  JOBS_MAX_PACE: '0',
  JOBS_RESULT_GRACE_SECONDS: '10',
  RECONCILE_GRACE_SECONDS: '10',
  UPSTREAM_TIMEOUT_MS: '5000',
  SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: '2',
  LOG_LEVEL: 'info',
};
/** Keeps calls in flight at any moment, and lets callbacks come twice and out of order. */
const UPSTREAM_FAULTS = { latencyMs: 20, callbacks: { duplicate: 0.1, shuffle: 0.1 } };
const RUN_TIMEOUT_MS = 3_600_000;
/** A job must move within this time, or it hangs. */
const STUCK_MS = 180_000;

/**
 * Kills the jobs service and messaging again and again while one job is sent. Proves promise 21: each recipient is sent to once, none is
 * missing, and the counts add up at every look.
 * @param {{ recipients?: number, kills?: number, seed?: number }} options `kills` of both together
 * @returns {Promise<boolean>} whether it was kept
 */
export async function runBulkFaults({ recipients = 50_000, kills = 20, seed = Date.now() % 2 ** 31 }) {
  const installation = await startInstallation({ name: 'bulk', programs: PROGRAMS, environment: ENVIRONMENT });
  try {
    const call = await step('account, template', () => prepare(installation, recipients));
    const phones = Array.from({ length: recipients }, (_, index) => String(919_000_000_000 + index));
    const jobId = await step(`a job of ${recipients}`, () => createJob(call, phones));
    const plan = planKills({ recipients, kills, seed });
    const { killed, faults } = await step(`${plan.length} kills`, () => killOften(installation, { call, jobId, plan, recipients }));
    const job = await step('all callbacks', () => untilStill(call, jobId));
    const result = compareBulk({ phones, job, ...(await readFacts(installation, jobId)) });
    return report(result, { job, killed, planned: plan.length, seed, faults, installation });
  } finally {
    await step('stop', () => installation.stop());
  }
}

/** @typedef {(method: string, path: string, body?: object) => Promise<Record<string, any>>} Call */

/** @returns {Promise<Call>} the API, for an account that may send to so many */
async function prepare(/** @type {Installation} */ installation, /** @type {number} */ recipients) {
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '1000000', '--bulk-recipients', String(recipients));
  const { apiKey } = await installation.ops('demo', 'seed');
  const faults = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(UPSTREAM_FAULTS) };
  const answer = await fetch(`${installation.simulatorUrl}/_control/faults`, faults);
  if (!answer.ok) throw new Error(`the simulator refused the faults: ${await answer.text()}`);
  /** @type {Call} */
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${installation.baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, ...(/** @type {object} */ (await response.json())) };
  };
  const listed = async () => (await call('GET', '/templates'))['templates']?.length > 0;
  await eventually('a template', listed, { timeoutMs: 60_000 });
  return call;
}

async function createJob(/** @type {Call} */ call, /** @type {string[]} */ phones) {
  const { templates } = await call('GET', '/templates');
  const template = templates.find((/** @type {{ components: object[] }} */ { components }) => !JSON.stringify(components).includes('{{')) ?? templates[0];
  const variables = [...new Set(JSON.stringify(template.components).match(/\{\{\w+\}\}/g) ?? [])].map((_, index) => `value ${index}`);
  const recipients = variables.length > 0 ? phones.map((to) => ({ to, variables })) : phones;
  const answer = await call('POST', '/messages/send/bulk', { recipients, type: 'template', template: { name: template.name, language: { code: template.language } } });
  if (answer['status'] !== 201 && answer['accepted'] !== phones.length) throw new Error(`the job was not made: ${JSON.stringify(answer).slice(0, 500)}`);
  return String(answer['jobId']);
}

/**
 * After how many recipients who is killed, spread over the run by the seed.
 * @param {{ recipients: number, kills: number, seed: number }} options
 * @returns {{ at: number, victim: Victim }[]}
 */
function planKills({ recipients, kills, seed }) {
  const random = randomFrom(seed);
  return Array.from({ length: kills }, (_, index) => ({
    at: Math.round(((index + 0.3 + random() / 2) * recipients) / (kills + 1)),
    victim: /** @type {Victim} */ (index % 2 === 0 ? 'messaging' : 'jobs'),
  }));
}

/**
 * Kills by plan and looks at the job meanwhile, until nobody is pending.
 * @param {Installation} installation
 * @param {{ call: Call, jobId: string, plan: { at: number, victim: Victim }[], recipients: number }} run
 */
async function killOften(installation, { call, jobId, plan, recipients }) {
  const killed = { jobs: 0, messaging: 0 };
  /** @type {string[]} */
  const faults = [];
  const waiting = [...plan];
  let last = { attempted: -1, at: Date.now() };
  const isOver = async () => {
    const { job } = await call('GET', `/jobs/${jobId}`).catch(() => ({ job: undefined }));
    if (!job) return false;
    const sum = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'rejected', 'duplicates'].reduce((all, name) => all + job[name], 0);
    if (sum !== job.total) faults.push(`at one look the counts were ${JSON.stringify(job)}`);
    const attempted = recipients - job.pending;
    if (attempted !== last.attempted) last = { attempted, at: Date.now() };
    if (Date.now() - last.at > STUCK_MS) throw new Error(`the job stands still: ${JSON.stringify(job)}`);
    const [next] = waiting;
    if (next && attempted >= next.at) {
      // A process that is not up yet has nothing in flight: the kill would prove nothing.
      if (!(await installation.isReady(next.victim))) return false;
      waiting.shift();
      await installation.kill9(next.victim);
      killed[next.victim] += 1;
    }
    return job.status === 'completed';
  };
  await eventually('the job to end', isOver, { timeoutMs: RUN_TIMEOUT_MS, everyMs: 100 });
  return { killed, faults };
}

/** Every recipient has read it, or nothing has come for a while. */
async function untilStill(/** @type {Call} */ call, /** @type {string} */ jobId) {
  /** @type {Record<string, any>} */
  let job = {};
  let since = Date.now();
  const isStill = async () => {
    const { job: now } = await call('GET', `/jobs/${jobId}`);
    if (JSON.stringify(now) !== JSON.stringify(job)) since = Date.now();
    job = now;
    return job['read'] + job['failed'] === job['total'] || Date.now() - since > 30_000;
  };
  await eventually('the last callbacks', isStill, { timeoutMs: RUN_TIMEOUT_MS, everyMs: 500 });
  return job;
}

async function readFacts(/** @type {Installation} */ installation, /** @type {string} */ jobId) {
  const ask = async (/** @type {string} */ path) => /** @type {any} */ (await (await fetch(`${installation.simulatorUrl}/_control/${path}`)).json());
  // The list holds the last 50,000; the summary counted all.
  const { messages } = await ask('messages?limit=50000');
  const { doubledIds } = await ask('summary');
  const sql = 'SELECT position, phone, status, message_id, upstream_id FROM jobs.recipients WHERE job_id = $1';
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql, [jobId]));
  return { rows, taken: messages, doubledIds };
}

/**
 * @param {ReturnType<typeof compareBulk>} result
 * @param {{ job: Record<string, any>, killed: Record<Victim, number>, planned: number, seed: number, faults: string[], installation: Installation }} run
 */
function report({ missing, twice, wrong, taken }, { job, killed, planned, seed, faults, installation }) {
  const unexpected = [...wrong, ...faults, ...installation.exits().map((exit) => `${exit} ended by itself`)];
  const seconds = (Date.parse(job['completedAt']) - Date.parse(job['startedAt'])) / 1_000;
  const counts = Object.fromEntries(['accepted', 'sent', 'delivered', 'read', 'failed', 'pending'].map((name) => [name, job[name]]));
  const figures = {
    ...{ recipients: job['total'], 'taken upstream': taken, missing: missing.length, twice: twice.length, unexpected: unexpected.length },
    ...{ counts: JSON.stringify(counts), seconds: Math.round(seconds), 'jobs killed': killed.jobs, 'messaging killed': killed.messaging, seed },
  };
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  for (const [name, list] of Object.entries({ missing, twice, unexpected })) for (const item of list.slice(0, 10)) process.stdout.write(`  ${name}: ${item}\n`);
  const isComplete = killed.jobs + killed.messaging === planned;
  const kept = isComplete && missing.length + twice.length + unexpected.length === 0;
  process.stdout.write(kept ? 'kept: each recipient once, nobody missing, the counts add up\n' : `NOT kept; logs are in ${installation.logFolder}\n`);
  return kept;
}
