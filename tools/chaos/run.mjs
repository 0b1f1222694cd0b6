// @ts-check
import { inspect } from 'node:util';
import { findPostgresBinaries } from '../infra/postgres-private.mjs';
import { printWith, say } from '../lib/progress.mjs';
import { startInstallation } from './installation.mjs';

/**
 * Environment for chaos tests. Timeouts are short, so that a run covers every outcome, and sends are not paced, so that
 * kills hit as much work as possible.
 */
const ENVIRONMENT = {
  LOG_LEVEL: 'info',
  CONNECTION_DRAIN_SECONDS: '5',
  UPSTREAM_TIMEOUT_MS: '3000',
  /**
   * Longer than a call plus the slowest first callback: 0.05 s until `sent`, 0.3 s delay, 2 s shuffled, 2 s until its
   * retry.
   */
  RECONCILE_GRACE_SECONDS: '6',
  CALLBACK_WAIT_SECONDS: '6',
  JOBS_RESULT_GRACE_SECONDS: '8',
  JOBS_MAX_PACE: '0',
  OTP_SETTLE_SECONDS: '30',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: '2',
};

/** @typedef {import('./chaos-test.mjs').AnyChaosTest} AnyChaosTest */
/** @typedef {import('./chaos-test.mjs').Option} Option */
/** @typedef {{ name: string, isKept: boolean, seconds: number, seed: number, output: string }} ChaosResult */

/**
 * Runs chaos tests in sequence on one installation. Tests that need redundancy get a separate installation.
 * @param {Record<string, AnyChaosTest>} commands
 * @param {{ isShort: boolean, seed: number, given: Record<string, Option> }} options `given`: options from the command
 * line
 * @returns {Promise<ChaosResult[]>} one result per test, including its output
 */
export async function runChaosTests(commands, options) {
  const entries = Object.entries(commands);
  const shared = entries.filter(([, { redundancy }]) => redundancy === undefined);
  const own = entries.filter(([, { redundancy }]) => redundancy !== undefined);
  /** @type {ChaosResult[]} */
  const results = [];
  for (const group of [shared, ...own.map((entry) => [entry])])
    if (group.length > 0) results.push(...(await runTogether(group, options)));
  return results;
}

/**
 * Runs chaos tests on a fresh installation, which is removed afterwards.
 * @param {[string, AnyChaosTest][]} commands tests with the same redundancy
 * @param {{ isShort: boolean, seed: number, given: Record<string, Option> }} options
 */
async function runTogether(commands, { isShort, seed, given }) {
  const needed = commands.flatMap(([, { postgresPrograms }]) => postgresPrograms);
  const starting = startInstallation({
    name: String(commands[0]?.[0]),
    environment: ENVIRONMENT,
    ...(needed.length > 0 && { postgresPrograms: postgresProgramsWith(needed) }),
    ...commands[0]?.[1].redundancy,
  });
  // An interrupt during the start must not leave the database and the broker running.
  const stop = () => void starting.then((installation) => installation.stop()).finally(() => process.exit(130));
  for (const signal of INTERRUPTS) process.once(signal, stop);
  const installation = await starting;
  try {
    /** @type {ChaosResult[]} */
    const results = [];
    for (const [name, command] of commands) {
      const options = { ...(isShort && command.short), ...given, seed };
      results.push(await runOne({ name, command, options }, installation));
    }
    return results;
  } finally {
    await installation.stop();
    for (const signal of INTERRUPTS) process.off(signal, stop);
  }
}

const INTERRUPTS = /** @type {const} */ (['SIGINT', 'SIGTERM']);

/** @throws Error when no folder has the server's programs and these */
function postgresProgramsWith(/** @type {string[]} */ needed) {
  const found = findPostgresBinaries(['initdb', 'postgres', ...needed]);
  if (found === undefined) throw new Error(`install PostgreSQL with ${[...new Set(needed)].join(', ')}`);
  return found;
}

/**
 * @param {{ name: string, command: AnyChaosTest, options: { seed: number, [option: string]: Option } }} test
 * @param {import('./installation.mjs').Installation} installation
 * @returns {Promise<ChaosResult>}
 */
async function runOne({ name, command, options }, installation) {
  /** @type {string[]} */
  const lines = [];
  printWith((line) => {
    process.stdout.write(`${line}\n`);
    lines.push(line);
  });
  const startedAt = Date.now();
  const already = installation.exits().length;
  say(
    `\n${name} ${Object.entries(options)
      .filter(([, value]) => value !== '')
      .map(([option, value]) => `--${option} ${value}`)
      .join(' ')}`,
  );
  const isKept = await keptBy(() => command.run(installation, options));
  const isRestored = await keptBy(() => installation.restore().then(() => true));
  const exits = installation.exits().slice(already);
  const seconds = (Date.now() - startedAt) / 1_000;
  if (exits.length > 0) say(`  ended by themselves: ${exits.join(', ')}`);
  const isAllKept = isKept && isRestored && exits.length === 0;
  say(
    isAllKept
      ? `✓ ${name} (${seconds.toFixed(1)} s)`
      : `✗ ${name} (${seconds.toFixed(1)} s); logs are in ${installation.logFolder}`,
  );
  return { name, isKept: isAllKept, seconds, seed: options.seed, output: lines.join('\n') };
}

/** Returns the result of a test, or false when the test throws. */
async function keptBy(/** @type {() => Promise<boolean>} */ work) {
  try {
    return await work();
  } catch (error) {
    say(`  ${inspect(error)}`); // includes the cause, the only place where fetch reports it
    return false;
  }
}
