// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from '../infra/chromium.mjs';
import { guaranteeTable, proofsByGuarantee } from '../citations/citations.mjs';
import { ensureInfra, startBrokerCluster } from '../infra/index.mjs';
import { stopBrokerCluster } from '../infra/rabbitmq-cluster.mjs';
import { buildAll } from './build.mjs';
import { bytesOverBudget } from './dashboard-bytes.mjs';
import { runShortChaosTests } from './chaos-run.mjs';
import { homePath, ROOT } from './home.mjs';
import { projectOf, runJest } from './jest-run.mjs';
import { run } from './run.mjs';
import { nxTestOutcome } from './test-outcome.mjs';

/** @typedef {import('./test-outcome.mjs').Outcome} Outcome */
/**
 * @typedef {object} CheckStep
 * @property {string} name
 * @property {string} title
 * @property {() => Promise<Outcome>} work
 * @property {boolean} [isBeside] runs in parallel with the following steps, since it keeps only one processor busy
 * @property {boolean} [isAlone] runs without parallel steps, since its tests have time limits
 * @property {boolean} [isByHand] excluded from a plain `npm test`, since it takes long
 */

const MINUTE_MS = 60_000;
const TEST_CLUSTER = homePath('broker-cluster-tests');

/**
 * @typedef {object} Needs dependencies shared by the steps
 * @property {() => Promise<import('../infra/index.mjs').Infra>} infra
 * @property {() => Promise<unknown>} browser
 */

/**
 * Returns all checks that a change must pass, those that fail fastest first.
 * @param {Needs} needs
 * @param {string[]} [files] limits a step's tests to these files or directories; for chaos tests, to these names
 * @returns {CheckStep[]}
 */
export function checkSteps(needs, files = []) {
  return [
    {
      name: 'generated',
      title: 'tracked generated files are current',
      work: () => program(['tools/generate.mjs', '--check']),
    },
    { name: 'lint', title: 'lint', isBeside: true, work: checkLint },
    { name: 'types', title: 'types', work: checkTypes },
    { name: 'build', title: 'build', work: build },
    {
      name: 'unit',
      title: 'unit tests',
      isAlone: true,
      work: () => (files.length === 0 ? allUnitTests() : unitTests(proofsOr('unit', files), files)),
    },
    {
      name: 'integration',
      title: 'integration tests',
      isAlone: true,
      work: () => testsWith(needs, proofsOr('integration', files), files),
    },
    {
      name: 'e2e',
      title: 'end-to-end tests',
      isAlone: true,
      work: () => testsWith(needs, proofsOr('e2e', files), files),
    },
    {
      name: 'chaos',
      title: 'chaos tests, short forms',
      isAlone: true,
      work: () => checkChaosTests(files),
    },
    {
      name: 'core-proofs',
      title: 'proofs of the guarantees',
      isAlone: true,
      isByHand: true,
      work: () => checkCoreProofs(needs, files),
    },
    {
      name: 'proofs',
      title: 'longer proofs',
      isAlone: true,
      isByHand: true,
      work: () => checkProofs(needs, files),
    },
    {
      name: 'broker-cluster',
      title: 'integration tests of the broker on three nodes',
      isAlone: true,
      isByHand: true,
      work: () => checkBrokerCluster(needs, files),
    },
  ];
}

/** Stops the test cluster of an interrupted run. */
export async function stopClusterOfTests() {
  await stopBrokerCluster(TEST_CLUSTER);
}

/** Starts the infrastructure of this checkout once for all steps. */
export function infraOnce() {
  return once(() => ensureInfra({ log: indented }));
}

/**
 * Downloads the test browser once. The end-to-end tests wait for it before they start, so that a slow download does not
 * count towards a test's timeout.
 */
export function browserOnce() {
  return once(() => ensureChromium({ log: indented }));
}

function indented(/** @type {string} */ text) {
  process.stdout.write(`    ${text}\n`);
}

