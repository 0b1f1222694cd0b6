// @ts-check
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareSends, refOf } from './compare-sends.mjs';
import { control, newCustomer, newPhones, openWindows, sentUpstream } from './customers.mjs';
import { killDuring, spreadKills, untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {import('./compare-sends.mjs').Answer} Answer */

const CONCURRENCY = 20;
const CONTACTS = 20;
/** Ratio of other kills to broker kills, which are rarer because the broker takes seconds to restart. */
const KILLS_PER_BROKER_KILL = 7;
const NEEDED = ['gateway', 'messaging'];
/**
 * Simulator faults that keep several calls in flight, so that each kill hits some, and that lose, duplicate and delay
 * callbacks. A message has three callbacks. If all of them and the upstream response were lost, a second send would be
 * correct; the chance of losing all three is one in 37,000.
 */
const UPSTREAM_FAULTS = { latencyMs: 25, callbacks: { lose: 0.03, duplicate: 0.1, shuffle: 0.2, delayMs: 300 } };
const SETTLE_TIMEOUT_MS = 180_000;

/** Proves guarantees 1 and 2 of ADR 41 for sends: an accepted send is never lost, and nothing is sent twice. */
export const send = chaosTest({
  about:
    'kills messaging, the gateway and the broker during sends while callbacks get lost; compares responses, messages and upstream sends',
  takes: { long: '3 minutes', short: '20 s' },
  long: { sends: 2_000, kills: 20 },
  short: { sends: 300, kills: 3 },
  async run(installation, { sends, kills, seed }) {
    const customer = await step('account, number, open windows', () => newCustomer(installation, 'send'));
    const contacts = newPhones(CONTACTS);
    await openWindows(installation, customer, contacts);
    await control(installation, 'faults', UPSTREAM_FAULTS);
    const random = randomFrom(seed);
    const victims = { messaging: kills, gateway: kills, broker: Math.ceil(kills / KILLS_PER_BROKER_KILL) };
    const plan = Object.entries(victims).flatMap(([victim, count]) =>
      spreadKills(victim, { count, work: sends, random }),
    );
    const { result: answers, killed } = await step(`${sends} sends, ${plan.length} kills`, () =>
      killDuring(installation, { plan, ready: NEEDED }, (state) =>
        sendAll(installation, customer, { sends, contacts, state }),
      ),
    );
    await step('everything settled', () => waitUntilSettled(installation, customer));
    return report(compareSends({ answers, ...(await readFacts(installation, customer)) }), {
      killed,
      planned: plan.length,
      seed,
    });
  },
});

/**
 * @param {Installation} installation
 * @param {Customer} customer
 * @param {{ sends: number, contacts: string[], state: { done: number } }} options `state.done` counts finished sends
 * @returns {Promise<Answer[]>}
 */
async function sendAll(installation, { call }, { sends, contacts, state }) {
  /** @type {Answer[]} */
  const answers = [];
  let next = 0;
  const sender = async () => {
    while (next < sends) {
      const n = next++;
      const answer = await sendOne(call, n, String(contacts[n % contacts.length]));
      answers.push(answer);
      state.done += 1;
      // Back off as a client would. Otherwise most sends would hit a starting service.
      if (answer.status !== 200) await untilReady(installation, NEEDED);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return answers;
}

/** Sends one message, without retries. @returns {Promise<Answer>} */
async function sendOne(
  /** @type {import('./customers.mjs').Call} */ call,
  /** @type {number} */ n,
  /** @type {string} */ to,
) {
  const body = { to, ...contentOf(n), clientRef: refOf(n) };
  // No response means that the gateway was killed and accepted nothing.
  const {
    status,
    id,
    message_id: upstreamId,
  } = await call('POST', '/messages/send', body).catch(() => ({ status: 0, id: undefined, message_id: undefined }));
  return { n, status, id, upstreamId };
}

/** Alternates texts and interactive messages. */
function contentOf(/** @type {number} */ n) {
  const body = `Message ${n}`;
  if (n % 2 === 0) return { type: 'text', text: { body } };
  const buttons = ['Yes', 'No'].map((title) => ({ type: 'reply', reply: { id: `${title}-${n}`, title } }));
  return { type: 'interactive', interactive: { type: 'button', body: { text: body }, action: { buttons } } };
}

/** Waits until every message has a known outcome, and messaging has a row for every 504. */
async function waitUntilSettled(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const isSettled = async () =>
    (await countOpenSends(installation, customer)) === 0 &&
    compareSends({ answers: [], ...(await readFacts(installation, customer)) }).unexpected.length === 0;
  await eventually('everything to be settled', isSettled, { timeoutMs: SETTLE_TIMEOUT_MS, everyMs: 500 }).catch(() =>
    log('not everything was settled in time'),
  );
}

async function countOpenSends(/** @type {Installation} */ { databaseUrl }, /** @type {Customer} */ { accountId }) {
  const sql = 'SELECT count(*)::int AS open FROM gateway.open_sends WHERE account_id = $1';
  const { rows } = await withClient(databaseUrl, (client) => client.query(sql, [accountId]));
  return rows[0].open;
}

async function readFacts(/** @type {Installation} */ installation, /** @type {Customer} */ customer) {
  const taken = await sentUpstream(installation, customer);
  const sql =
    "SELECT id, client_ref, state, upstream_id, send_attempts FROM messaging.messages WHERE direction = 'outbound' AND account_id = $1";
  const { rows } = await withClient(installation.databaseUrl, (client) => client.query(sql, [customer.accountId]));
  return { rows, taken };
}

/**
 * @param {ReturnType<typeof compareSends>} result
 * @param {{ killed: number, planned: number, seed: number }} run
 */
function report({ lost, doubled, unexpected, answeredOtherwise, ...counts }, { killed, planned, seed }) {
  figures({
    accepted: counts.accepted,
    'answered otherwise': answeredOtherwise,
    'settled afterwards': counts.settled,
    'sent again': counts.resent,
    lost: lost.length,
    doubled: doubled.length,
    unexpected: unexpected.length,
    kills: killed,
    seed,
  });
  problems({ lost, doubled, unexpected });
  // A run with few accepted sends, or without a kill that hit one in flight, proves nothing.
  const proves = counts.accepted >= answeredOtherwise && (planned === 0 || counts.settled > 0);
  if (!proves) log('too few sends were accepted, or no kill hit one under way');
  const isKept = proves && killed === planned && lost.length + doubled.length + unexpected.length === 0;
  return verdict(isKept, 'no 200 was lost, nothing was sent twice');
}
