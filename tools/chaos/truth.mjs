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
 * Services killed in a separate round, with few requests of each scenario. Their queued commands call other services,
 * and would fail while those are also down. Only running services reveal a command that is executed late.
 */
const APART = { owners: ['jobs'], scenarios: ['bulk', 'excel', 'kept sheet'], each: 3 };
/**
 * Sends that start concurrently. The gateway publishes them as one broker message, of which a kill leaves only some
 * with a response.
 */
const TOGETHER = { owners: ['messaging'], scenarios: ['send'], each: 24, together: 8 };
/** Time within which all requests of a round start. */
const ASKED_WITHIN_MS = 900;
/**
 * Time of the kills, chosen so that some requests are complete, some are in flight, and some arrive while the services
 * are down.
 */
const KILLED_FROM_MS = 300;
const KILLED_UNTIL_MS = 1_200;

/** Proves guarantee 27 of ADR 41: after a 503, nothing was or will be done; after a 2xx, the work is done. */
export const truth = chaosTest({
  about: 'kills the services under every command with side effects; compares each response with the actual effects',
  takes: { long: '8 minutes', short: '35 s' },
  // Each account of a round: three requests of each scenario would exceed the limit of endpoints.
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
 * each: requests per scenario; together: how many of these start concurrently, 1 by default
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
  // A run in which no request, or every request, was rejected proves nothing.
  const proves = refused > 0 && refused < told.length;
  return verdict(
    proves && lost.length + doubled.length + untrue.length + unexpected.length + missing.length === 0,
    'what was answered is true',
  );
}
