// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startPostgresExporter, startPrometheus } from '../infra/prometheus.mjs';
import { homePath, ROOT } from '../lib/home.mjs';
import { anyFreePort } from '../lib/ports.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { log, say, step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { CAUSES, NEED_CLUSTER } from './alerts-causes.mjs';
import { startAlertLoad } from './alerts-load.mjs';
import { shortened, SHORTER } from './alerts-rules.mjs';
import { chaosTest } from './chaos-test.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('../infra/prometheus.mjs').PrivatePrometheus} PrivatePrometheus */
/** @typedef {import('./alerts-causes.mjs').Cause} Cause */
/** @typedef {import('./alerts-causes.mjs').World} World */
/**
 * @typedef {object} Seen
 * @property {string} alert
 * @property {string} fault
 * @property {string} cleared
 * @property {number} [toFire] seconds
 * @property {number} [toClear] seconds
 * @property {string} [problem]
 */

const RULE_FILES = ['recording.yaml', 'alerts.yaml', 'slo.yaml'];
/**
 * Maximum time until an alert fires. One hour of `for` is two minutes here, and the rest is margin for a busy machine.
 */
const FIRE_TIMEOUT_MS = 600_000;
const CLEAR_TIMEOUT_MS = 300_000;
const QUIET_TIMEOUT_MS = 300_000;
/** Interval between template reads in seconds, so short that an age of two minutes already counts as old. */
const SYNC_INTERVAL_SECONDS = '5';

/**
 * Triggers every alert in a real Prometheus by its fault and clears it with the steps of its runbook. Options: the
 * first and the last group of `CAUSES`.
 */
export const alerts = chaosTest({
  about: `triggers each alert by its fault in a Prometheus with durations ${SHORTER} times shorter, and clears it with the steps of its runbook`,
  takes: { long: '20 minutes', short: '2 minutes' },
  long: { from: 1, to: CAUSES.length },
  short: { from: CAUSES.length - 1 },
  async run(installation, { from, to }) {
    const dir = homePath('chaos', 'alerts');
    makeFolder(dir);
    const brokerFigures = await anyFreePort();
    await installation.restart('templates', { SYNC_INTERVAL_SECONDS });
    const [load, stopExporter, prometheus] = await step('load, Prometheus, exporter', () =>
      startWatching(installation, { dir, brokerFigures }),
    );
    const world = { installation, load, dir, brokerFigures };
    /** @type {Seen[]} */
    const seen = [];
    try {
      for (const group of CAUSES.slice(from - 1, to)) {
        await untilQuiet(
          prometheus,
          group.flatMap((cause) => cause.alerts),
        );
        seen.push(...(await Promise.all(group.map((cause) => causeOne(cause, { world, prometheus })))).flat());
      }
    } finally {
      await load.stop();
      await Promise.all([prometheus.stop(), stopExporter()]);
      await installation.restart('templates', { SYNC_INTERVAL_SECONDS: '300' });
      await installation.removeReplica('gateway-2');
    }
    return report(seen, from === 1 && to === CAUSES.length);
  },
});

/** @param {Installation} installation @param {{ dir: string, brokerFigures: number }} options */
async function startWatching(installation, { dir, brokerFigures }) {
  const [port, exporterPort] = [await anyFreePort(), await anyFreePort()];
  const processes = [...SERVICES, 'gateway-2'];
  const targets = [
    ...processes.map((name) => ({ job: name.replace('-2', ''), port: installation.managementPortOf(name) })),
    { job: 'postgres', port: exporterPort },
    { job: 'rabbitmq', port: brokerFigures },
  ].map(({ job, port: of }) => ({ job, address: `127.0.0.1:${of}` }));
  const rules = Object.fromEntries(RULE_FILES.map((file) => [file, shortened(readRules(file))]));
  return Promise.all([
    startAlertLoad(installation),
    startPostgresExporter({
      dir: join(dir, 'exporter'),
      port: exporterPort,
      databaseUrl: installation.databaseUrl,
      log,
    }),
    startPrometheus({ dir: join(dir, 'prometheus'), port, rules, targets, log }),
  ]);
}

function readRules(/** @type {string} */ file) {
  return readFileSync(join(ROOT, 'observability/rules', file), 'utf8');
}

