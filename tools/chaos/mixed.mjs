// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { log, say, step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { untilReady } from './kills.mjs';
import { errorLines, mixesOf, PARTS, stepsOf } from './mixes.mjs';
import { openScenarios } from './mixed-scenarios.mjs';
import { compareLoad, isGood, startMixedLoad } from './mixed-load.mjs';
import { builtCheckout, differing, otherCommits } from './other-version.mjs';
import { compareShared, secondOf, startPairs, untilCarriedOut } from './pairs.mjs';
import { readsOf } from './reads.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./mixed-load.mjs').MixedLoad} MixedLoad */

/** Minimum number of successful requests in each combination of versions. */
const ANSWERS_BETWEEN = 40;
/** Settings of upgrade.md for the time in which services of the previous release are running. */
const WHILE_MIXED = { GROUP_STATUS_EVENTS: 'false' };
/**
 * Factor on pauses of the load: twelve processes share two cores and restart, and a slower load lets the webhooks keep
 * up.
 */
const SLOWER = 8;

/**
 * Proves guarantee 38 of ADR 41. The database and the broker belong to this checkout, as upgrade.md and rollback.md
 * require. Options: `revision` of the other version (`otherCommits`), and the number of orders in which services are
 * switched.
 */
export const mixed = chaosTest({
  about:
    'runs services of this version next to the last release or another revision, in every mix under load; compares responses, sends, jobs, codes, webhooks and credits; reports errors and dead letters',
  takes: { long: '10 minutes, and the other version is built once', short: '7 minutes' },
  long: { orders: PARTS.length, revision: '' },
  short: { orders: 2 },
  async run(installation, { orders, revision }) {
    const commits = await otherCommits(revision);
    const checkouts = await step(
      'the other version',
      () => buildEach(commits),
      () => [...new Set(Object.values(commits))].join(', '),
    );
    const differ = differing(checkouts);
    // Each version expects its own broker set-up, which an upgrade has completed by then.
    for (const checkout of new Set(Object.values(checkouts))) await installation.prepareBroker(checkout);
    const deadBefore = await deadLetters(installation);
    const logged = logSizes(installation);
    const go = goer(installation, checkouts);
    const pairs = await startPairs(installation);
    /** @type {MixedLoad | undefined} */
    let load;
    /** @type {import('./mixed-scenarios.mjs').Scenarios | undefined} */
    let scenarios;
    try {
      await step('every service old', async () => {
        for (const service of SERVICES) go(service, 'old');
        for (const service of SERVICES)
          await Promise.all(bothOf(service).map((process) => pairs.roll(process, WHILE_MIXED)));
      });
      const mixed = await step('account, windows, endpoint', () =>
        startMixedLoad(pairs.front, 'mixed', { slower: SLOWER }),
      );
      load = mixed;
      scenarios = await openScenarios(pairs.front, checkouts);
      const parts = PARTS.slice(0, orders);
      const reads = await prepareReads(mixed, checkouts);
      const played = await play({ pairs, go, parts, load: mixed, scenarios, reads });
      await mixed.stop();
      const compared = await step('everything settled', () => compareLoad(installation, mixed));
      const more = await compareShared(installation, mixed);
      const dead = (await deadLetters(installation)).filter((one) => !deadBefore.includes(one));
      const errors = errorsSince(installation, logged);
      return report({ commits, differ, parts, played, load: mixed, compared, more, dead, errors });
    } finally {
      await load?.stop();
      load?.close();
      await scenarios?.close();
      for (const service of SERVICES) go(service, 'new');
      await pairs.end();
      const usual = Object.fromEntries(Object.keys(WHILE_MIXED).map((name) => [name, ''])); // removed
      await Promise.all(SERVICES.map((service) => installation.restart(service, usual)));
      await untilReady(installation, [...SERVICES]);
    }
  },
});

/** @typedef {Awaited<ReturnType<typeof play>>} Played */

/**
 * Switches every service step by step and generates work in each combination of versions.
 * @param {object} options
 * @param {import('./pairs.mjs').Pairs} options.pairs
 * @param {ReturnType<typeof goer>} options.go
 * @param {typeof PARTS} options.parts
 * @param {MixedLoad} options.load
 * @param {import('./mixed-scenarios.mjs').Scenarios} options.scenarios
 * @param {string[]} options.reads paths
 */
async function play({ pairs, go, parts, load, scenarios, reads }) {
  const counts = { restarts: 0, reads: 0, commands: 0 };
  /** @type {string[]} */
  const unread = [];
  /** @type {string[]} */
  const undone = [];
  const note = (/** @type {string[]} */ list, /** @type {string[]} */ found, /** @type {string} */ mix) => {
    for (const problem of found) log(`${problem}, ${mix}`);
    list.push(...found.map((problem) => `${problem}, ${mix}`));
  };
  const work = async (/** @type {string} */ mix) => {
    await untilCarriedOut(load, ANSWERS_BETWEEN);
    note(unread, await readAll(load, reads), mix);
    counts.reads += reads.length;
  };
  const command = async (/** @type {string} */ mix) => {
    note(undone, await scenarios.tryAll(), mix);
    counts.commands += scenarios.names.length;
  };
  await step('work while every service is old', async () => {
    await work('every service old');
    await command('every service old');
  });
  for (const part of parts)
    for (const { service, version } of stepsOf([part])) {
      const mix = `${part.name}: ${service} ${version}`;
      await step(mix, async () => {
        go(service, version);
        for (const process of bothOf(service)) {
          await pairs.roll(process);
          counts.restarts += 1;
          await work(`${mix} in ${process}`);
        }
        await command(mix);
      });
    }
  return { counts, unread, undone };
}

function bothOf(/** @type {string} */ service) {
  return [service, secondOf(service)];
}