/**
 * @template T
 * @param {() => Promise<T>} start
 * @returns {() => Promise<T>}
 */
function once(start) {
  /** @type {Promise<T> | undefined} */
  let started;
  return () => {
    started ??= start();
    started.catch(() => undefined); // The step that needs the result reports the error.
    return started;
  };
}

/**
 * @param {Needs} needs
 * @param {Exclude<import('./jest-run.mjs').Project, 'unit' | 'unit-proofs'>} project
 * @param {string[]} files
 */
async function testsWith({ infra, browser }, project, files) {
  const [{ databaseUrl, rabbitmqUrl }] = await Promise.all([infra(), project.startsWith('e2e') && browser()]);
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const env = { TEST_DATABASE_URL: databaseUrl, TEST_RABBITMQ_URL: rabbitmqUrl, ...given };
  const options = { env, timeoutMs: 40 * MINUTE_MS, waiting: true, files };
  return (await runJest(project, options)).outcome;
}

/**
 * Runs the proofs of each kind, or those among the given files.
 * @param {Needs} needs
 * @param {string[]} files
 * @returns {Promise<Outcome>}
 */
async function checkProofs(needs, files) {
  const outcomes = [];
  for (const project of /** @type {const} */ (['unit-proofs', 'integration-proofs', 'e2e-proofs'])) {
    const own = files.filter((file) => projectOf(file) === project);
    if (files.length > 0 && own.length === 0) continue;
    outcomes.push(project === 'unit-proofs' ? await unitTests(project, own) : await testsWith(needs, project, own));
  }
  if (outcomes.length === 0) return { passed: 0, failed: 1, details: `none of these is a proof: ${files.join(' ')}` };
  return together(outcomes);
}

/**
 * Runs the checks that CI adds to `npm test` for each change: the proofs in the table of guarantees (ADR 41), and short
 * forms of chaos tests. Runs only the given files, if any.
 * @param {Needs} needs
 * @param {string[]} files
 * @returns {Promise<Outcome>}
 */
async function checkCoreProofs(needs, files) {
  if (files.length > 0) return checkProofs(needs, files);
  const tests = await checkProofs(needs, coreProofs());
  const { IN_CORE_PROOFS } = await import('../chaos/chaos-tests.mjs');
  return together([tests, await runShortChaosTests(IN_CORE_PROOFS)]);
}

/** Returns the proofs in the table of guarantees. */
function coreProofs() {
  return [...new Set(proofsByGuarantee(guaranteeTable()).flatMap(({ proofs }) => proofs))].filter((file) =>
    projectOf(file)?.endsWith('-proofs'),
  );
}

/** @returns {Outcome} */
function together(/** @type {Outcome[]} */ outcomes) {
  const again = outcomes.flatMap((outcome) => outcome.again ?? []);
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    details: outcomes.flatMap(({ details }) => (details === '' ? [] : details)).join('\n\n'),
    ...(again.length > 0 && { again }),
  };
}

/**
 * Runs the broker's integration tests against a temporary cluster.
 * @param {Needs} needs
 * @param {string[]} files
 * @returns {Promise<Outcome>}
 */
async function checkBrokerCluster({ infra }, files) {
  await stopClusterOfTests();
  rmSync(TEST_CLUSTER, { recursive: true, force: true });
  const [cluster, { databaseUrl }] = await Promise.all([startBrokerCluster({ dir: TEST_CLUSTER }), infra()]);
  const env = { ...process.env, TEST_DATABASE_URL: databaseUrl, TEST_RABBITMQ_URL: cluster.url };
  const outcomes = [];
  try {
    for (const project of /** @type {const} */ (['integration', 'integration-proofs'])) {
      const own = files.filter((file) => (projectOf(file) ?? 'integration') === project);
      if (files.length > 0 && own.length === 0) continue;
      const these = own.length > 0 ? own : ['libs/broker/test/'];
      // Run one file at a time, because three nodes and the tests' time limits need the processors.
      const options = { env, timeoutMs: 40 * MINUTE_MS, waiting: true, workers: 1, files: these };
      outcomes.push((await runJest(project, options)).outcome);
    }
  } finally {
    await cluster.stop();
  }
  return together(outcomes);
}

