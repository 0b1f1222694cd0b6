// @ts-check
// npm test (and npm run check): everything CI runs, with all of its own set-up. `--only <step>` runs one step.
import { stopInfra } from './infra/index.mjs';
import { checkSteps, infraOnce } from './lib/check-steps.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { log, say } from './lib/progress.mjs';
import { interruptRuns } from './lib/run.mjs';

const infra = infraOnce();
const steps = checkSteps(infra);
const only = process.argv.indexOf('--only') === -1 ? undefined : process.argv[process.argv.indexOf('--only') + 1];
const chosen = steps.filter(({ name }) => only === undefined || name === only);
if (process.argv.includes('--only') && chosen.length !== 1) {
  say(`usage: npm test [-- --only ${steps.map(({ name }) => name).join('|')}]`);
  process.exit(2);
}
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(name, () => void interrupt());

const { passed, failed } = await runAll();
await finish();
say(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runAll() {
  const total = { passed: 0, failed: 0 };
  log('… packages');
  const ready = await outcomeOf(async () => {
    await ensurePackages({ log });
    return { passed: 0, failed: 0, details: '' };
  });
  if (ready.failed > 0) say(ready.details);
  if (ready.failed > 0) return ready;
  // Comes up while the first steps run
  if (chosen.some(({ name }) => name === 'integration' || name === 'e2e')) infra().catch(() => undefined);
  if (chosen.some(({ name }) => name === 'e2e')) fetchBrowser();
  for (const { title, work } of chosen) {
    log(`… ${title}`);
    const begin = Date.now();
    const outcome = await outcomeOf(work);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    log(
      `${outcome.failed === 0 ? '✓' : '✗'} ${title}: ${outcome.passed} passed, ${outcome.failed} failed (${((Date.now() - begin) / 1000).toFixed(1)} s)`,
    );
    if (outcome.failed > 0) say(`${outcome.details}\n`);
  }
  return total;
}

/** A step that could not run has failed. @param {() => Promise<import('./lib/vitest-run.mjs').Outcome>} work */
async function outcomeOf(work) {
  try {
    return await work();
  } catch (error) {
    return { passed: 0, failed: 1, details: error instanceof Error ? error.message : String(error) };
  }
}

/** The tests that need it ask again, and report what failed. */
function fetchBrowser() {
  import('./infra/chromium.mjs')
    .then(({ ensureChromium }) => ensureChromium({ log: (text) => process.stdout.write(`    ${text}\n`) }))
    .catch(() => undefined);
}

async function interrupt() {
  await interruptRuns();
  await finish();
  process.exit(130);
}

/** Stops the infrastructure, unless a running installation or another test run uses it. */
async function finish() {
  await stopInfra().catch((error) => log(`! ${error.message}`));
}
