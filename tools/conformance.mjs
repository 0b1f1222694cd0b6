// @ts-check
// npm run conformance [-- --url https://messages.example.com --key sb_live_…]: runs the tests of the rules of
// docs/spec.md and prints a table (rule, result, test). With --url and --key it runs against that installation, and
// leaves out what needs the simulator or operator commands; the key's account needs every plan feature and an approved
// template, and the tests send no message. Without them it starts the installation of the end-to-end tests. Exit code 1
// when a rule failed or the tests did not run.
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { stopInfra } from './infra/index.mjs';
import { countResults, filesOf, rowsOf, tableText } from './conformance/results.mjs';
import { readRules, readSpecTests, readTable } from './conformance/rules.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { ROOT } from './lib/home.mjs';
import { log, say } from './lib/progress.mjs';
import { interruptRuns } from './lib/run.mjs';
import { runTests } from './lib/vitest-run.mjs';

const TIMEOUT_MS = 30 * 60_000;
/** What the tests need of a foreign account's plan. */
const FEATURES = ['BULK_MSG_LIMIT', 'MEDIA', 'THIRD_PARTY_API'];

const { values } = parseArgs({ options: { url: { type: 'string' }, key: { type: 'string' } } });
if ((values.url === undefined) !== (values.key === undefined)) {
  process.stderr.write('usage: npm run conformance [-- --url <address> --key <API key>]\n');
  process.exit(2);
}
const target =
  values.url && values.key ? { baseUrl: `${values.url.replace(/(\/v1)?\/*$/, '')}/v1`, apiKey: values.key } : undefined;
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(
    name,
    () =>
      void interruptRuns()
        .then(finish)
        .then(() => process.exit(130)),
  );

await ensurePackages({ log });
if (target) await checkKey(target);
const [rules, specTests, table] = [readRules(), readSpecTests(), readTable()];
const files = filesOf(specTests, table, { isForeign: target !== undefined });
log(`… ${files.length} test files ${target ? `at ${target.baseUrl}` : 'at an installation of their own'}`);
const env = { ...process.env, ...(target && { CONFORMANCE_TARGET: JSON.stringify(target) }) };
const { report, outcome } = await runTests('e2e', { env, timeoutMs: TIMEOUT_MS, waiting: true, files });
await finish();

const ran = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ title, status, failureMessages }) => ({
    file: relative(ROOT, name),
    title,
    status,
    failureMessages,
  })),
);
const rows = rowsOf(rules, specTests, table, ran);
say(tableText(rows));
const counts = countResults(rows);
for (const { file, title, failureMessages } of ran.filter(({ status }) => status === 'failed'))
  say(`\n✗ ${file}: ${title}\n${failureMessages.join('\n')}`);
const isBroken =
  !report ||
  report.testResults.some(({ status, message }) => status === 'failed' && message !== '') ||
  ran.every(({ status }) => status !== 'passed');
if (isBroken) say(`\nthe tests did not run to their end:\n${outcome.details}`);
say(
  `\n${rules.length} rules: ${Object.entries(counts)
    .map(([result, count]) => `${count} ${result}`)
    .join(', ')}`,
);
process.exit(counts.failed > 0 || isBroken ? 1 : 0);

/** Ends the program when the key does not work there, or its plan would refuse before a rule is reached. */
async function checkKey(/** @type {{ baseUrl: string, apiKey: string }} */ { baseUrl, apiKey }) {
  const response = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } }).catch((error) =>
    fail(`no answer from ${baseUrl}: ${error.cause ?? error}`),
  );
  /** @type {any} */
  const body = await response.json().catch(() => fail(`${baseUrl}/me answered ${response.status}, and no JSON`));
  if (response.status !== 200) fail(`${baseUrl}/me answered ${response.status}: ${body.message}`);
  const missing = FEATURES.filter((feature) => !body.plan.features.includes(feature));
  if (missing.length > 0) fail(`the plan of this account lacks ${missing.join(', ')}`);
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
