// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { step } from '../lib/progress.mjs';
import { openRpcClient } from './rpc-client.mjs';
import { faultCommand } from './command.mjs';
import { compareTruth, countAnswers, untried } from './compare-truth.mjs';
import { control } from './customers.mjs';
import { untilReady } from './kills.mjs';
import { randomFrom } from './random.mjs';
import { figures, problems, verdict } from './report.mjs';
import { DOORS, NOT_TRIED } from './truth-doors.mjs';
import { LATENCY_MS, newSurroundings, startReceiver } from './truth-surroundings.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./truth-doors.mjs').Surroundings} Surroundings */
/** @typedef {import('./compare-truth.mjs').Told} Told */

const OWNERS = ['messaging', 'jobs', 'otp', 'webhooks', 'templates'];
const ALL = ['gateway', ...OWNERS];
/**
 * Kills apart from all others, under so many requests of each door: what these leave in a queue asks other services on
 * the way, and fails while they are away, too. Only with them at work does it show when it is carried out.
 */
const APART = { owners: ['jobs'], doors: ['bulk', 'excel', 'kept sheet'], each: 3 };
/** Sends that come at the same moment are one message of the broker, of which a kill leaves some answered. */
const TOGETHER = { owners: ['messaging'], doors: ['send'], each: 24, together: 8 };
/** All requests of a round come within this time. */
const ASKED_WITHIN_MS = 900;
/**
 * When owners are killed: some requests are answered by then, some are under way, and some come while nobody is there.
 */
const KILLED_FROM_MS = 300;
const KILLED_UNTIL_MS = 1_200;

/** Proves promise 27 of ADR 41: 503 means that nothing was done and nothing will be, 2xx that it is done. */
export const truth = faultCommand({
  about: 'kills the services under every command that changes something; compares each answer with what is there',
  takes: { long: '8 minutes', short: '35 s' },
  // Of each round's account; three requests of each door would need more endpoints than one may have.
  long: { rounds: 9, each: 2 },
  short: { rounds: 1, each: 1 },
  async run(installation, { rounds, each, seed }) {
    const random = randomFrom(seed);
    const receiver = await startReceiver();
    const pool = new pg.Pool({ connectionString: installation.databaseUrl, max: 4 });
    const rpc = await openRpcClient(installation);
    const missing = untried(
      rpc.changing,
      Object.values(DOORS).map(({ command }) => command),
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
            phones: each * Object.keys(DOORS).length + APART.each * APART.doors.length + TOGETHER.each,
          }),
        );
        for (const kills of [{ owners: OWNERS, doors: Object.keys(DOORS), each }, APART, TOGETHER]) {
          told.push(
            ...(await step(`kills of ${kills.owners.length} under ${kills.each * kills.doors.length} requests`, () =>
              playRound(surroundings, { ...kills, random }),
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
 * @param {{ owners: string[], doors: string[], each: number, together?: number, random: () => number }} options
 * each: requests of a door; together: how many of these come at one moment, 1 when absent
 * @returns {Promise<Told[]>}
 */
async function playRound(surroundings, { owners, doors, each, together = 1, random }) {
  const { installation } = surroundings;
  await untilReady(installation, ALL);
  const names = doors.flatMap((door) => Array.from({ length: each }, () => door));
  const knocks = await Promise.all(
    names.map(async (door) => ({
      door,
      ...(await /** @type {import('./truth-doors.mjs').Door} */ (DOORS[door]).prepare(surroundings)),
    })),
  );
  await control(installation, 'faults', { latencyMs: LATENCY_MS });
  const killing = owners.map((owner) =>
    delay(KILLED_FROM_MS + (KILLED_UNTIL_MS - KILLED_FROM_MS) * random()).then(() => installation.kill9(owner)),
  );
  const moments = knocks.map(() => ASKED_WITHIN_MS * random());
  const asked = await Promise.all(
    knocks.map(async ({ door, request, effects }, index) => {
      await delay(moments[index - (index % together)]);
      return { door, effects, answer: await request() };
    }),
  );
  await Promise.all(killing);
  await untilReady(installation, ALL);
  await control(installation, 'faults', {});
  return Promise.all(
    asked.map(async ({ door, answer, effects }) => ({ door, status: answer.status, effects: await effects(answer) })),
  );
}

function report(
  /** @type {Told[]} */ told,
  /** @type {{ missing: string[], kills: number, seed: number }} */ { missing, kills, seed },
) {
  const { lost, doubled, untrue, unexpected } = compareTruth(told);
  for (const door of Object.keys(DOORS)) figures({ [door]: countAnswers(told.filter((one) => one.door === door)) });
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
  problems({ lost, doubled, 'refused and done': untrue, unexpected, 'has neither a door nor a reason': missing });
  // A run in which nothing was refused, or nothing else, proves nothing.
  const proves = refused > 0 && refused < told.length;
  return verdict(
    proves && lost.length + doubled.length + untrue.length + unexpected.length + missing.length === 0,
    'what was answered is true',
  );
}