/**
 * Waits until the alerts are inactive, because one that still fires for an earlier cause proves nothing about this
 * fault.
 */
async function untilQuiet(/** @type {PrivatePrometheus} */ prometheus, /** @type {string[]} */ names) {
  const isQuiet = async () =>
    (await prometheus.alerts()).every(({ labels }) => !names.includes(labels['alertname'] ?? ''));
  await eventually(`${names.join(', ')} to be off`, isQuiet, { timeoutMs: QUIET_TIMEOUT_MS, everyMs: 250 });
}

/**
 * @param {Cause} cause
 * @param {{ world: World, prometheus: PrivatePrometheus }} options
 * @returns {Promise<Seen[]>}
 */
async function causeOne({ alerts: names, fault, cleared, begin }, { world, prometheus }) {
  const startedAt = Date.now();
  log(`… ${fault}`);
  /** @type {Seen[]} */
  const seen = names.map((alert) => ({ alert, fault, cleared }));
  const isOn = async (/** @type {string} */ name) =>
    (await prometheus.alerts()).some(({ labels, state }) => labels['alertname'] === name && state === 'firing');
  const measure = (/** @type {'toFire' | 'toClear'} */ what, /** @type {number} */ since) =>
    Promise.all(
      seen.map(async (one) => {
        const isReached = async () => (await isOn(one.alert)) === (what === 'toFire');
        const timeoutMs = what === 'toFire' ? FIRE_TIMEOUT_MS : CLEAR_TIMEOUT_MS;
        try {
          await eventually(one.alert, isReached, { timeoutMs, everyMs: 250 });
          one[what] = (Date.now() - since) / 1_000;
          log(`${what === 'toFire' ? '! ' : '✓ '}${one.alert} (${one[what].toFixed(1)} s)`);
        } catch {
          one.problem ??= what === 'toFire' ? 'did not fire' : 'did not clear';
          log(`✗ ${one.alert} ${one.problem}`);
        }
      }),
    );
  const fail = (/** @type {string} */ where, /** @type {unknown} */ error) => {
    const problem = `${where}: ${error instanceof Error ? error.message : error}`;
    for (const one of seen) one.problem ??= problem;
    log(`✗ ${fault}: ${problem}`);
  };
  /** @type {() => Promise<void>} */
  let clear;
  try {
    clear = await begin(world);
  } catch (error) {
    fail('its fault', error);
    return seen;
  }
  await measure('toFire', startedAt);
  const clearedAt = Date.now();
  try {
    await clear();
  } catch (error) {
    fail('its runbook', error);
  }
  await measure('toClear', clearedAt);
  return seen;
}

function report(/** @type {Seen[]} */ seen, /** @type {boolean} */ isAll) {
  const seconds = (/** @type {number | undefined} */ value) =>
    (value === undefined ? '-' : value.toFixed(0)).padStart(5);
  say(`${'alert'.padEnd(28)} fires clears  fault → what cleared it`);
  for (const { alert, toFire, toClear, fault, cleared } of seen)
    say(`${alert.padEnd(28)} ${seconds(toFire)} ${seconds(toClear)}   ${fault} → ${cleared}`);
  const caused = new Set(CAUSES.flat().flatMap((cause) => cause.alerts));
  const all = RULE_FILES.flatMap((file) => parse(readRules(file)).groups)
    .flatMap((/** @type {{ rules: { alert?: string }[] }} */ { rules }) => rules)
    .flatMap(({ alert }) => alert ?? []);
  const uncaused = all.filter((alert) => !caused.has(alert) && !NEED_CLUSTER.includes(alert));
  const broken = seen.filter(({ problem }) => problem !== undefined);
  figures({
    alerts: all.length,
    'caused and cleared': seen.length - broken.length,
    'without a cause': uncaused.length,
    'need a cluster': NEED_CLUSTER.length,
  });
  problems({
    problem: broken.map(({ alert, problem }) => `${alert}: ${problem}`),
    uncaused: uncaused.map((alert) => `${alert} has no cause in alerts-causes.mjs`),
  });
  const isKept = seen.length > 0 && broken.length + uncaused.length === 0;
  return verdict(
    isKept,
    `${isAll ? 'every alert that needs no cluster fires' : 'these alerts fire'} for the fault, and the runbook clears it`,
  );
}
