// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { startLoad } from './away-load.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareSends } from './compare-sends.mjs';
import { newCustomer, newPhones, openWindows, sentUpstream } from './customers.mjs';
import { ANSWER_LIMIT_MS, judgeOutage, RECOVERY_LIMIT_MS } from './outage.mjs';
import { figures, problems, verdict } from './report.mjs';
import { requestsAnswered500 } from './request-log.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {ReturnType<typeof startLoad>} Load */
/** @typedef {{ name: string, begin(): Promise<void>, end(): Promise<void>, seconds: number }} Fault */

const CONTACTS = 3;
const STEADY_MS = 2_000;
const NOTICED_MS = 5_000;
const DRAIN_LIMIT_MS = 60_000;

/** Proves guarantees 3 and 4 of ADR 41. The options set how many seconds each dependency is unavailable. */
export const away = chaosTest({
  about:
    'suspends the broker (SIGSTOP) and stops the database, each under load; checks response times and statuses, and that nothing is lost',
  takes: { long: '2 minutes', short: '30 s' },
  long: { broker: 60, database: 20 },
  short: { broker: 6, database: 4 },
  async run(installation, { broker, database }) {
    const customer = await step('account, number, open windows', () => newCustomer(installation, 'away'));
    const contacts = newPhones(CONTACTS);
    await openWindows(installation, customer, contacts);
    const load = startLoad({ baseUrl: installation.baseUrl, apiKey: customer.apiKey, contacts });
    const outcomes = [];
    try {
      for (const fault of faultsOf(installation, { broker, database })) {
        outcomes.push(
          await step(`${fault.name} for ${fault.seconds} s`, () => endure(installation, { customer, load, fault })),
        );
      }
    } finally {
      await load.stop();
    }
    await step('everything settled', () => settle(installation, customer));
    const answers = load.answers.filter(({ kind }) => kind === 'send');
    return report({ outcomes, sends: compareSends({ answers, ...(await readFacts(installation, customer)) }) });
  },
});

/** @returns {Fault[]} */
function faultsOf(
  /** @type {Installation} */ { broker, database },
  /** @type {{ broker: number, database: number }} */ seconds,
) {
  const signalBroker = async (/** @type {NodeJS.Signals} */ name) => void process.kill(broker.pid, name);
  return [
    {
      name: 'broker hangs',
      seconds: seconds.broker,
      begin: () => signalBroker('SIGSTOP'),
      end: () => signalBroker('SIGCONT'),
    },
    { name: 'database stopped', seconds: seconds.database, begin: () => database.stop(), end: () => database.start() },
  ];
}

/** Runs one outage: normal load before it, the fault, then a wait until all work is done. */
async function endure(
  /** @type {Installation} */ installation,
  /** @type {{ customer: Customer, load: Load, fault: Fault }} */ { customer, load, fault },
) {
  const { name, begin, end, seconds } = fault;
  await delay(STEADY_MS);
  const already = load.answers.length;
  await begin();
  const from = Date.now();
  await delay(Math.min(NOTICED_MS, seconds * 500));
  const [gateway, messaging] = await Promise.all([installation.failing('gateway'), installation.failing('messaging')]);
  await delay(from + seconds * 1000 - Date.now());
  const returning = Date.now();
  await end();
  const to = Date.now();
  const backlog = await openMessages(installation, customer);
  const isDrained = async () => (await unfinishedBefore(installation, customer, to)) === 0;
  await eventually('the backlog to be worked off', isDrained, { timeoutMs: DRAIN_LIMIT_MS * 2, everyMs: 250 }).catch(
    () => undefined,
  );
  const internal = requestsAnswered500(installation.logFolder, from - STEADY_MS);
  const outage = judgeOutage(load.answers.slice(Math.max(0, already - 50)), { from, returning, to });
  return { name, ...outage, internal, failing: { gateway, messaging }, backlog, drainedMs: Date.now() - to };
}

const UNFINISHED = "account_id = $1 AND direction = 'outbound' AND state NOT IN ('read', 'failed')";

