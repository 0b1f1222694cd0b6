// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';
import { log, step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { control, newCustomer, newPhones, openWindows } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ tries: number, body: string, isReplay: boolean }} Outcome final outcome for one caller */
/** @typedef {{ moment: string, isStored: boolean, hits: number, rows: number, outcomes: Outcome[] }} Round */

/** Time for which a caller retries until it gets a 200, as a well-behaved client does. */
const PATIENCE_MS = 180_000;
/** Delay of upstream calls, long enough for a kill to hit the send in flight. */
const UPSTREAM_LATENCY_MS = 150;
/**
 * Times of the kill: during the upstream call, and after messaging has the upstream response but before the caller has
 * its own.
 */
const MOMENTS = /** @type {const} */ (['sent upstream', 'accepted']);

/** Proves guarantee 5 of ADR 41: one message and one response per key. Each round uses a new key and one kill. */
export const idempotency = chaosTest({
  about:
    'sends one message from many callers with the same Idempotency-Key and kills the gateway before it responds; compares responses and upstream sends',
  takes: { long: '1 minute', short: '10 s' },
  long: { callers: 500, rounds: 6 },
  short: { callers: 30, rounds: 2 },
  async run(installation, { callers, rounds: count, seed }) {
    const random = randomFrom(seed);
    const contacts = newPhones(count);
    const { apiKey } = await step('account, number, open windows', async () => {
      const customer = await newCustomer(installation, 'idempotency');
      await openWindows(installation, customer, contacts);
      return customer;
    });
    await control(installation, 'faults', { latencyMs: UPSTREAM_LATENCY_MS });
    const rounds = [];
    for (const [index, to] of contacts.entries()) {
      const moment = MOMENTS[index % MOMENTS.length] ?? MOMENTS[0];
      rounds.push(
        await step(`${callers} callers, killed when ${moment}`, () =>
          playRound(installation, { apiKey, to, moment, callers, random }),
        ),
      );
      await untilReady(installation, ['gateway', 'messaging']);
    }
    return report(rounds, { callers, seed });
  },
});

/**
 * @param {Installation} installation
 * @param {{ apiKey: string, to: string, moment: typeof MOMENTS[number], callers: number, random: () => number }}
 * options
 * @returns {Promise<Round>}
 */
async function playRound(installation, { apiKey, to, moment, callers, random }) {
  const request = { url: `${installation.baseUrl}/messages/send`, apiKey, to, random };
  const calling = Promise.all(Array.from({ length: callers }, () => callUntilAnswered(request)));
  const isStored = await withClient(installation.databaseUrl, async (client) => {
    // Include later states, because hundreds of callers may keep this process busy until such a status is stored.
    const accepted = ['accepted', 'sent', 'delivered', 'read'];
    const states = moment === 'accepted' ? accepted : ['sending', 'unknown', ...accepted];
    const sql = "SELECT 1 FROM messaging.messages WHERE direction = 'outbound' AND recipient = $1 AND state = ANY($2)";
    await eventually(`the message to be ${moment}`, async () => (await client.query(sql, [to, states])).rowCount, {
      timeoutMs: 30_000,
      everyMs: 1,
    });
    await installation.kill9('gateway');
    // A response stored before the kill means that the kill came too late to prove anything.
    const { rows } = await client.query('SELECT status FROM gateway.idempotency WHERE key = $1', [to]);
    return rows[0]?.status !== null;
  });
  const outcomes = await calling;
  const { messages } = await control(installation, `messages?to=${to}`);
  const rows = await withClient(installation.databaseUrl, (client) =>
    client.query("SELECT 1 FROM messaging.messages WHERE direction = 'outbound' AND recipient = $1", [to]),
  );
  return { moment, isStored, hits: messages.length, rows: rows.rowCount ?? 0, outcomes };
}

/**
 * @param {{ url: string, apiKey: string, to: string, random: () => number }} request
 * @returns {Promise<Outcome>}
 */
async function callUntilAnswered({ url, apiKey, to, random }) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': to };
  const body = JSON.stringify({ to, type: 'text', text: { body: 'Once' } });
  const deadline = Date.now() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, { method: 'POST', headers, body }).then(
      async (response) => ({ response, text: await response.text() }),
      () => undefined,
    );
    const isReplay = answer?.response.headers.get('idempotency-replay') === 'true';
    if (answer?.response.status === 200) return { tries, body: answer.text, isReplay };
    if (Date.now() > deadline)
      return { tries, body: `${answer?.response.status ?? 'no answer'} ${answer?.text ?? ''}`, isReplay };
    await delay(300 + random() * 700);
  }
}

/** @returns {boolean} true when every round had one message and one response */
function report(/** @type {Round[]} */ rounds, /** @type {{ callers: number, seed: number }} */ { callers, seed }) {
  let isKept = true;
  for (const { moment, isStored, hits, rows, outcomes } of rounds) {
    const answers = new Set(outcomes.map(({ body }) => body));
    const firsts = outcomes.filter(({ isReplay }) => !isReplay).length;
    const isRight = hits === 1 && rows === 1 && answers.size === 1 && [...answers][0]?.includes('"success":true');
    isKept &&= Boolean(isRight);
    const late = isStored ? ' (too late: the answer was stored)' : '';
    const told = `${answers.size} different answer to ${outcomes.length} callers (${firsts} first-hand)`;
    log(
      `killed when ${moment}${late}: ${hits} sent upstream, ${rows} message, ${told}, ${Math.max(...outcomes.map(({ tries }) => tries))} tries at most`,
    );
    if (!isRight) for (const answer of [...answers].slice(0, 5)) log(`  answer: ${answer}`);
  }
  const proving = rounds.filter(({ isStored }) => !isStored).length;
  log(`${rounds.length} kills with ${callers} callers each, ${proving} before the answer was stored; seed ${seed}`);
  if (proving === 0) log('no kill came in time: nothing was proved');
  return verdict(isKept && proving > 0, 'one message, one answer');
}
