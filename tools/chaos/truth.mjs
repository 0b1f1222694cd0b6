// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { step } from '../lib/progress.mjs';
import { openRpcClient } from './rpc-client.mjs';
import { chaosTest } from './chaos-test.mjs';
import { compareTruth, countAnswers, untried } from './compare-truth.mjs';
import { control } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';
import { SCENARIOS, NOT_TRIED } from './truth-scenarios.mjs';
import { LATENCY_MS, newSurroundings, startReceiver } from './truth-surroundings.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./truth-scenarios.mjs').Surroundings} Surroundings */
/** @typedef {import('./compare-truth.mjs').Told} Told */

const OWNERS = ['messaging', 'jobs', 'otp', 'webhooks', 'templates'];
const ALL = ['gateway', ...OWNERS];
/**
 * Kills apart from all others, under so many requests of each scenario: what these leave in a queue asks other services
 * on the way, and fails while they are away, too. Only with them at work does it show when it is carried out.
 */
const APART = { owners: ['jobs'], scenarios: ['bulk', 'excel', 'kept sheet'], each: 3 };
/** Sends that come at the same moment are one message of the broker, of which a kill leaves some answered. */
const TOGETHER = { owners: ['messaging'], scenarios: ['send'], each: 24, together: 8 };
/** All requests of a round come within this time. */
const ASKED_WITHIN_MS = 900;
/**
 * When owners are killed: some requests are answered by then, some are under way, and some come while nobody is there.
 */
const KILLED_FROM_MS = 300;
const KILLED_UNTIL_MS = 1_200;

/** Proves promise 27 of ADR 41: 503 means that nothing was done and nothing will be, 2xx that it is done. */
export const truth = chaosTest({
  about: 'kills the services under every command that changes something; compares each answer with what is there',
  takes: { long: '8 minutes', short: '35 s' },
  // Of each round's account; three requests of each scenario would need more endpoints than one may have.
  long: { rounds: 9, each: 2 },
  short: { rounds: 1, each: 1 },
  async run(installation, { rounds, each, seed }) {
    const random = randomFrom(seed);
    const receiver = await startReceiver();
    const pool = new pg.Pool({ connectionString: installation.databaseUrl, max: 4 });
    const rpc = await openRpcClient(installation);
    const missing = untried(
      rpc.changing,
      Object.values(SCENARIOS).map(({ command }) => command),
      Object.keys(NOT_TRIED),
    );
    try {
      /** @type {Told[]} */
      const told = [];
      for (let round = 0; round < rounds; round += 1) {
        const surroundings = await step('account, user, template', () =>
          newSurroundings(installation, {
            receiverUrl: receiver.url,
            rpc,
            pool,
            phones: each * Object.keys(SCENARIOS).length + APART.each * APART.scenarios.length + TOGETHER.each,
          }),
        );
        for (const kills of [{ owners: OWNERS, scenarios: Object.keys(SCENARIOS), each }, APART, TOGETHER]) {
          told.push(
            ...(await step(
              `kills of ${kills.owners.length} under ${kills.each * kills.scenarios.length} requests`,
              () => playRound(surroundings, { ...kills, random }),
            )),
          );
        }
      }
      return report(told, { missing, kills: rounds * [OWNERS, APART.owners, TOGETHER.owners].flat().length, seed });
    } finally {
      await pool.end();
      await rpc.close();
      receiver.close();
    }
  },
});

/**
 * @param {Surroundings} surroundings
 * @param {{ owners: string[], scenarios: string[], each: number, together?: number, random: () => number }} options
 * each: requests of a scenario; together: how many of these come at one moment, 1 when absent
 * @returns {Promise<Told[]>}
 */
async function playRound(surroundings, { owners, scenarios, each, together = 1, random }) {
  const { installation } = surroundings;
  await untilReady(installation, ALL);
  const names = scenarios.flatMap((scenario) => Array.from({ length: each }, () => scenario));
  const knocks = await Promise.all(
    names.map(async (scenario) => ({
      scenario,
      ...(await /** @type {import('./truth-scenarios.mjs').Scenario} */ (SCENARIOS[scenario]).prepare(surroundings)),
    })),
  );
  await control(installation, 'faults', { latencyMs: LATENCY_MS });
  const killing = owners.map((owner) =>
    delay(KILLED_FROM_MS + (KILLED_UNTIL_MS - KILLED_FROM_MS) * random()).then(() => installation.kill9(owner)),
  );
  const moments = knocks.map(() => ASKED_WITHIN_MS * random());
  const asked = await Promise.all(
    knocks.map(async ({ scenario, request, effects }, index) => {
      await delay(moments[index - (index % together)]);
      return { scenario, effects, answer: await request() };
    }),
  );
  await Promise.all(killing);
  await untilReady(installation, ALL);
  await control(installation, 'faults', {});
  return Promise.all(
    asked.map(async ({ scenario, answer, effects }) => ({
      scenario,
      status: answer.status,
      effects: await effects(answer),
    })),
  );
}

function report(
  /** @type {Told[]} */ told,
  /** @type {{ missing: string[], kills: number, seed: number }} */ { missing, kills, seed },
) {
  const { lost, doubled, untrue, unexpected } = compareTruth(told);
  for (const scenario of Object.keys(SCENARIOS))
    figures({ [scenario]: countAnswers(told.filter((one) => one.scenario === scenario)) });
  const refused = told.filter(({ status }) => status === 503).length;
  figures({
    all: countAnswers(told),
    lost: lost.length,
    doubled: doubled.length,
    'refused and done': untrue.length,
    unexpected: unexpected.length,
    kills,
    seed,
  });
  problems({ lost, doubled, 'refused and done': untrue, unexpected, 'has neither a scenario nor a reason': missing });
  // A run in which nothing was refused, or nothing else, proves nothing.
  const proves = refused > 0 && refused < told.length;
  return verdict(
    proves && lost.length + doubled.length + untrue.length + unexpected.length + missing.length === 0,
    'what was answered is true',
  );
}