async function openMessages(/** @type {Installation} */ { databaseUrl }, /** @type {Customer} */ { accountId }) {
  const sql = `SELECT (SELECT count(*) FROM messaging.messages WHERE ${UNFINISHED})
    + (SELECT count(*) FROM gateway.open_sends WHERE account_id = $1) AS count`;
  return count(databaseUrl, sql, [accountId]);
}

/** Counts messages created before the given time without a final status, and unpublished outbox rows. */
async function unfinishedBefore(
  /** @type {Installation} */ { databaseUrl },
  /** @type {Customer} */ { accountId },
  /** @type {number} */ time,
) {
  const sql = `SELECT (SELECT count(*) FROM messaging.messages WHERE ${UNFINISHED} AND created_at < $2)::int
    + (SELECT count(*) FROM gateway.outbox WHERE created_at < $2)::int + (SELECT count(*) FROM messaging.outbox
      WHERE created_at < $2)::int AS count`;
  return count(databaseUrl, sql, [accountId, new Date(time)]);
}

async function count(/** @type {string} */ url, /** @type {string} */ sql, /** @type {unknown[]} */ values) {
  const { rows } = await withClient(url, (client) => client.query(sql, values));
  return Number(rows[0].count);
}

async function settle(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const isSettled = async () => (await openMessages(installation, customer)) === 0;
  await eventually('every message to be settled', isSettled, { timeoutMs: 120_000, everyMs: 500 }).catch(
    () => undefined,
  );
}

async function readFacts(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const taken = await sentUpstream(installation, customer);
  const sql =
    "SELECT id, client_ref, state, upstream_id, send_attempts FROM messaging.messages WHERE direction = 'outbound' AND account_id = $1";
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql, [customer.accountId]));
  return { rows, taken };
}

/**
 * @param {{ outcomes: Awaited<ReturnType<typeof endure>>[], sends: ReturnType<typeof compareSends> }} run
 */
function report({ outcomes, sends }) {
  const { lost, doubled, unexpected } = sends;
  for (const {
    name,
    answered,
    refused,
    falselyGood,
    goodOnReturn,
    slowestMs,
    recoveryMs,
    drainedMs,
    backlog,
    failing,
  } of outcomes) {
    const answers = `${answered} requests, ${refused} refused, the slowest in ${slowestMs} ms, ${falselyGood.length} falsely good, ${goodOnReturn} good while it came back`;
    const unready = Object.entries(failing).map(
      ([program, failed]) => `${program}: ${failed.join(', ') || 'says that all works'}`,
    );
    figures({
      [name]: `${answers}; first good send after ${recoveryMs} ms; ${backlog} open, worked off after ${drainedMs} ms`,
      '  away, they say': unready.join('; '),
    });
  }
  figures({ accepted: sends.accepted, lost: lost.length, doubled: doubled.length, unexpected: unexpected.length });
  const broken = outcomes.flatMap(problemsOf);
  problems({ lost, doubled, unexpected, problem: broken });
  const isKept = broken.length + lost.length + doubled.length + unexpected.length === 0 && sends.accepted > 0;
  return verdict(isKept, 'no false 200, clear answers in time, nothing lost');
}

function problemsOf(
  /** @type {Awaited<ReturnType<typeof endure>>} */ {
    name,
    refused,
    falselyGood,
    late,
    unclear,
    internal,
    recoveryMs,
    drainedMs,
    failing,
  },
) {
  return [
    ...(refused === 0 ? [`${name}: no request met it`] : []),
    ...falselyGood.slice(0, 5).map((answer) => `${name}: ${answer}`),
    ...(late > 0 ? [`${name}: ${late} refusals took more than ${ANSWER_LIMIT_MS} ms`] : []),
    ...unclear.slice(0, 5).map((answer) => `${name}: ${answer}`),
    ...internal.slice(0, 5).map((request) => `${name}: ${request}`),
    ...(recoveryMs > RECOVERY_LIMIT_MS ? [`${name}: the first good send came ${recoveryMs} ms after it`] : []),
    ...(drainedMs > DRAIN_LIMIT_MS ? [`${name}: the backlog took ${drainedMs} ms`] : []),
    ...Object.entries(failing).flatMap(([program, failed]) =>
      failed.length === 0 ? [`${name}: ${program} said that all works`] : [],
    ),
  ];
}