/**
 * Runs each project's unit tests with Nx, which restores the results of unchanged projects from its cache. Even without
 * the cache, this uses no more CPU time than a single Jest run for all projects (ADR 63).
 * @returns {Promise<Outcome>}
 */
async function allUnitTests() {
  const args = ['node_modules/.bin/nx', 'run-many', '-t', 'test', '--output-style=static'];
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const { code, output } = await run(process.execPath, args, { cwd: ROOT, env, timeoutMs: 15 * MINUTE_MS });
  return nxTestOutcome(code, output);
}

/**
 * @param {'unit' | 'unit-proofs'} project
 * @param {string[]} files
 */
async function unitTests(project, files) {
  return (await runJest(project, { env: process.env, timeoutMs: 15 * MINUTE_MS, files })).outcome;
}

/**
 * Returns the proofs project when all given files are proofs, because proofs run only when named.
 * @template {'unit' | 'integration' | 'e2e'} K
 * @param {K} kind
 * @param {string[]} files
 * @returns {K | `${K}-proofs`}
 */
function proofsOr(kind, files) {
  return files.length > 0 && files.every((file) => projectOf(file) === `${kind}-proofs`) ? `${kind}-proofs` : kind;
}

/** @returns {Promise<Outcome>} */
async function program(/** @type {string[]} */ args) {
  const { code, output } = await run(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NX_DAEMON: 'false', NO_COLOR: '1' },
  });
  return code === 0 ? { passed: 1, failed: 0, details: '' } : { passed: 0, failed: 1, details: output };
}

/**
 * Type-checks the services together with the tools, then the dashboard, which uses browser types. `nx typecheck` checks
 * one project at a time: for all projects, lint and types took 176 s of CPU time with Nx, and 69 s without (ADR 63).
 * @returns {Promise<Outcome>}
 */
async function checkTypes() {
  const compiler = 'node_modules/typescript-7/bin/tsc';
  const services = await program([compiler]);
  return services.failed > 0 ? services : program([compiler, '-p', 'apps/dashboard/tsconfig.json']);
}

/** @returns {Promise<Outcome>} */
async function checkChaosTests(/** @type {string[]} */ names) {
  // Import lazily: the tests use packages, which a fresh checkout installs first.
  const { IN_EVERY_TEST } = await import('../chaos/chaos-tests.mjs');
  return runShortChaosTests(names.length > 0 ? names : IN_EVERY_TEST);
}

/**
 * Runs each linter once for all files, and the linter of the API description. `nx lint` lints one project at a time,
 * which is slower for all of them (ADR 63).
 * @returns {Promise<Outcome>}
 */
async function checkLint() {
  // The module boundary rule reads the Nx project graph and is skipped when no graph exists yet.
  const projects = await program(['node_modules/.bin/nx', 'show', 'projects']);
  if (projects.failed > 0) return projects;
  const outcomes = await Promise.all([
    program(['node_modules/.bin/eslint', '.', '--max-warnings', '0']),
    program(['node_modules/.bin/oxlint', '.']),
    program(['node_modules/.bin/biome', 'format', '.']),
    program(['node_modules/.bin/cspell', 'lint', '--no-progress', '.']),
    program(['tools/lint-api.mjs']),
  ]);
  const details = outcomes.map((outcome) => outcome.details).join('');
  return details ? { passed: 0, failed: 1, details } : { passed: 1, failed: 0, details };
}

/** @returns {Promise<Outcome>} */
async function build() {
  await buildAll();
  const over = bytesOverBudget(join(ROOT, 'dist/apps/dashboard'));
  return { passed: over.length === 0 ? 1 : 0, failed: over.length === 0 ? 0 : 1, details: over.join('\n') };
}