/** @returns {Promise<Record<string, string>>} checkout of each service's other version */
async function buildEach(/** @type {Record<string, string>} */ commits) {
  /** @type {Record<string, string>} */
  const folders = {};
  for (const [service, commit] of Object.entries(commits)) folders[service] = await builtCheckout(commit);
  return folders;
}

/** Returns a function that selects the version that a service's two processes run from their next start on. */
function goer(/** @type {Installation} */ installation, /** @type {Record<string, string>} */ checkouts) {
  return (/** @type {string} */ service, /** @type {import('./mixes.mjs').Version} */ version) => {
    for (const process of bothOf(service))
      installation.runFrom(process, version === 'old' ? checkouts[service] : undefined);
  };
}

/**
 * Lists the GET paths of the other version's API, with a message, a contact and a job of the load.
 * @returns {Promise<string[]>} paths
 */
async function prepareReads(
  /** @type {MixedLoad} */ { customer, contacts },
  /** @type {Record<string, string>} */ checkouts,
) {
  const newest = async (/** @type {string} */ path) => {
    const { messages, jobs } = await customer.call('GET', `${path}?limit=1`);
    return messages?.[0]?.id ?? jobs?.[0]?.jobId;
  };
  const [messageId, jobId] = await Promise.all(
    ['/messages', '/jobs'].map((path) => eventually(`one of ${path}`, () => newest(path), { timeoutMs: 60_000 })),
  );
  const description = JSON.parse(readFileSync(join(String(checkouts['gateway']), 'docs/openapi.json'), 'utf8'));
  return readsOf(description, {
    '/v1/messages/{id}': { id: String(messageId) },
    '/v1/conversations/{phone}/messages': { phone: String(contacts[0]) },
    ...Object.fromEntries(
      ['', '/recipients', '/results.csv', '/results.xlsx'].map((rest) => [
        `/v1/jobs/{jobId}${rest}`,
        { jobId: String(jobId) },
      ]),
    ),
    '/v1/contacts/search': { q: String(contacts[0]).slice(0, 6) },
  });
}

/**
 * Reads sequentially, because the load also uses the account's read slots, and retries after a 429.
 * @returns {Promise<string[]>} paths without a 200
 */
async function readAll(/** @type {MixedLoad} */ { origin, customer }, /** @type {string[]} */ paths) {
  const headers = { authorization: `Bearer ${customer.apiKey}` };
  const read = (/** @type {string} */ path) =>
    fetch(`${origin}${path}`, { headers })
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .catch((error) => ({ status: 0, text: String(error) }));
  const unread = [];
  for (const path of paths) {
    let answer = await read(path);
    await eventually(
      `a place for ${path}`,
      async () => answer.status !== 429 || (answer = await read(path)).status !== 429,
      { timeoutMs: 10_000 },
    );
    if (answer.status !== 200) unread.push(`${path} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  return unread;
}

/** @returns {Promise<string[]>} queues with dead letters, and their number */
async function deadLetters(/** @type {Installation} */ { ops }) {
  const { queues } = await ops('dead-letters', 'list');
  return queues.map((/** @type {{ queue: string, count: number }} */ { queue, count }) => `${count} of ${queue}`);
}

function logSizes(/** @type {Installation} */ { logFolder }) {
  return new Map(readdirSync(logFolder).map((file) => [file, statSync(join(logFolder, file)).size]));
}

/** @returns {string[]} */
function errorsSince(/** @type {Installation} */ { logFolder }, /** @type {Map<string, number>} */ sizes) {
  return readdirSync(logFolder).flatMap((file) =>
    errorLines(
      readFileSync(join(logFolder, file))
        .subarray(sizes.get(file) ?? 0)
        .toString('utf8'),
    ).map((line) => `${file}: ${line}`),
  );
}

/**
 * @param {object} run
 * @param {Record<string, string>} run.commits
 * @param {string[]} run.differ services whose two versions differ
 * @param {typeof PARTS} run.parts
 * @param {Played} run.played
 * @param {MixedLoad} run.load
 * @param {Awaited<ReturnType<typeof compareLoad>>} run.compared
 * @param {string[]} run.more inconsistencies in state shared by the processes
 * @param {string[]} run.dead
 * @param {string[]} run.errors
 */
function report({ commits, differ, parts, played, load, compared, more, dead, errors }) {
  const { counts, unread, undone } = played;
  const { accepted, lost, doubled, unexpected, again } = compared;
  const failed = load.answers.filter((answer) => !isGood(answer));
  const wrong = [...unexpected, ...more];
  for (const [service, commit] of Object.entries(commits))
    say(`${service.padEnd(20)} ${differ.includes(service) ? `${commit} and this checkout` : 'the same in both'}`);
  figures({
    ...counts,
    mixes: mixesOf(stepsOf(parts)).size,
    requests: load.answers.length,
    accepted,
    'failed reads': unread.length,
    'failed commands': undone.length,
    'failed requests': failed.length,
    lost: lost.length,
    doubled: doubled.length,
    unexpected: wrong.length,
    'webhooks again': again,
    'dead letters': dead.length,
    'errors logged': errors.length,
  });
  const broken = failed.map(
    ({ kind, status, startedAt }) => `a ${kind} at ${new Date(startedAt).toISOString()} was answered ${status}`,
  );
  problems({ lost, doubled, unexpected: wrong, failed: broken, unread, undone, 'dead letters': dead, error: errors });
  if (differ.length === 0) say('  both versions are the same: this has proved nothing');
  const faults = [lost, doubled, wrong, failed, unread, undone, dead, errors];
  return verdict(
    differ.length > 0 && accepted > 0 && faults.every(({ length }) => length === 0),
    'services of the two versions work together in every mix: each can be released and rolled back alone',
  );
}
