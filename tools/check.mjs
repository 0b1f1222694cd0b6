// @ts-check
// npm test (and npm run check): runs all checks of CI, including their setup. `--help` lists the options and the
// optional steps.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stopInfra } from './infra/index.mjs';
import { VERSION } from './infra/rabbitmq-private.mjs';
import { generateAll } from './lib/build.mjs';
import { browserOnce, checkSteps, infraOnce, stopClusterOfTests } from './lib/check-steps.mjs';
import { SHARED_HOME } from './lib/home.mjs';
import { ensurePackages, KEEP_NODE } from './lib/packages.mjs';
import { log, say } from './lib/progress.mjs';
import { interruptRuns } from './lib/run.mjs';

const needs = { infra: infraOnce(), browser: browserOnce() };
const { only, also, node, rabbitmq, files } = readOptions();
if (node !== undefined || rabbitmq !== undefined) process.exit(await runWith({ node, rabbitmq }));
const chosen = checkSteps(needs, files).filter(({ name, isByHand }) =>
  only === undefined ? !isByHand || name === also : name === only,
);
/** @type {import('./lib/test-outcome.mjs').Retried[]} */
const retried = [];
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(name, () => void interrupt());

const { passed, failed } = await runAll();
await finish();
for (const { test } of retried) say(`passed at the second try: ${test}`);
say(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Parses the options. Handles `--help` and unknown options immediately. */
function readOptions() {
  const steps = checkSteps(needs);
  const names = steps.map(({ name }) => name);
  const byHand = steps.flatMap(({ name, isByHand }) => (isByHand ? [name] : [])).join(', ');
  const usage = `usage: npm test [-- [--only ${names.join('|')}] [--also <step>] [--node <version>] [--rabbitmq <version>] [<path> …]]
  --only <step>         runs a single step; ${byHand} run only when named
  --also <step>         runs one of these in addition to the default steps (CI adds core-proofs)
  --node <version>      uses another Node than the packaged one, for example 20; npm downloads it
  --rabbitmq <version>  uses another RabbitMQ, for example 4; unpacks it without installing it
  <path> …              limits the step to tests in these files or directories, or to chaos tests with these names
To check only what a change affects: npx nx affected -t lint typecheck test
`;
  try {
    const { values, positionals: files } = parseArgs({
      options: {
        only: { type: 'string' },
        also: { type: 'string' },
        node: { type: 'string' },
        rabbitmq: { type: 'string' },
        help: { type: 'boolean' },
      },
      allowPositionals: true,
      strict: true,
    });
    const unknown = [values.only, values.also].find((name) => name !== undefined && !names.includes(name));
    const fits = values.only === undefined ? files.length === 0 : values.also === undefined;
    if (!values.help && unknown === undefined && fits) return { ...values, files };
    if (!values.help && unknown !== undefined) process.stderr.write(`there is no step "${unknown}"\n`);
    process.stdout.write(usage);
    process.exit(values.help ? 0 : 2);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(2);
  }
}

/**
 * Repeats the run with another Node (the npm package `node`) or another RabbitMQ. Uses a separate home, so that this
 * installation keeps its broker.
 * @param {{ node: string | undefined, rabbitmq: string | undefined }} other
 * @returns {Promise<number>} its exit code
 */
async function runWith({ node: version, rabbitmq: broker }) {
  const again = [fileURLToPath(import.meta.url), ...(only === undefined ? [] : ['--only', only])];
  again.push(...(also === undefined ? [] : ['--also', also]));
  again.push(...files);
  const env =
    broker === undefined
      ? process.env
      : {
          ...process.env,
          [VERSION]: broker,
          SWITCHBOARD_HOME: join(SHARED_HOME, `with-rabbitmq-${broker}`),
          SWITCHBOARD_INFRA: 'local',
          TEST_DATABASE_URL: '',
          TEST_RABBITMQ_URL: '',
        };
  const child =
    version === undefined
      ? spawn(process.execPath, again, { stdio: 'inherit', env })
      : spawn('npx', ['--yes', `--package=node@${version}`, '--', 'node', ...again], {
          stdio: 'inherit',
          env: { ...env, [KEEP_NODE]: '1' },
        });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function runAll() {
  const total = { passed: 0, failed: 0 };
  log('… packages and generated files');
  const ready = await outcomeOf(async () => {
    await ensurePackages({ log });
    await generateAll();
    return { passed: 0, failed: 0, details: '' };
  });
  if (ready.failed > 0) say(ready.details);
  if (ready.failed > 0) return ready;
  // Start the servers and the browser download during the first steps
  if (chosen.some(({ name }) => ['integration', 'core-proofs', 'proofs', 'broker-cluster', 'e2e'].includes(name)))
    void needs.infra();
  if (chosen.some(({ name }) => name === 'e2e')) void needs.browser();
  /** @type {Promise<void>[]} */
  const beside = [];
  for (const step of chosen) {
    if (step.isAlone) await Promise.all(beside);
    const done = runStep(step, total);
    if (step.isBeside) beside.push(done);
    else await done;
  }
  await Promise.all(beside);
  return total;
}

/**
 * @param {import('./lib/check-steps.mjs').CheckStep} step
 * @param {{ passed: number, failed: number }} total incremented by the counts of the step
 */
async function runStep({ title, work }, total) {
  log(`… ${title}`);
  const begin = Date.now();
  const outcome = await outcomeOf(work);
  total.passed += outcome.passed;
  total.failed += outcome.failed;
  const seconds = ((Date.now() - begin) / 1000).toFixed(1);
  const isKept = outcome.failed === 0;
  log(`${isKept ? '✓' : '✗'} ${title}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)`);
  if (!isKept) say(`${outcome.details}\n`);
  for (const { test, errors } of outcome.again ?? []) say(`passed at the second try: ${test}\n${errors.join('\n')}\n`);
  retried.push(...(outcome.again ?? []));
}

/** Counts a step that could not run as failed. @param {() => Promise<import('./lib/test-outcome.mjs').Outcome>} work */
async function outcomeOf(work) {
  try {
    return await work();
  } catch (error) {
    return { passed: 0, failed: 1, details: error instanceof Error ? error.message : String(error) };
  }
}

async function interrupt() {
  await interruptRuns();
  if (chosen.some(({ name }) => name === 'broker-cluster')) await stopClusterOfTests();
  await finish();
  process.exit(130);
}

/** Stops the infrastructure, unless a running installation or another test run uses it. */
async function finish() {
  await stopInfra().catch((error) => log(`! ${error.message}`));
}
