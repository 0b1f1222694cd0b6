// @ts-check
// npm run conformance: runs the tests that prove the rules of docs/spec.md and prints a table (rule, result, tests).
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { stopInfra } from './infra/index.mjs';
import { planOf, rowsOf, tableText, verdictOf } from './conformance/results.mjs';
import { proofsByRule, readRules, readSpecTests, readTable } from './conformance/rules.mjs';
import { generateAll } from './lib/build.mjs';
import { runShortChaosTests } from './lib/chaos-run.mjs';
import { runJest } from './lib/jest-run.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { ROOT } from './lib/home.mjs';
import { log, say } from './lib/progress.mjs';
import { interruptRuns } from './lib/run.mjs';

const HELP = `npm run conformance [-- <rule, section or chapter> …] [-- --url <address> --key <API key>]
npm run conformance -- upstream [--json]

Runs the tests that prove the rules of docs/spec.md, and prints the result and the tests of each rule.

  6.2.1 7.1       tests only these rules or sections
  --url, --key    tests the installation at this address with a caller's permissions. Skips every test that needs the
                  simulator, operator commands or the code, and sends no message. The key's account needs every plan
                  feature and an approved template.
  upstream        runs all documented requests and callbacks of the platform through the code, and prints how each is
                  handled. Needs no server. Exits with 1 if the result differs from the catalogue
  --json          with upstream: prints the catalogue and the results as JSON
  --help          shows this text

Without --url, starts the servers that the tests need. Exit code: 0 when every rule passed, 1 when a rule failed or the
tests were aborted, 2 when the arguments are invalid, 3 when a rule did not run. The last line names those rules.`;

const MINUTE_MS = 60_000;
/** Plan features that the tests need on an installation given by its URL. */
const FEATURES = ['BULK_EXCEL', 'BULK_MSG_LIMIT', 'MEDIA', 'THIRD_PARTY_API'];

const { values, positionals } = readArguments();
if (values.help) {
  say(HELP);
  process.exit(0);
}
if (values.json && positionals[0] !== 'upstream') usage('--json requires upstream');
if (positionals[0] === 'upstream') {
  if (positionals.length > 1 || values.url || values.key) usage('upstream accepts no argument other than --json');
  await ensurePackages({ log });
  const { runUpstream } = await import('./conformance/upstream/command.mjs');
  process.exit(await runUpstream({ json: values.json === true }));
}
if ((values.url === undefined) !== (values.key === undefined)) usage('--url and --key belong together');
const target =
  values.url && values.key ? { baseUrl: `${values.url.replace(/(\/v1)?\/*$/, '')}/v1`, apiKey: values.key } : undefined;
const [allRules, specTests, table] = [readRules(), readSpecTests(), readTable()];
for (const name of positionals) if (!allRules.some(isIn(name))) usage(`docs/spec.md has no rule or section ${name}`);
const rules =
  positionals.length === 0 ? allRules : allRules.filter((rule) => positionals.some((name) => isIn(name)(rule)));
let isInterrupted = false;
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(name, () => {
    isInterrupted = true;
    void interruptRuns()
      .then(finish)
      .then(() => process.exit(130));
  });

await ensurePackages({ log });
await generateAll();
if (target) await checkKey(target);
const proofs = proofsByRule(specTests, table);
const plan = planOf(
  rules.flatMap(({ number }) => proofs.get(number) ?? []),
  { isForeign: target !== undefined },
);
const env = { ...process.env, ...(target && { CONFORMANCE_TARGET: JSON.stringify(target) }) };
/** @type {(import('./conformance/results.mjs').RanTest & { failureMessages: string[] })[]} */
const tests = [];
/** @type {string[]} */
const broken = [];
for (const [project, files] of plan.files) {
  if (isInterrupted) break;
  log(`… ${files.length} files of ${project}${target ? ` at ${target.baseUrl}` : ''}`);
  const waiting = !project.startsWith('unit');
  const { report, outcome } = await runJest(project, { env, timeoutMs: 40 * MINUTE_MS, waiting, files });
  const found = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      file: relative(ROOT, name),
      title,
      status,
      failureMessages,
    })),
  );
  const isComplete = report?.testResults.every(({ status, message }) => status !== 'failed' || message === '');
  if (!isComplete || found.every(({ status }) => status !== 'passed')) broken.push(`${project}:\n${outcome.details}`);
  tests.push(...found);
}
/** @type {import('./conformance/results.mjs').RanChaosTest[]} */
const chaosTests = [];
for (const name of plan.chaosTests) {
  if (isInterrupted) break;
  log(`… npm run chaos -- ${name} --short`);
  const { failed, details } = await runShortChaosTests([name]);
  chaosTests.push({ name, isKept: failed === 0 });
  if (failed > 0 && !isInterrupted) say(`\n✗ chaos test ${name}\n${details}`);
}
await finish();
// The signal handler exits the program, so wait for it.
if (isInterrupted) await new Promise(() => undefined);

const rows = rowsOf(rules, specTests, table, { tests, chaosTests });
say(tableText(rows));
for (const { file, title, failureMessages } of tests.filter(({ status }) => status === 'failed'))
  say(`\n✗ ${file}: ${title}\n${failureMessages.join('\n')}`);
for (const details of broken) say(`\nthe tests broke off: ${details}`);
const verdict = verdictOf(rows, { isBroken: broken.length > 0, unnamed: allRules.length - rules.length });
say(`\n${verdict.text}`);
process.exit(verdict.exitCode);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/** Matches a rule by its number, section or chapter. */
function isIn(/** @type {string} */ name) {
  return (/** @type {{ number: string }} */ { number }) => number === name || number.startsWith(`${name}.`);
}

/** Exits when the key is invalid or its plan lacks a feature. */
async function checkKey(/** @type {{ baseUrl: string, apiKey: string }} */ { baseUrl, apiKey }) {
  const response = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } }).catch((error) =>
    fail(`no response from ${baseUrl}: ${error.cause ?? error}`),
  );
  /** @type {any} */
  const body = await response.json().catch(() => fail(`${baseUrl}/me returned ${response.status}, and no JSON`));
  if (response.status !== 200) fail(`${baseUrl}/me returned ${response.status}: ${body.message}`);
  const missing = FEATURES.filter((feature) => !body.plan.features.includes(feature));
  if (missing.length > 0) fail(`the plan of this account lacks ${missing.join(', ')}`);
}

/** @returns {never} */
function usage(/** @type {string} */ problem) {
  return fail(`${problem}\n\n${HELP}`);
}

/** @returns {never} */
function fail(/** @type {string} */ problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

/** Stops the infrastructure, unless a running installation or another test run uses it. */
async function finish() {
  if (!target) await stopInfra().catch((error) => log(`! ${error.message}`));
}
